/** Reads items again before their steps. What many steps share is cached for a moment. */
import { findListed } from '../../client/references/find-listed.js';
import type { Client } from '../../client/request/client.js';
import { requireFit } from '../../client/request/misfit.js';
import { classes } from '../../contract/classes.js';
import { license as licenseResource, licenses } from '../../contract/licenses.js';
import { roles } from '../../contract/roles.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import type { Endpoint, ItemOf } from '../../contract/vocabulary.js';
import { ignoring } from '../../core/errors.js';
import {
  type ActualLicense,
  classOf,
  licenseOf,
  organizationIn,
  publicationOf,
  stateOf,
  text,
  userOf,
} from '../actual.js';
import { ENDPOINTS } from '../items.js';
import type { Fields } from '../steps.js';
import type { Plannable } from '../want-columns.js';

/** How long members, holders and active classes are cached. */
const FRESH_MS = 2000;

const ifForbidden = ignoring('forbidden');

export type PresentReader = ReturnType<typeof presentReader>;

/** Returns functions that read present items, in the form of `before` of a step. All reject with EduError. */
export function presentReader(client: Client, language: Language, signal: AbortSignal, now: () => number) {
  const kept = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>();

  function cached<T>(key: string, read: () => Promise<T>, maxAgeMs = FRESH_MS): Promise<T> {
    const known = kept.get(key);
    if (known !== undefined && now() - known.at < maxAgeMs) return known.value as Promise<T>;
    const value = read();
    kept.set(key, { at: now(), value });
    value.catch(() => kept.delete(key));
    return value;
  }

  async function all<E extends Endpoint>(endpoint: E, input: Parameters<typeof client.pages<E>>[1]) {
    const items: ItemOf<E>[] = [];
    for await (const page of client.pages(endpoint, input, { signal }))
      for (const item of page) items.push(requireFit(endpoint, item));
    return items;
  }

  const one = async <E extends Endpoint>(endpoint: E, input: Parameters<typeof client.call<E>>[1]) =>
    requireFit(endpoint, await client.call(endpoint, input, { signal }));

  /** A licence that was created for another organization is returned only by the list. */
  async function license(id: string): Promise<ActualLicense> {
    try {
      const item = await one(licenses.get, { params: { id } });
      return licenseOf(item as ItemOf<typeof licenses.list>);
    } catch (error) {
      ifForbidden(error);
      const found = await findListed(client, licenseResource, 'id', id, { signal });
      if (found === undefined) throw error;
      return licenseOf(requireFit(licenses.list, found) as ItemOf<typeof licenses.list>);
    }
  }

  /** The IDs of the active classes of a school; undefined if they cannot be listed. */
  const activeClasses = (school: string): Promise<ReadonlySet<string> | undefined> =>
    cached(`classes ${school}`, async () => {
      const listed = await all(classes.list, { params: { id: school } }).catch(ifForbidden);
      const active = listed?.filter(({ deactivationDate }) => text(deactivationDate) === '');
      return active && new Set(active.map(({ classId }) => text(classId)));
    });

  async function stateNow(resource: Plannable, id: string): Promise<Fields> {
    if (resource === 'licenses') return stateOf(resource, await license(id));
    const isPublication = resource === 'books' || resource === 'readers';
    const input = { params: { id }, ...(isPublication ? { query: { language } } : {}) };
    const item = (await one(ENDPOINTS[resource].get, input as never)) as never;
    if (isPublication) return stateOf(resource, publicationOf(item));
    if (resource === 'users') return stateOf(resource, userOf(item));
    return stateOf(resource, resource === 'classes' ? classOf(item, '') : organizationIn(resource, item));
  }

  async function holdersOf(id: string): Promise<ReadonlySet<string>> {
    const { holders, numberOfActivations } = await license(id);
    if (numberOfActivations <= holders.length) return new Set(holders);
    const activations = await all(licenses.activations, { params: { id } }).catch(ifForbidden);
    return new Set([...holders, ...(activations ?? []).map(({ user }) => text(user))]);
  }

  return {
    /**
     * The present state of an item; undefined when it no longer exists.
     * @param school the ID of the school of a class: a class that is read by ID does not show whether it was deleted
     */
    item(resource: Plannable, id: string, school: string | undefined): Promise<Fields | undefined> {
      const read = async (): Promise<Fields | undefined> => {
        const active = resource === 'classes' && school !== undefined ? await activeClasses(school) : undefined;
        return active?.has(id) === false ? undefined : stateNow(resource, id);
      };
      return read().catch(ignoring('not_found'));
    },

    /** IDs of the members of a class, or of the holders of a licence. */
    people: (resource: 'members' | 'holders', id: string): Promise<ReadonlySet<string>> =>
      cached(`${resource} ${id}`, async () => {
        if (resource === 'holders') return holdersOf(id);
        return new Set(classOf(await one(classes.get, { params: { id } }), '').users);
      }),

    roles: ({ id, type }: OrganizationReference) =>
      cached(`roles ${id}`, () => all(roles.list, { query: { organization: id, type } }), Infinity),
  };
}
