/** The lists that contain the items that references can mean; complete ones are read once per run. */
import { resourcesBehind } from '../../contract/by-reference.js';
import { listInputs } from '../../contract/list-inputs.js';
import type { Resource } from '../../contract/resource.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { ignoring, isKind } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { loadOnce } from '../../core/maps.js';
import { andMore } from '../../core/plural.js';
import type { Client } from '../request/client.js';
import { type Listed, type Scope, scopeKey } from './found.js';
import { ItemIndex, type Match } from './item-index.js';
import { readReference } from './spelling.js';

export interface ListHost {
  readonly client: () => Promise<Client>;
  /** Language of names in responses, from flag, environment or profile; EN by default. */
  readonly language: () => Language;
  /** The caller's own organization, read once and remembered. */
  readonly callersOrganization: () => Promise<OrganizationReference>;
  /** That of users and roles: the configured one, or the caller's. */
  readonly organization: () => Promise<OrganizationReference>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Prints a warning on stderr, even with `--quiet`. */
  readonly warn: (text: string) => Promise<void>;
}

/** After this many items or pages, the rest of the lists is not read. */
interface Max {
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
  const inputs = listInputs(list, { languages: [language()], organizations });
  // One for each list, so that the order does not depend on which one answers first.
  const parts = inputs.map(() => new ItemIndex());
  const [index = new ItemIndex(), ...others] = parts;
  const { pages: pagesOf } = await client();
  let pages = 0;
  let size = 0;
  let readable = 0;
  const unread: string[] = [];
  await forEachConcurrently(inputs.entries(), CONCURRENCY, async ([at, { of, ...input }]) => {
    try {
      if (index.isCut) return;
      for await (const page of pagesOf(list, input, { signal })) {
        for (const item of page) {
          index.isCut ||= size++ >= items;
          if (index.isCut) return;
          parts[at]?.add(resource, item);
        }
        index.isCut ||= ++pages >= maxPages;
        if (index.isCut) return;
      }
      readable++;
    } catch (error) {
      if (!isKind(error, 'forbidden', 'not_found', 'refused')) throw error;
      unread.push(of);
    }
  });
  for (const part of others) index.addAll(part);
  if (unread.length > 0) index.unread.push(`the ${resource.noun[1]} of ${andMore(unread.sort())}`);
  return readable === 0 && !index.isCut ? undefined : index;
}

/** The resources that a reference can point to; with a type, only those of organizations of this type. */
export const resourcesOf = async (refersTo: Referent, { type }: Scope): Promise<readonly Resource[]> =>
  (await resourcesBehind(refersTo)).filter(
    ({ organizationType }) => type === undefined || organizationType === undefined || organizationType === type,
  );

/** The caller's own organization, if a reference to an organization can mean it, and the caller may read it. */
export async function ownOrganization(refersTo: Referent, { type }: Scope, host: ListHost): Promise<Match | undefined> {
  if (refersTo !== 'organization') return undefined;
  const own = await host.callersOrganization().catch(ignoring('forbidden', 'not_found'));
  if (own === undefined || (type !== undefined && own.type !== type)) return undefined;
  return { id: own.id, label: `${own.type}, your own`, names: [], type: own.type };
}

/** The organization or school whose lists alone are read; undefined if it is the caller's. */
export async function onlyOrganization(resource: Resource, { organization }: Scope, host: ListHost) {
  if (organization !== undefined || resource.within === undefined || resource.within.owned !== undefined)
    return organization;
  const used = await host.organization();
  const own = await host.callersOrganization().catch(ignoring('forbidden', 'not_found'));
  return used.id === own?.id ? undefined : used;
}

export type ItemLists = ReturnType<typeof createItemLists>;

export function createItemLists(host: ListHost) {
  const indexes = new Map<string, Promise<ItemIndex | undefined>>();
  const keyOf = (refersTo: Referent, scope: Scope): string => `${refersTo} ${scopeKey(scope)}`;

  /** The organizations whose lists may contain an item. @param unread gets the lists of those that are not known */
  async function organizationsOf(resource: Resource, { organization }: Scope, unread: string[]) {
    const { within, endpoints } = resource;
    if (within === undefined) return [];
    if (organization !== undefined) return [organization];
    const { owned: type } = within;
    if (type === undefined) return [await host.organization()];
    const own = await host.callersOrganization();
    if (own.type === type) return [own];
    const isOwnListed = endpoints.list?.query?.organization !== undefined;
    if (isOwnListed && own.type !== 'Distributor') return [own];
    const index = await indexOf('organization', { type });
    if (index === undefined) unread.push(`the ${resource.noun[1]} of any ${type}`);
    const matches = [...(index?.items.values() ?? [])].filter((match) => match.type === type);
    const owned = matches.map(({ id }) => ({ id, type }));
    return isOwnListed ? [own, ...owned] : owned;
  }

  /** The items of a kind; for organizations, those of each kind. */
  async function read(refersTo: Referent, scope: Scope, max: Max): Promise<ItemIndex | undefined> {
    const resources = await resourcesOf(refersTo, scope);
    const parts = await Promise.all(
      resources.map(async (resource) => {
        // The caller's organization may be hidden, too.
        const unread: string[] = [];
        const organizations = await organizationsOf(resource, scope, unread).catch(ignoring('forbidden', 'not_found'));
        const index = organizations && (await readIndex(resource, organizations, host, max));
        index?.unread.push(...unread);
        return index;
      }),
    );
    const [index, ...others] = parts.filter((part) => part !== undefined);
    if (index === undefined) return undefined;
    for (const part of others) index.addAll(part);
    index.unread.push(...resources.filter((_, at) => parts[at] === undefined).map(({ noun }) => noun[1]));
    for (const what of index.unread)
      await host.warn(`Cannot list ${what}: names are looked up in the other lists only.`);
    return index;
  }

  /** Complete lists are read once. */
  const indexOf = (refersTo: Referent, scope: Scope): Promise<ItemIndex | undefined> =>
    loadOnce(indexes, keyOf(refersTo, scope), () => read(refersTo, scope, {}));

  /** Keeps a complete index that was read. */
  const keep = (refersTo: Referent, scope: Scope, index: ItemIndex): void =>
    void indexes.set(keyOf(refersTo, scope), Promise.resolve(index));

  /**
   * Up to `max` items that a reference can mean.
   * @returns undefined if there is no such list, or the caller may not see it
   * @throws EduError like `find`
   */
  async function list(refersTo: Referent, scope: Scope, max: number): Promise<Listed | undefined> {
    const index = await read(refersTo, scope, { items: max });
    const own = await ownOrganization(refersTo, scope, host);
    if (index === undefined && own === undefined) return undefined;
    const resources = await resourcesOf(refersTo, scope);
    const [resource] = resources;
    const organization = resource && (await onlyOrganization(resource, scope, host));
    const matches = [...(own === undefined ? [] : [own]), ...(index?.items.values() ?? [])];
    const find = (typed: string) => index?.find(readReference(typed, resources)) ?? [];
    return { matches, isCut: index?.isCut === true, find, ...(organization && { organization }) };
  }

  /** The name of a school that was read. */
  const schoolName = async (id: string): Promise<string | undefined> =>
    (await indexes.get(keyOf('organization', { type: 'School' })))?.items.get(id)?.label;

  return { read, indexOf, keep, list, schoolName };
}
