/**
 * Looks up many e-mail addresses or licence codes in lists: 2,000 pupils of a school take 20 pages, not 2,000
 * requests.
 */
import type { CallOptions, Client } from '../../client/request/client.js';
import { licenses } from '../../contract/licenses.js';
import { listInputs } from '../../contract/list-inputs.js';
import type { OrganizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';

/** An e-mail address, or a code with the prefix `code:`. */
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

/** E-mail addresses are the same in any case; a list may show an address that is not verified yet as null. */
const keyOf = (text: unknown): string | undefined =>
  typeof text === 'string' ? text.normalize('NFC').trim().toLowerCase() : undefined;

const isHidden = (error: unknown): boolean => isKind(error, 'forbidden', 'not_found', 'refused', 'invalid_response');

/** References that have not been looked up yet, by key. */
class Pending<R extends KeyReference> {
  readonly #left: Map<string, R[]>;

  constructor(references: readonly R[], keyOfText: (text: string) => string) {
    this.#left = grouped(references, ({ text }) => [keyOfText(text)]);
  }

  get size(): number {
    return this.#left.size;
  }

  /** Removes and returns the references of one key. */
  next(): readonly R[] {
    const [first] = this.#left;
    if (first === undefined) return [];
    this.#left.delete(first[0]);
    return first[1];
  }

  /** @returns whether anything refers to it */
  found(key: string | undefined, id: unknown): boolean {
    const same = key === undefined ? undefined : this.#left.get(key);
    if (same === undefined || key === undefined || typeof id !== 'string') return false;
    for (const reference of same) reference.id = id;
    this.#left.delete(key);
    return true;
  }
}

/**
 * Reads a list until every reference is found, or until it has cost as many requests as single look-ups.
 * @returns whether it matched more references than it cost pages
 */
async function readList(
  client: Client,
  list: Endpoint,
  input: object,
  options: CallOptions,
  pending: { readonly size: number },
  note: (item: JsonObject) => boolean,
): Promise<boolean> {
  // The client requests one page ahead.
  const maxPages = pending.size - 1;
  let pages = 0;
  let found = 0;
  try {
    for await (const page of client.pages(list, input as never, options)) {
      pages++;
      for (const item of page as readonly unknown[]) if (isObject(item) && note(item)) found++;
      if (pending.size === 0 || pages >= maxPages) break;
    }
  } catch (error) {
    if (!isHidden(error)) throw error;
  }
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
  const pending = new Pending(references, (text) => keyOf(text) ?? text);
  const read = new Set<string>();

  async function organizationOf(id: string): Promise<OrganizationReference | undefined> {
    try {
      return (await (await client()).call(users.get, { params: { id } }, options)).organization;
    } catch (error) {
      if (isHidden(error)) return undefined;
      throw error;
    }
  }

  /** @returns whether the list of the next reference's organization was worth reading */
  async function readNext(): Promise<boolean> {
    const same = pending.next();
    for (const reference of same) await lookUp(reference);
    const { id } = same[0] ?? {};
    const organization = id === undefined ? undefined : await organizationOf(id);
    if (id === undefined || organization === undefined) return false;
    organizations.set(id, organization);
    if (read.has(organization.id)) return false;
    read.add(organization.id);
    const input = { query: { organization: organization.id, type: organization.type } };
    return readList(await client(), users.list, input, options, pending, (item) => {
      if (!pending.found(keyOf(item.email), item.id)) return false;
      organizations.set(String(item.id), organization);
      return true;
    });
  }

  for (let misses = 0; pending.size > FEW && misses < MAX_MISSES; ) if (!(await readNext())) misses++;
}

/** Finds licences by the lists of the caller. @throws EduError when the service is not available */
export async function findLicences<R extends KeyReference>(
  references: readonly R[],
  { client, options }: Pick<KeyLookup<R>, 'client' | 'options'>,
): Promise<void> {
  const pending = new Pending(references, (text) => text.slice(CODE.length));
  for (const { of: _, ...input } of listInputs(licenses.list, { languages: [], organizations: [] })) {
    if (pending.size <= FEW) return;
    await readList(await client(), licenses.list, input, options, pending, ({ code, id }) =>
      pending.found(String(code), id),
    );
  }
}
