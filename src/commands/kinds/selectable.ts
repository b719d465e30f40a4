/** The items that an id can point to, with their names, read from the service: for questions and for completion. */
import type { Context } from '../../cli/context.js';
import { resourceBehind } from '../../contract/by-reference.js';
import { isOfOrganization, listInputs } from '../../contract/list-inputs.js';
import { labelOf } from '../../contract/resource.js';
import type { Referent } from '../../contract/vocabulary.js';
import { getPath } from '../../core/json.js';

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The caller's own organization, and those that a distributor owns. */
async function organizations(context: Context, max: number): Promise<readonly Named[]> {
  const { id, type } = await context.callersOrganization();
  const owned =
    type === 'Distributor'
      ? [...((await referents('publisher', context, max)) ?? []), ...((await referents('school', context, max)) ?? [])]
      : [];
  return [{ id, name: `${type}, your own` }, ...owned];
}

/**
 * The items of a kind that the caller may see, at most `max` of them.
 * @returns undefined when the service has no list of them
 */
export async function referents(kind: Referent, context: Context, max: number): Promise<readonly Named[] | undefined> {
  if (kind === 'organization') return organizations(context, max);
  const resource = await resourceBehind(kind);
  const endpoint = resource?.endpoints.list;
  if (resource === undefined || endpoint?.list === undefined) return undefined;
  const name = endpoint.list.of.id ?? 'id';
  const client = await context.client();
  const known = {
    languages: [context.language()],
    organizations: isOfOrganization(endpoint) ? [await context.callersOrganization()] : [],
  };
  const items: Named[] = [];
  for (const { of, ...input } of listInputs(endpoint, known)) {
    for await (const page of client.pages(endpoint, input, { limit: max - items.length })) {
      items.push(...page.map((item) => ({ id: String(getPath(item, name)), name: labelOf(resource, item) })));
    }
    if (items.length >= max) break;
  }
  return items;
}
