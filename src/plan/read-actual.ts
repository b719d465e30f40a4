/** Reads the part of the service's state that a wanted state manages, in few paged requests. */
import type { Resolver } from '../client/references/resolver.js';
import { eanForm } from '../client/references/spelling.js';
import type { Client } from '../client/request/client.js';
import { requireFit } from '../client/request/misfit.js';
import { book } from '../contract/books.js';
import { roles } from '../contract/roles.js';
import type { Language, OrganizationReference } from '../contract/shared.js';
import type { Endpoint, ItemOf } from '../contract/vocabulary.js';
import { ignoring, ignoringUnreadable } from '../core/errors.js';
import { limiter } from '../core/for-each.js';
import { getOrSet } from '../core/maps.js';
import {
  type Actual,
  type ActualClass,
  type ActualLicense,
  type ActualOrganization,
  type ActualPublication,
  byId,
  classOf,
  licenseOf,
  type Named,
  organizationIn,
  publicationOf,
  text,
  userOf,
} from './actual.js';
import { findPeople, personPairs, withHolders } from './find-people.js';
import { ENDPOINTS, withList } from './items.js';
import { findBook, indexOf, organizationFinder } from './planner/want-references.js';
import type { Want, WantedClass } from './want.js';
import { keyOf, type Plannable } from './want-columns.js';

export interface ReadHost {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly pageSize: number | undefined;
  /** Called with the number of items of each page. */
  readonly onItems: (count: number) => void;
  readonly resolver: Resolver;
  /** The organization whose users names mean (default: the caller's, and the schools of classes). */
  readonly namesIn?: OrganizationReference | undefined;
  readonly language: Language;
  readonly own: OrganizationReference;
  /** The organization of items without one. */
  readonly organization: OrganizationReference;
  /** IDs or names of organizations whose users leave their classes if they are not wanted. */
  readonly complete?: readonly string[];
}

/** Max concurrent lists and look-ups. */
const CONCURRENCY = 4;

/** Errors of an item or list that the caller may not see. */
const ifHidden = ignoring('forbidden', 'not_found');

/** The results of work on each item, which may be several per item. */
const each = async <T, R>(items: readonly T[], work: (item: T) => Promise<R | readonly R[]>): Promise<R[]> =>
  (await Promise.all(items.map(work))).flat() as R[];

const namedOf = (id: unknown, name: unknown): Named => ({ id: text(id), name: text(name) });

const { books, classes, licenses, readers, users } = ENDPOINTS;

/** Reads what a wanted state manages. */
class ActualReader {
  readonly #want: Want;
  readonly #host: ReadHost;
  readonly #limited = limiter(CONCURRENCY);
  readonly #query: { readonly language: Language };
  readonly #hiddenLists = new Map<Plannable, string[]>();
  /** IDs of holders by address, for addresses that stand beside an ID: many end users are not looked up individually. */
  readonly #holders = new Map<string, string>();

  constructor(want: Want, host: ReadHost) {
    this.#want = want;
    this.#host = host;
    this.#query = { language: host.language };
  }

  async read(): Promise<Actual> {
    const want = this.#want;
    const { own, language } = this.#host;
    const known = await this.#organizations();
    const { neededIds, readIds, schoolIds } = this.#scope(known);
    const [listedUsers, schoolClasses, withBooks, subjects, bookList, readerList] = await Promise.all([
      this.#usersOf(
        known.filter(({ id }) => readIds.has(id)),
        neededIds,
      ),
      each(schoolIds, (id) => this.#classesOf(id)),
      want.licenses.length > 0 ? this.#licenses() : [],
      want.classes.length + want.books.length + want.readers.length > 0 ? this.#subjects().catch(ifHidden) : [],
      want.books.length > 0 ? this.#books(known) : [],
      want.readers.length > 0
        ? this.#listed('readers', this.#all(readers.list, { query: this.#query }, publicationOf))
        : [],
    ]);
    const actualClasses = [
      ...schoolClasses.flatMap((one) => one.classes),
      ...(await this.#classesById(schoolClasses.flatMap((one) => one.ids))),
    ];
    const hidden = schoolClasses.flatMap(({ schoolId, isHidden }) => (isHidden ? schoolId : []));
    const people = await findPeople(
      want,
      { users: listedUsers, classes: actualClasses, licenses: withBooks },
      {
        ...this.#host,
        holders: this.#holders,
        others: () => this.#usersOf(known.filter(({ id }) => !readIds.has(id))),
        get: (id) => this.#one(users.get, id).then(userOf).catch(ignoringUnreadable),
      },
    );
    return {
      own,
      organizations: byId(known),
      hiddenLists: this.#hiddenLists,
      language,
      subjects: subjects && byId(subjects),
      ...people,
      classes: byId(actualClasses),
      hiddenSchools: new Map(hidden.map((id) => [id, 'you may not list the classes of this school'])),
      licenses: await withHolders(want, byId(withBooks), people, (id) => {
        const list = this.#all(licenses.activations, { params: { id } }, ({ user }) => text(user));
        return this.#ifShown('licenses', list, `activations of licence ${id}`);
      }),
      books: byId(await this.#furtherBooks(bookList, withBooks, known)),
      readers: byId(await this.#withSettings(readerList)),
    };
  }

  /** Reads a whole list. Each item is reduced as it arrives, to save memory. */
  #all<E extends Endpoint, T>(endpoint: E, input: object, make: (item: ItemOf<E>) => T): Promise<T[]> {
    const { client, signal, pageSize, onItems } = this.#host;
    const query = input as Parameters<typeof client.pages<E>>[1];
    return this.#limited(async () => {
      const items: T[] = [];
      for await (const page of client.pages(endpoint, query, { signal, pageSize })) {
        for (const item of page) items.push(make(requireFit(endpoint, item)));
        onItems(page.length);
      }
      return items;
    }).catch((error: unknown) => {
      throw withList(error, endpoint, input);
    });
  }

  /** A list that is empty, and noted, if the caller may not see it and it is not needed. @param name as people call it */
  async #ifShown<T>(resource: Plannable, work: Promise<T[]>, name: string, isNeeded = false): Promise<T[]> {
    const list = await (isNeeded ? work : work.catch(ifHidden));
    if (list === undefined) getOrSet(this.#hiddenLists, resource, () => []).push(name);
    return list ?? [];
  }

  /** A list that is needed if a row names an item, which may be in it. */
  #listed<T>(resource: Plannable, work: Promise<T[]>, name: string = resource): Promise<T[]> {
    const isNamed = this.#want[resource].some((row) => keyOf(resource, { ...row }) !== undefined);
    return this.#ifShown(resource, work, name, isNamed);
  }

  #one<E extends Endpoint>(endpoint: E, id: string, more: object = {}) {
    const { client, signal } = this.#host;
    const input = { params: { id }, ...more } as Parameters<typeof client.call<E>>[1];
    return this.#limited(async () => requireFit(endpoint, await client.call(endpoint, input, { signal })));
  }

  async #organizations(): Promise<readonly ActualOrganization[]> {
    const { own } = this.#host;
    const listed = await each(['publishers', 'schools'] as const, async (kind) => {
      const list = this.#all(ENDPOINTS[kind].list, {}, (one) => organizationIn(kind, one));
      return this.#ifShown(kind, list, kind, this.#want[kind].length > 0);
    });
    const ours = listed.find(({ id }) => id === own.id);
    const ofOwn = { query: { organization: own.id, type: own.type } };
    const has = this.#want.users.some((user) => user.roles !== undefined)
      ? ((await this.#all(roles.list, ofOwn, (one) => namedOf(one.id, one.name)).catch(ifHidden)) ?? [])
      : ours?.roles;
    return [{ ...own, name: '', ...ours, roles: has }, ...listed.filter((other) => other !== ours)];
  }

  /** The organizations whose users, and the schools whose classes, are read. */
  #scope(known: readonly ActualOrganization[]) {
    const want = this.#want;
    const { organization: usual, complete: completeTexts = [] } = this.#host;
    const findOrganization = organizationFinder(known, want);
    const byText = (word: string | undefined): readonly ActualOrganization[] => {
      const found = word === undefined ? undefined : findOrganization(word);
      return typeof found === 'string' ? [] : known.filter(({ id }) => found === undefined || id === found.id);
    };
    const schoolsOf = ({ school }: WantedClass): readonly string[] =>
      school === undefined ? (usual.type === 'School' ? [usual.id] : []) : byText(school).map(({ id }) => id);
    // Leavers leave all classes of the school, including those that the wanted state does not contain.
    const complete = completeTexts.flatMap(byText);
    const leaving = want.users.flatMap(({ leaves, organization }) => (leaves === true ? byText(organization) : []));
    const leftSchools = [...leaving, ...complete].flatMap(({ id, type }) => (type === 'School' ? [id] : []));
    const schoolIds = [...new Set([...want.classes.flatMap(schoolsOf), ...leftSchools])];
    const wantsPeople =
      want.users.length > 0 || want.classes.some(({ users: has, add, remove }) => has ?? add ?? remove);
    const idsOf = (rows: Want['users']): readonly string[] => {
      const named = [...new Set(rows.map(({ organization }) => organization))];
      return named.flatMap((word) => (word === undefined ? usual.id : byText(word).map(({ id }) => id)));
    };
    const keyed = want.users.filter(({ id, email }) => (id ?? email) !== undefined);
    const neededIds = new Set([...idsOf(keyed), ...complete.map(({ id }) => id)]);
    const readIds = new Set([...neededIds, ...idsOf(want.users), ...(wantsPeople ? schoolIds : [])]);
    return { neededIds, readIds, schoolIds };
  }

  /** @param neededIds organizations of which items are wanted: a hidden list would make all of them new */
  #usersOf(of: readonly ActualOrganization[], neededIds: ReadonlySet<string> = new Set()) {
    return each(of, ({ id, type }) => {
      const list = this.#all(users.list, { query: { organization: id, type } }, (user) => userOf(user, { id, type }));
      return this.#ifShown('users', list, `users of ${type} ${id}`, neededIds.has(id));
    });
  }

  /** The active classes of a school, and the IDs of all of them. */
  async #classesOf(schoolId: string) {
    const ids: string[] = [];
    const list = this.#all(classes.list, { params: { id: schoolId } }, (item) => {
      ids.push(text(item.classId));
      return text(item.deactivationDate) === '' ? [classOf(item, schoolId)] : [];
    });
    const found = await list.catch(ifHidden);
    return { schoolId, isHidden: found === undefined, ids, classes: found?.flat() ?? [] };
  }

  /** Active classes that are wanted by ID but are in no list that was read. @param listed IDs */
  async #classesById(listed: readonly string[]): Promise<readonly ActualClass[]> {
    const have = new Set(listed);
    const ids = this.#want.classes.flatMap(({ id, optional }) =>
      id === undefined || optional || have.has(id) ? [] : [id],
    );
    return each(ids, async (id) => {
      // Service-api-v1.md, "Classes", shows only 400 for an unknown ID.
      const item: object | undefined = await this.#one(classes.get, id).catch(ignoring('not_found', 'refused'));
      const { schoolId, deactivationDate } = { ...item } as Readonly<Record<string, unknown>>;
      return item === undefined || text(deactivationDate) !== '' ? [] : [classOf({ ...item }, text(schoolId))];
    });
  }

  #subjects(): Promise<Named[]> {
    return this.#all(books.subjects, { query: this.#query }, (one) => namedOf(one.id, one.translatedName));
  }

  /** All licences, or only the one that a sync assigns. */
  async #licenses(): Promise<readonly ActualLicense[]> {
    const [only, ...others] = this.#want.licenses;
    if (only?.id !== undefined && only.addEndUsers !== undefined && others.length === 0) {
      // Only the lists show a licence that was created for another organization; one that is gone is in none.
      const found = await this.#one(licenses.get, only.id).catch(ifHidden);
      if (found !== undefined) return [licenseOf(found as ItemOf<typeof licenses.list>, this.#host.own)];
    }
    const addresses = new Set(personPairs(this.#want).map(({ also }) => also));
    return each(['BOOKS', 'TEACHER'], (type) => {
      const list = this.#all(licenses.list, { query: { type } }, (one) => {
        for (const holder of one.endUsers ?? [])
          if (holder.email !== null && addresses.has(holder.email)) this.#holders.set(holder.email, text(holder.id));
        return licenseOf(one, this.#host.own);
      });
      return this.#listed('licenses', list, `licences of type ${type}`);
    });
  }

  #books(known: readonly ActualOrganization[]): Promise<readonly ActualPublication[]> {
    return each(known, ({ id, type }) => {
      const query = { ...this.#query, organization: id, type };
      return this.#ifShown('books', this.#all(books.list, { query }, publicationOf), `books of ${type} ${id}`);
    });
  }

  /** The books, if the wanted licences have books that no licence contains. */
  async #furtherBooks(
    listed: readonly ActualPublication[],
    withBooks: readonly ActualLicense[],
    known: readonly ActualOrganization[],
  ): Promise<readonly ActualPublication[]> {
    if (listed.length > 0) return listed;
    const shown = indexOf(
      book,
      withBooks.flatMap((license) => license.books),
    );
    const wanted = this.#want.licenses.flatMap((license) => license.books ?? []);
    return wanted.some((text) => typeof findBook(shown, text) === 'string') ? this.#books(known) : [];
  }

  /** The wanted readers with their settings, which the list omits and each change sends. Those of others cannot change. */
  #withSettings(list: readonly ActualPublication[]): Promise<readonly ActualPublication[]> {
    const keys = new Set(this.#want.readers.flatMap(({ id, ean = '' }) => [id, eanForm(ean)]));
    return each(list, async (reader) => {
      const isOurs = ['', this.#host.own.id].includes(reader.organization.id);
      if (!isOurs || (!keys.has(reader.id) && !keys.has(eanForm(reader.ean)))) return reader;
      const one = this.#one(readers.get, reader.id, { query: this.#query }).then(publicationOf);
      return (await one.catch(ifHidden)) ?? reader;
    });
  }
}

/** @throws EduError if a required list cannot be read */
export const readActual = (want: Want, host: ReadHost): Promise<Actual> => new ActualReader(want, host).read();
