/** Reads items again before their steps. Members and holders are cached for a moment because many steps share them. */
import type { Client } from '../../client/request/client.js';
import { books } from '../../contract/books.js';
import { classes } from '../../contract/classes.js';
import { licenses } from '../../contract/licenses.js';
import { publishers } from '../../contract/publishers.js';
import { readers } from '../../contract/readers.js';
import { roles } from '../../contract/roles.js';
import { schools } from '../../contract/schools.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { ItemOf } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { ActualClass, ActualLicense, Named } from '../actual.js';
import { classOf, licenseOf, publicationOf, text, userOf } from '../actual-items.js';
import type { Fields, Subject } from '../steps.js';

/** How long the members of a class and the holders of a licence are cached. */
const FRESH_MS = 2000;

/** The present fields of an item in the form of a step's `before`; undefined when it no longer exists. */
export type Present = Fields | undefined;

const isGone = (error: unknown): boolean => error instanceof EduError && error.kind === 'not_found';

type ActiveClasses = Promise<ReadonlyMap<string, ActualClass> | undefined>;

export class PresentReader {
  readonly #client: Client;
  readonly #language: Language;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  readonly #people = new Map<string, { readonly at: number; readonly ids: Promise<ReadonlySet<string>> }>();
  readonly #roles = new Map<string, Promise<readonly Named[]>>();
  readonly #active = new Map<string, { readonly at: number; readonly classes: ActiveClasses }>();
  #listed: Promise<ReadonlyMap<string, ActualLicense>> | undefined;

  constructor(client: Client, language: Language, signal: AbortSignal, now: () => number) {
    this.#client = client;
    this.#language = language;
    this.#signal = signal;
    this.#now = now;
  }

  get #options(): { readonly signal: AbortSignal } {
    return { signal: this.#signal };
  }

  /**
   * @param organization the ID of the school of a class
   * @throws EduError if the item cannot be read
   */
  async item(resource: Subject, id: string, organization: string | null): Promise<Present> {
    try {
      // A class that is read by ID does not show whether it was deleted.
      const active =
        resource === 'classes' && organization !== null ? await this.activeClasses(organization) : undefined;
      return active?.has(id) === false ? undefined : await this.#read(resource, id);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  async #read(resource: Subject, id: string): Promise<Present> {
    const params = { id };
    const query = { language: this.#language };
    const client = this.#client;
    switch (resource) {
      case 'publishers': {
        const { name } = await client.call(publishers.get, { params }, this.#options);
        return { name };
      }
      case 'schools': {
        const { name, country, city } = await client.call(schools.get, { params }, this.#options);
        return { name: text(name), country: text(country), city: text(city) };
      }
      case 'users': {
        const {
          firstName,
          lastName,
          organization,
          roles: has,
        } = userOf(await client.call(users.get, { params }, this.#options));
        return { firstName, lastName, organization, roles: has };
      }
      case 'classes': {
        const one = await client.call(classes.get, { params }, this.#options);
        return {
          name: text(one.className),
          subject: { id: text(one.subjectId) },
          users: (one.usersInClass ?? []).length,
        };
      }
      case 'licenses': {
        const one = await this.#license(id);
        if (one === undefined) return undefined;
        const { name, maximumActivations, numberOfActivations, type, books: opens, expiration } = one;
        return { name, maximumActivations, numberOfActivations, type, books: opens.map((book) => book.id), expiration };
      }
      case 'books': {
        const one = publicationOf(await client.call(books.get, { params, query }, this.#options));
        return {
          ean: one.ean,
          title: one.title,
          subject: one.subjectId,
          settings: one.settings,
          year: one.year,
          stream: one.level,
          series: one.series,
          type: one.typeName,
        };
      }
      case 'readers': {
        const one = publicationOf(await client.call(readers.get, { params, query }, this.#options));
        return {
          title: one.title,
          subject: one.subjectId,
          settings: one.settings,
          pdfDownloadable: one.pdfDownloadable,
        };
      }
      default:
        throw new TypeError(`${resource} cannot be read as items`);
    }
  }

  /** A licence that was created for another organization is returned only by the list. */
  async #license(id: string): Promise<ActualLicense | undefined> {
    try {
      return licenseOf(
        (await this.#client.call(licenses.get, { params: { id } }, this.#options)) as ItemOf<typeof licenses.list>,
      );
    } catch (error) {
      if (!(error instanceof EduError && error.kind === 'forbidden')) throw error;
      this.#listed ??= this.#listLicenses();
      const found = (await this.#listed).get(id);
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

  /** IDs of the members of a class, or of the holders of a licence. */
  people(resource: 'members' | 'holders', id: string): Promise<ReadonlySet<string>> {
    const key = `${resource} ${id}`;
    const kept = this.#people.get(key);
    if (kept !== undefined && this.#now() - kept.at < FRESH_MS) return kept.ids;
    const ids = resource === 'members' ? this.#members(id) : this.#holders(id);
    this.#people.set(key, { at: this.#now(), ids });
    ids.catch(() => this.#people.delete(key));
    return ids;
  }

  /** The active classes of a school by ID; undefined if they cannot be listed. */
  activeClasses(school: string): ActiveClasses {
    const kept = this.#active.get(school);
    if (kept !== undefined && this.#now() - kept.at < FRESH_MS) return kept.classes;
    const found = this.#listActive(school);
    this.#active.set(school, { at: this.#now(), classes: found });
    found.catch(() => this.#active.delete(school));
    return found;
  }

  async #listActive(school: string): ActiveClasses {
    const active = new Map<string, ActualClass>();
    try {
      for await (const page of this.#client.pages(classes.list, { params: { id: school } }, this.#options))
        for (const item of page)
          if (text(item.deactivationDate) === '') active.set(item.classId, classOf(item, school));
    } catch (error) {
      if (error instanceof EduError && error.kind === 'forbidden') return undefined;
      throw error;
    }
    return active;
  }

  async #members(id: string): Promise<ReadonlySet<string>> {
    const one = await this.#client.call(classes.get, { params: { id } }, this.#options);
    return new Set(one.usersInClass ?? []);
  }

  async #holders(id: string): Promise<ReadonlySet<string>> {
    const one = await this.#license(id);
    const ids = new Set(one?.holders ?? []);
    if (one === undefined || one.numberOfActivations <= ids.size) return ids;
    try {
      const pages = this.#client.pages(licenses.activations, { params: { id } }, this.#options);
      for await (const page of pages) for (const { user } of page) ids.add(user);
    } catch (error) {
      if (!(error instanceof EduError && error.kind === 'forbidden')) throw error;
    }
    return ids;
  }

  /** The roles of an organization, read once. */
  roles({ id, type }: OrganizationReference): Promise<readonly Named[]> {
    let list = this.#roles.get(id);
    if (list === undefined) {
      list = this.#listRoles(id, type);
      this.#roles.set(id, list);
      list.catch(() => this.#roles.delete(id));
    }
    return list;
  }

  async #listRoles(organization: string, type: string): Promise<readonly Named[]> {
    const all: Named[] = [];
    const pages = this.#client.pages(roles.list, { query: { organization, type: type as 'School' } }, this.#options);
    for await (const page of pages) for (const { id, name } of page) all.push({ id, name });
    return all;
  }
}
