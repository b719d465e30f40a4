/**
 * Resolves names and keys to IDs: an ID in a list wins, then an exact key (EAN, code), then a name that differs only
 * in case. Each list is read once per run (PRODUCT.md section 2).
 */

import { resourceBehind } from '../../contract/by-reference.js';
import { listInputs } from '../../contract/list-inputs.js';
import { labelOf, type Resource } from '../../contract/resource.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import type { Endpoint, Referent } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { fold } from '../../core/fold.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { getPath } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';
import { suggestions } from '../../core/suggest.js';
import type { Client } from '../request/client.js';
import { idIn } from './id-in.js';

export interface ResolverHost {
  readonly client: () => Promise<Client>;
  readonly language: () => Language;
  readonly callersOrganization: () => Promise<OrganizationReference>;
  readonly signal: AbortSignal;
}

/** Where a name is searched. */
export interface Scope {
  /** The organization of users, roles and books; by default the caller's, and for books also its publishers. */
  readonly organization?: OrganizationReference | undefined;
  /** The school of classes; by default all schools of the caller. */
  readonly school?: string | undefined;
}

export interface Match {
  readonly id: string;
  readonly label: string;
  /** Texts accepted instead of the ID: `code:abc`, an e-mail address, a name. */
  readonly names: readonly string[];
  /** Set for an organization. */
  readonly type?: OrganizationReference['type'];
  /** ID of the school of a class. */
  readonly school?: string;
}

/** The items that a reference can mean. */
export interface Listed {
  readonly matches: readonly Match[];
  /** Whether there are more items than requested. */
  readonly isCut: boolean;
}

export type Found =
  | { readonly is: 'one'; readonly match: Match }
  | { readonly is: 'several'; readonly matches: readonly Match[] }
  /** `closest`: similar names. `isRead`: the list that may contain the name could be read. */
  | { readonly is: 'none'; readonly closest: readonly string[]; readonly isRead: boolean };

export type Resolver = ReturnType<typeof createResolver>;

/** A list by the IDs, keys and names of its items. */
class Index {
  readonly items = new Map<string, Match>();
  readonly keys = new Map<string, Set<string>>();
  readonly names = new Map<string, Set<string>>();
  /** Names in their original spelling. */
  readonly shown = new Set<string>();
  /** IDs of deleted classes, which lists still show. */
  readonly inactive = new Set<string>();
  isCut = false;
}

/** Lists read concurrently. */
const CONCURRENCY = 6;

const sameName = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Names are compared without case, keys such as codes and EANs exactly. */
const isName = (noun: string): boolean => noun === 'name' || noun === 'title';

const note = (map: Map<string, Set<string>>, key: string, id: string): void =>
  void getOrSet(map, key, () => new Set()).add(id);

function add(index: Index, resource: Resource, idPath: string, item: unknown): void {
  const value = getPath(item, idPath);
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const id = String(value);
  const names: string[] = [];
  const school = getPath(item, 'schoolId');
  const label = labelOf(resource, item);
  if ((getPath(item, 'deactivationDate') ?? null) !== null) index.inactive.add(id);
  index.items.set(id, { id, label, names, ...(typeof school === 'string' ? { school } : {}) });
  for (const { field, noun, prefix = '', form } of resource.written) {
    const parts = (typeof field === 'string' ? [field] : field).map((path) => getPath(item, path));
    const strings = parts.filter((part) => typeof part === 'string');
    const text = strings.join(' ').trim();
    if (text === '') continue;
    names.push(form?.test(text) ? text : `${prefix}${text}`);
    if (isName(noun)) {
      note(index.names, sameName(text), id);
      index.shown.add(text);
    } else note(index.keys, text, id);
  }
}

/** Splits off `id:`, `name:`, or the prefix of one of the resource's keys, such as `ean:`. */
function readPrefix(text: string, written: Resource['written']) {
  if (text.startsWith('id:')) return { only: 'id', rest: text.slice(3) } as const;
  if (text.startsWith('name:')) return { only: 'name', rest: text.slice(5) } as const;
  const prefix = written.find((one) => one.prefix !== undefined && text.startsWith(one.prefix))?.prefix;
  return prefix === undefined ? { rest: text } : ({ only: 'key', rest: text.slice(prefix.length) } as const);
}

/** Up to three names that contain the text, or that are spelled like it, as a whole or in one word. */
function closest(text: string, names: readonly string[]): readonly string[] {
  const wanted = fold(text);
  const holding = names.filter((name) => fold(name).includes(wanted));
  if (holding.length > 0) return holding.slice(0, 3);
  const alike = suggestions(text, names);
  if (alike.length > 0) return alike;
  const words = new Map(names.flatMap((name) => name.split(/\s+/).map((word) => [word, name] as const)));
  return [...new Set(suggestions(text, words.keys()).map((word) => words.get(word) ?? word))];
}

export function createResolver(host: ResolverHost) {
  const indexes = new Map<string, Promise<Index | undefined>>();

  /** The organizations whose lists may contain a name. */
  async function organizationsOf(list: Endpoint, refersTo: Referent, scope: Scope): Promise<OrganizationReference[]> {
    if (refersTo === 'class') {
      if (scope.school !== undefined) return [{ id: scope.school, type: 'School' }];
      const own = await host.callersOrganization();
      if (own.type === 'School') return [own];
      return owned('school', 'School');
    }
    if (list.query?.organization === undefined) return [];
    if (scope.organization !== undefined) return [scope.organization];
    const own = await host.callersOrganization();
    if (refersTo !== 'book' || own.type !== 'Distributor') return [own];
    return [own, ...(await owned('publisher', 'Publisher'))];
  }

  async function owned(refersTo: Referent, type: OrganizationReference['type']): Promise<OrganizationReference[]> {
    const index = await indexOf(refersTo, {});
    return [...(index?.items.keys() ?? [])].map((id) => ({ id, type }));
  }

  /** @returns undefined if there is no such list, or the caller may see no part of it */
  async function read(refersTo: Referent, scope: Scope, max: number): Promise<Index | undefined> {
    const resource = await resourceBehind(refersTo);
    const list = resource?.endpoints.list;
    if (resource === undefined || list?.list === undefined) return undefined;
    const idPath = list.list.of.id ?? 'id';
    const client = await host.client();
    const organizations = await organizationsOf(list, refersTo, scope);
    const inputs = listInputs(list, { languages: [host.language()], organizations });
    const index = new Index();
    let seen = 0;
    await forEachConcurrently(inputs, CONCURRENCY, async ({ of, ...input }) => {
      try {
        if (index.isCut) return;
        for await (const page of client.pages(list, input, { signal: host.signal })) {
          for (const item of page) {
            index.isCut ||= index.items.size >= max;
            if (index.isCut) return;
            add(index, resource, idPath, item);
          }
        }
        seen++;
      } catch (error) {
        if (!isKind(error, 'forbidden', 'not_found', 'refused')) throw error;
      }
    });
    return seen === 0 && !index.isCut ? undefined : index;
  }

  /** The caller's organization and those that it owns. */
  async function readOrganizations(): Promise<Index> {
    const whole = new Index();
    const own = await host.callersOrganization();
    whole.items.set(own.id, { id: own.id, label: `${own.type}, your own`, names: [], type: own.type });
    if (own.type !== 'Distributor') return whole;
    for (const [refersTo, type] of [
      ['publisher', 'Publisher'],
      ['school', 'School'],
    ] as const) {
      const index = await indexOf(refersTo, {});
      if (index === undefined) continue;
      for (const [id, match] of index.items) whole.items.set(id, { ...match, type });
      for (const [name, ids] of index.names) for (const id of ids) note(whole.names, name, id);
      for (const name of index.shown) whole.shown.add(name);
    }
    return whole;
  }

  function indexOf(refersTo: Referent, scope: Scope, max = Number.POSITIVE_INFINITY): Promise<Index | undefined> {
    const key = JSON.stringify([refersTo, refersTo === 'class' ? scope.school : scope.organization?.id, max]);
    return getOrSet(indexes, key, () =>
      refersTo === 'organization' ? readOrganizations() : read(refersTo, scope, max),
    );
  }

  /** Looks up a key that has its own endpoint; undefined if the text is no such key. */
  async function through(resource: Resource, text: string): Promise<Found | undefined> {
    const written = resource.written.find(
      ({ prefix, form, through: by }) =>
        by !== undefined && ((prefix !== undefined && text.startsWith(prefix)) || (form?.test(text) ?? false)),
    );
    const endpoint = resource.endpoints[written?.through ?? ''];
    const [name] = Object.keys(endpoint?.params ?? {});
    if (endpoint === undefined || name === undefined) return undefined;
    const key = text.slice(written?.prefix === undefined ? 0 : written.prefix.length);
    const client = await host.client();
    try {
      const params = { [name]: key };
      const answer: unknown = await client.call(endpoint, { params } as never, { signal: host.signal });
      const id = idIn(getPath(answer, 'id') ?? answer);
      if (id !== undefined) return { is: 'one', match: { id, label: text, names: [] } };
    } catch (error) {
      if (!isKind(error, 'not_found')) throw error;
    }
    return { is: 'none', closest: [], isRead: true };
  }

  /** @throws EduError if a list cannot be read for another reason than missing permission */
  async function find(refersTo: Referent, text: string, scope: Scope = {}): Promise<Found> {
    const resource = refersTo === 'organization' ? undefined : await resourceBehind(refersTo);
    const { only, rest } = readPrefix(text, resource?.written ?? []);
    if (only === 'id') return { is: 'one', match: { id: rest, label: rest, names: [] } };
    const looked = resource === undefined || only === 'name' ? undefined : await through(resource, text);
    if (looked !== undefined) return looked;
    const index = await indexOf(refersTo, scope);
    if (index === undefined) return { is: 'none', closest: [], isRead: false };
    const same = only === undefined ? index.items.get(rest) : undefined;
    if (same !== undefined) return { is: 'one', match: same };
    const ids =
      (only === 'name' ? undefined : index.keys.get(rest.trim())) ??
      (only === 'key' ? undefined : index.names.get(sameName(rest))) ??
      new Set<string>();
    // A class that was deleted may have the name of an active one, which is meant then.
    const active = [...ids].filter((id) => !index.inactive.has(id));
    // Concurrent lists end in any order, so the matches are sorted.
    const matches = (active.length > 0 ? active : [...ids])
      .sort()
      .map((id) => index.items.get(id) ?? { id, label: rest, names: [] });
    const [first] = matches;
    if (first !== undefined) return matches.length === 1 ? { is: 'one', match: first } : { is: 'several', matches };
    return { is: 'none', closest: closest(rest, [...index.shown]), isRead: true };
  }

  /**
   * Up to `max` items that a reference can mean.
   * @returns undefined if there is no such list, or the caller may not see it
   * @throws EduError like `find`
   */
  async function list(refersTo: Referent, scope: Scope, max: number): Promise<Listed | undefined> {
    const index = await indexOf(refersTo, scope, max);
    return index === undefined ? undefined : { matches: [...index.items.values()], isCut: index.isCut };
  }

  /**
   * Those of the given IDs that the lists of their kind show.
   * @param maxPages number of pages after which no further list is read
   * @throws EduError like `find`
   */
  async function shownIds(
    refersTo: Referent,
    ids: ReadonlySet<string>,
    maxPages: number,
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const resource = await resourceBehind(refersTo);
    const list = resource?.endpoints.list;
    if (list?.list === undefined) return found;
    const idPath = list.list.of.id ?? 'id';
    const client = await host.client();
    const organizations = await organizationsOf(list, refersTo, {});
    const inputs = listInputs(list, { languages: [host.language()], organizations });
    let pages = 0;
    const isEnough = (): boolean => found.size === ids.size || pages >= maxPages;
    await forEachConcurrently(inputs, CONCURRENCY, async ({ of, ...input }) => {
      try {
        if (isEnough()) return;
        for await (const page of client.pages(list, input, { signal: host.signal })) {
          pages++;
          for (const item of page) {
            const id = String(getPath(item, idPath));
            if (ids.has(id)) found.add(id);
          }
          if (isEnough()) return;
        }
      } catch (error) {
        if (!isKind(error, 'forbidden', 'not_found', 'refused')) throw error;
        pages++;
      }
    });
    return found;
  }

  return { find, list, shownIds };
}
