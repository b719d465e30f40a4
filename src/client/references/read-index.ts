/** Reads the lists that contain the items that a reference can mean. */
import { listInputs } from '../../contract/list-inputs.js';
import type { Resource } from '../../contract/resource.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import { isKind } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import type { Client } from '../request/client.js';
import { ItemIndex } from './item-index.js';

export interface ListHost {
  readonly client: () => Promise<Client>;
  readonly language: () => Language;
  readonly callersOrganization: () => Promise<OrganizationReference>;
  /** That of users and roles: the configured one, or the caller's. */
  readonly organization: () => Promise<OrganizationReference>;
  readonly signal: AbortSignal;
}

/** After this many items or pages, the rest of the lists is not read. */
export interface Max {
  readonly items?: number;
  readonly pages?: number;
}

const CONCURRENCY = 6;

/**
 * Reads the lists of a resource.
 * @param organizations those whose lists are read, if each organization or school has its own
 * @returns undefined if there is no list, or the caller may read none of them
 * @throws EduError if a list cannot be read for another reason
 */
export async function readIndex(
  resource: Resource,
  organizations: readonly OrganizationReference[],
  { client, language, signal }: ListHost,
  max: Max = {},
): Promise<ItemIndex | undefined> {
  const { list } = resource.endpoints;
  if (list?.list === undefined) return undefined;
  const { items = Number.POSITIVE_INFINITY, pages: maxPages = Number.POSITIVE_INFINITY } = max;
  const index = new ItemIndex();
  const inputs = listInputs(list, { languages: [language()], organizations });
  const { pages: pagesOf } = await client();
  let pages = 0;
  let readable = 0;
  await forEachConcurrently(inputs, CONCURRENCY, async ({ of: _, ...input }) => {
    try {
      if (index.isCut) return;
      for await (const page of pagesOf(list, input, { signal })) {
        for (const item of page) {
          index.isCut ||= index.items.size >= items;
          if (index.isCut) return;
          index.add(resource, item);
        }
        index.isCut ||= ++pages >= maxPages;
        if (index.isCut) return;
      }
      readable++;
    } catch (error) {
      if (!isKind(error, 'forbidden', 'not_found', 'refused')) throw error;
    }
  });
  return readable === 0 && !index.isCut ? undefined : index;
}
