/**
 * Looks up many e-mail addresses, licence codes or IDs in lists: 2,000 pupils of a school take 20 pages, not 2,000
 * requests.
 */
import type { Resolver } from '../../client/references/resolver.js';
import type { CallOptions, Client } from '../../client/request/client.js';
import { licenses } from '../../contract/licenses.js';
import { listInputs } from '../../contract/list-inputs.js';
import type { OrganizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Endpoint, ItemOf, Referent } from '../../contract/vocabulary.js';
import { ignoring } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';

/** An e-mail address or ID of a user, or a code with the prefix `code:`. */
export interface KeyReference {
  readonly text: string;
  id?: string | undefined;
}

export interface KeyLookup<R extends KeyReference> {
  readonly client: () => Promise<Client>;
  readonly options: CallOptions;
  /** Looks up one reference and stores its ID or its problem. */
  readonly lookUp: (reference: R) => Promise<void>;
  /** The organization of each user, by user ID; users found in lists are added. */
  readonly organizations: Map<string, OrganizationReference>;
}

/** Up to this number, references are looked up one by one. */
const FEW = 20;
/** After this number of lists with fewer matches than pages, the remaining references are looked up one by one. */
const MAX_MISSES = 3;

const CODE = 'code:';

/** E-mail addresses are the same in any case, IDs are not; a list may show an address that is not verified yet as null. */
const keyOf = (text: unknown): string => {
  const key = String(text).normalize('NFC').trim();
  return key.includes('@') ? key.toLowerCase() : key;
};

const ifHidden = ignoring('forbidden', 'not_found', 'refused', 'invalid_response');

/** References that have not been looked up yet, by key. */
type Pending = Map<string, KeyReference[]>;

/** Gives an item's ID to the references to it. @returns whether there are any */
function settle(pending: Pending, key: string, id: unknown): boolean {
  if (typeof id !== 'string') return false;
  for (const reference of pending.get(key) ?? []) reference.id = id;
  return pending.delete(key);
}

/**
 * Reads a list until every reference is found, or until it has cost as many requests as single look-ups.
 * @returns whether it matched more references than it cost pages
 */
async function readList<E extends Endpoint>(
  client: Client,
  list: E,
  input: object,
  options: CallOptions,
  pending: Pending,
  note: (item: ItemOf<E>) => boolean,
): Promise<boolean> {
  // The client requests one page ahead.
  const maxPages = pending.size - 1;
  let pages = 0;
  let found = 0;
  async function read(): Promise<void> {
    for await (const page of client.pages(list, input as never, options)) {
      pages++;
      for (const item of page) if (isObject(item) && note(item)) found++;
      if (pending.size === 0 || pages >= maxPages) break;
    }
  }
  await read().catch(ifHidden);
  return found > pages;
}

/**
 * Finds users in the lists of their organizations. The single look-up of one user determines the next organization.
 * @throws EduError when the service is not available
 */
export async function findUsers<R extends KeyReference>(
  references: readonly R[],
  { client, options, lookUp, organizations }: KeyLookup<R>,
): Promise<void> {
  const pending = grouped(references, ({ text }) => [keyOf(text)]);
  const read = new Set<string>();

  /** @returns whether the list of the next reference's organization was worth reading */
  async function readNext(): Promise<boolean> {
    const [[key, same] = ['', []]] = pending;
    pending.delete(key);
    for (const reference of same) await lookUp(reference);
    const id = same[0]?.id;
    if (id === undefined) return false;
    const user = await (await client()).call(users.get, { params: { id } }, options).catch(ifHidden);
    const organization = user?.organization;
    if (organization === undefined) return false;
    organizations.set(id, organization);
    if (read.has(organization.id)) return false;
    read.add(organization.id);
    const input = { query: { organization: organization.id, type: organization.type } };
    return readList(await client(), users.list, input, options, pending, (item) => {
      const isFound = [keyOf(item.email), item.id].filter((key) => settle(pending, key, item.id)).length > 0;
      if (isFound) organizations.set(item.id, organization);
      return isFound;
    });
  }

  for (let misses = 0; pending.size > FEW && misses < MAX_MISSES; ) if (!(await readNext())) misses++;
}

/** Finds the organizations of users by ID. @throws EduError when the service is not available */
export const findOrganizations = (ids: ReadonlySet<string>, lookup: Omit<KeyLookup<KeyReference>, 'lookUp'>) =>
  findUsers(
    Array.from(ids, (text): KeyReference => ({ text })),
    {
      ...lookup,
      lookUp: async (user) => {
        user.id = user.text;
      },
    },
  );

/** Finds references that are IDs. @returns those that lists show */
export async function findIds<R extends { readonly text: string; readonly referent: Referent }>(
  references: readonly R[],
  { shownIds }: Pick<Resolver, 'shownIds'>,
): Promise<ReadonlySet<R>> {
  const found = new Set<R>();
  for (const kind of new Set(references.map(({ referent }) => referent))) {
    const some = references.filter(({ referent }) => referent === kind);
    const ids = new Set(some.map(({ text }) => text));
    if (ids.size <= FEW) continue;
    // The client requests one page ahead.
    const shown = await shownIds(kind, ids, ids.size - 1);
    for (const reference of some) if (shown.has(reference.text)) found.add(reference);
  }
  return found;
}

/** Finds licences by the lists of the caller. @throws EduError when the service is not available */
export async function findLicences<R extends KeyReference>(
  references: readonly R[],
  { client, options }: Pick<KeyLookup<R>, 'client' | 'options'>,
): Promise<void> {
  const pending = grouped(references, ({ text }) => [text.slice(CODE.length)]);
  for (const { of: _, ...input } of listInputs(licenses.list, { languages: [], organizations: [] })) {
    if (pending.size <= FEW) return;
    await readList(await client(), licenses.list, input, options, pending, ({ code, id }) => settle(pending, code, id));
  }
}
