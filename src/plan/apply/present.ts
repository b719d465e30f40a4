/** Reads items again before their steps. What many steps share is cached for a moment. */
import type { Client } from '../../client/request/client.js';
import { classes } from '../../contract/classes.js';
import { licenses } from '../../contract/licenses.js';
import { roles } from '../../contract/roles.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import type { ItemOf } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { type ActualLicense, classOf, licenseOf, type Named, publicationOf, text, userOf } from '../actual.js';
import { ENDPOINTS, licenseFields, publicationFields, userFields } from '../items.js';
import type { Fields } from '../steps.js';
import type { Plannable } from '../want-columns.js';

/** How long members, holders and active classes are cached. */
const FRESH_MS = 2000;

/** Reads present items, with the fields that `before` of a step has. All reject with EduError. */
export class PresentReader {
  readonly #client: Client;
  readonly #language: Language;
  readonly #options: { readonly signal: AbortSignal };
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>();

  constructor(client: Client, language: Language, signal: AbortSignal, now: () => number) {
    this.#client = client;
    this.#language = language;
    this.#options = { signal };
    this.#now = now;
  }

  #cached<T>(key: string, read: () => Promise<T>, maxAgeMs = FRESH_MS): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#now() - kept.at < maxAgeMs) return kept.value as Promise<T>;
    const value = read();
    this.#kept.set(key, { at: this.#now(), value });
    value.catch(() => this.#kept.delete(key));
    return value;
  }

  /**
   * The present fields of an item; undefined when it no longer exists.
   * @param school the ID of the school of a class: a class that is read by ID does not show whether it was deleted
   */
  async item(resource: Plannable, id: string, school: string | null): Promise<Fields | undefined> {
    try {
      const active = resource === 'classes' && school !== null ? await this.#activeClasses(school) : undefined;
      return active?.has(id) === false ? undefined : await this.#read(resource, id);
    } catch (error) {
      if (isKind(error, 'not_found')) return undefined;
      throw error;
    }
  }

  async #read(resource: Plannable, id: string): Promise<Fields> {
    if (resource === 'licenses') {
      const one = await this.#license(id);
      return { ...licenseFields(one), numberOfActivations: one.numberOfActivations };
    }
    const { get } = ENDPOINTS[resource];
    const isPublication = resource === 'books' || resource === 'readers';
    const input = { params: { id }, ...(isPublication ? { query: { language: this.#language } } : {}) };
    const item = (await this.#client.call(get, input as never, this.#options)) as never;
    if (isPublication) return publicationFields(resource, publicationOf(item));
    if (resource === 'users') return userFields(userOf(item));
    if (resource === 'classes') {
      const { name, subjectId, users } = classOf(item, '');
      return { name, subject: { id: subjectId }, users: users.length };
    }
    const { name, country, city } = item as Fields;
    return { name: text(name), country: text(country), city: text(city) };
  }

  /** A licence that was created for another organization is returned only by the list. */
  async #license(id: string): Promise<ActualLicense> {
    try {
      const item = await this.#client.call(licenses.get, { params: { id } }, this.#options);
      return licenseOf(item as ItemOf<typeof licenses.list>);
    } catch (error) {
      const found = isKind(error, 'forbidden')
        ? (await this.#cached('licenses', () => this.#listLicenses(), Infinity)).get(id)
        : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }

  async #listLicenses(): Promise<ReadonlyMap<string, ActualLicense>> {
    const all = new Map<string, ActualLicense>();
    for (const type of ['BOOKS', 'TEACHER'] as const)
      for await (const page of this.#client.pages(licenses.list, { query: { type } }, this.#options))
        for (const item of page) all.set(item.id, licenseOf(item));
    return all;
  }

  /** The IDs of the active classes of a school; undefined if they cannot be listed. */
  #activeClasses(school: string): Promise<ReadonlySet<string> | undefined> {
    return this.#cached(`classes ${school}`, async () => {
      const active = new Set<string>();
      try {
        for await (const page of this.#client.pages(classes.list, { params: { id: school } }, this.#options))
          for (const { classId, deactivationDate } of page) if (text(deactivationDate) === '') active.add(classId);
      } catch (error) {
        if (isKind(error, 'forbidden')) return undefined;
        throw error;
      }
      return active;
    });
  }

  /** IDs of the members of a class, or of the holders of a licence. */
  people(resource: 'members' | 'holders', id: string): Promise<ReadonlySet<string>> {
    return this.#cached(`${resource} ${id}`, async () => {
      if (resource === 'holders') return this.#holders(id);
      const { usersInClass } = await this.#client.call(classes.get, { params: { id } }, this.#options);
      return new Set(usersInClass ?? []);
    });
  }

  async #holders(id: string): Promise<ReadonlySet<string>> {
    const { holders, numberOfActivations } = await this.#license(id);
    const ids = new Set(holders);
    if (numberOfActivations <= ids.size) return ids;
    try {
      const pages = this.#client.pages(licenses.activations, { params: { id } }, this.#options);
      for await (const page of pages) for (const { user } of page) ids.add(user);
    } catch (error) {
      if (!isKind(error, 'forbidden')) throw error;
    }
    return ids;
  }

  /** The roles of an organization. */
  roles({ id, type }: OrganizationReference): Promise<readonly Named[]> {
    return this.#cached(
      `roles ${id}`,
      async () => {
        const all: Named[] = [];
        for await (const page of this.#client.pages(roles.list, { query: { organization: id, type } }, this.#options))
          all.push(...page.map((role) => ({ id: role.id, name: role.name })));
        return all;
      },
      Infinity,
    );
  }
}
