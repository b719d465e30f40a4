/** Reads the part of the service's state that a wanted state manages, in few paged requests. */
import type { Resolver } from '../client/references/resolver.js';
import type { Client } from '../client/request/client.js';
import { book } from '../contract/books.js';
import { roles } from '../contract/roles.js';
import type { Language, OrganizationReference } from '../contract/shared.js';
import type { Endpoint, ItemOf } from '../contract/vocabulary.js';
import { ignoring } from '../core/errors.js';
import { limiter } from '../core/for-each.js';
import {
  type Actual,
  type ActualClass,
  type ActualLicense,
  type ActualOrganization,
  type ActualPublication,
  type ActualUser,
  byId,
  classOf,
  licenseOf,
  type Named,
  publicationOf,
  rolesOf,
  text,
  userOf,
} from './actual.js';
import { findPeople, withHolders } from './find-people.js';
import { ENDPOINTS, fieldsOf } from './items.js';
import { findBook, indexOf, organizationFinder } from './planner/want-references.js';
import type { Want, WantedClass } from './want.js';

export interface ReadHost {
  readonly client: Client;
  readonly resolver: Resolver;
  readonly signal: AbortSignal;
  readonly language: Language;
  readonly own: OrganizationReference;
  /** The organization of users without one. */
  readonly organization: OrganizationReference;
  /** IDs or names of organizations whose users leave their classes if they are not wanted. */
  readonly complete?: readonly string[];
  readonly pageSize: number | undefined;
  /** Called with the number of items of each page. */
  readonly onItems: (count: number) => void;
}

/** Max concurrent lists and look-ups. */
const CONCURRENCY = 4;

const { books, classes, licenses, publishers, readers, schools, users } = ENDPOINTS;

/** Errors of an item or list that the caller may not see. */
const ifHidden = ignoring('forbidden', 'not_found');

const TYPES = { publishers: 'Publisher', schools: 'School' } as const;

const actualOrganization = (
  kind: keyof typeof TYPES,
  one: ItemOf<typeof publishers.list> | ItemOf<typeof schools.list>,
): ActualOrganization => {
  const fields = Object.entries(fieldsOf(kind, one)).map(([name, value]) => [name, text(value)]);
  const roles = one.roles ? rolesOf(one.roles) : undefined;
  return { ...Object.fromEntries(fields), id: one.id, name: text(one.name), type: TYPES[kind], roles };
};

/** @throws EduError if a required list cannot be read */
export async function readActual(want: Want, host: ReadHost): Promise<Actual> {
  const { client, signal, language, own, onItems } = host;
  const limited = limiter(CONCURRENCY);
  const options = { signal, pageSize: host.pageSize };
  const query = { language };

  /** Reads a whole list. Each item is reduced as it arrives, to save memory. */
  const all = <E extends Endpoint, T>(endpoint: E, input: object, make: (item: ItemOf<E>) => T): Promise<T[]> =>
    limited(async () => {
      const items: T[] = [];
      for await (const page of client.pages(endpoint, input as Parameters<typeof client.pages<E>>[1], options)) {
        for (const item of page) items.push(make(item));
        onItems(page.length);
      }
      return items;
    });
  const orNone = async <T>(work: Promise<T[]>): Promise<T[]> => (await work.catch(ifHidden)) ?? [];
  /** A list that must be read if items of it are wanted: a hidden one would make all of them new. */
  const neededIf = <T>(isWanted: boolean, work: Promise<T[]>): Promise<T[]> => (isWanted ? work : orNone(work));
  /** The results of work on each item, which may be several per item. */
  const each = async <T, R>(items: readonly T[], work: (item: T) => Promise<R | readonly R[]>): Promise<R[]> =>
    (await Promise.all(items.map(work))).flat() as R[];
  const one = <E extends Endpoint>(endpoint: E, id: string, more: object = {}) =>
    limited(() =>
      client.call(endpoint, { params: { id }, ...more } as Parameters<typeof client.call<E>>[1], { signal }),
    );

  async function organizations(): Promise<readonly ActualOrganization[]> {
    const [publisherList, schoolList] = await Promise.all([
      neededIf(
        want.publishers.length > 0,
        all(publishers.list, {}, (one) => actualOrganization('publishers', one)),
      ),
      neededIf(
        want.schools.length > 0,
        all(schools.list, {}, (one) => actualOrganization('schools', one)),
      ),
    ]);
    const listed = [...publisherList, ...schoolList];
    const ours = listed.find(({ id }) => id === own.id);
    const ofOwn = { query: { organization: own.id, type: own.type } };
    const has = want.users.some((user) => user.roles !== undefined)
      ? await orNone(all(roles.list, ofOwn, ({ id, name }) => ({ id, name: text(name) })))
      : ours?.roles;
    return [{ ...own, name: '', ...ours, roles: has }, ...listed.filter((other) => other !== ours)];
  }

  const known = await organizations();
  const findOrganization = organizationFinder(known);
  const byText = (word: string | undefined): readonly ActualOrganization[] => {
    const found = findOrganization(word ?? '');
    return typeof found === 'string' ? [] : known.filter(({ id }) => id === found.id);
  };
  const schoolsOf = ({ school }: WantedClass): readonly string[] =>
    school === undefined ? (own.type === 'School' ? [own.id] : []) : byText(school).map(({ id }) => id);
  // Leavers leave all classes of the school, including those that the wanted state does not contain.
  const complete = (host.complete ?? []).flatMap(byText);
  const leaving = want.users.flatMap(({ leaves, organization }) => (leaves === true ? byText(organization) : []));
  const leftSchools = [...leaving, ...complete].flatMap(({ id, type }) => (type === 'School' ? [id] : []));
  const schoolIds = [...new Set([...want.classes.flatMap(schoolsOf), ...leftSchools])];

  const usersOf = (of: readonly ActualOrganization[]): Promise<readonly ActualUser[]> =>
    each(of, ({ id, type }) =>
      all(users.list, { query: { organization: id, type } }, (user) => userOf(user, { id, type })),
    );

  const hiddenSchools = new Map<string, string>();
  const deletedClasses = new Set<string>();
  async function classesOf(schoolId: string): Promise<readonly ActualClass[]> {
    const list = all(classes.list, { params: { id: schoolId } }, (item) => {
      if (text(item.deactivationDate) === '') return [classOf(item, schoolId)];
      deletedClasses.add(item.classId);
      return [];
    });
    const found = await list.catch(ifHidden);
    if (found === undefined) hiddenSchools.set(schoolId, 'you may not list the classes of this school');
    return found?.flat() ?? [];
  }

  /** Active classes that are wanted by ID but are in no list that was read. */
  async function classesById(listed: readonly ActualClass[]): Promise<readonly ActualClass[]> {
    const have = new Set([...deletedClasses, ...listed.map(({ id }) => id)]);
    const ids = want.classes.flatMap(({ id, optional }) => (id === undefined || optional || have.has(id) ? [] : [id]));
    return each(ids, async (id) => {
      // Service-api-v1.md, "Classes", shows only 400 for an unknown ID.
      const item: object | undefined = await one(classes.get, id).catch(ignoring('not_found', 'refused'));
      const { schoolId, deactivationDate } = { ...item } as Readonly<Record<string, unknown>>;
      return item === undefined || text(deactivationDate) !== '' ? [] : [classOf({ ...item }, text(schoolId))];
    });
  }

  const wantsPeople = want.users.length > 0 || want.classes.some(({ users: has, add, remove }) => has ?? add ?? remove);
  const named = [...new Set(want.users.map(({ organization }) => organization))];
  const readIds = new Set([
    ...named.flatMap((word) => (word === undefined ? [host.organization.id] : byText(word).map(({ id }) => id))),
    ...complete.map(({ id }) => id),
    ...(wantsPeople ? schoolIds : []),
  ]);
  const wantsSubjects = want.classes.length + want.books.length + want.readers.length > 0;
  const [listedUsers, listedClasses, withBooks, subjects, bookList, readerList] = await Promise.all([
    usersOf(known.filter(({ id }) => readIds.has(id))),
    each(schoolIds, classesOf),
    want.licenses.length > 0 ? licensesToRead() : [],
    wantsSubjects
      ? all(books.subjects, { query }, ({ id, translatedName }): Named => ({ id, name: text(translatedName) }))
      : [],
    want.books.length > 0 ? allBooks() : [],
    want.readers.length > 0 ? all(readers.list, { query }, publicationOf) : [],
  ]);
  const actualClasses = [...listedClasses, ...(await classesById(listedClasses))];

  /** All licences, or only the one that a sync assigns. */
  async function licensesToRead(): Promise<readonly ActualLicense[]> {
    const [only, ...others] = want.licenses;
    if (only?.addEndUsers !== undefined && others.length === 0) {
      const { id, code = '' } = only;
      const call =
        id === undefined
          ? client.call(licenses.getByCode, { params: { code } }, { signal })
          : client.call(licenses.get, { params: { id } }, { signal });
      // Only the lists show a licence that was created for another organization.
      const found = await call.catch(ignoring('forbidden'));
      if (found !== undefined) return [licenseOf(found as ItemOf<typeof licenses.list>, own)];
    }
    return each(['BOOKS', 'TEACHER'], (type) => all(licenses.list, { query: { type } }, (one) => licenseOf(one, own)));
  }

  function allBooks(): Promise<readonly ActualPublication[]> {
    return each(known, ({ id, type }) =>
      neededIf(want.books.length > 0, all(books.list, { query: { organization: id, type, language } }, publicationOf)),
    );
  }

  /** The books, if the wanted licences have books that no licence contains. */
  async function furtherBooks(): Promise<readonly ActualPublication[]> {
    if (bookList.length > 0) return bookList;
    const shown = indexOf(
      book,
      withBooks.flatMap((license) => license.books),
    );
    const wanted = want.licenses.flatMap((license) => license.books ?? []);
    return wanted.some((text) => typeof findBook(shown, text) === 'string') ? allBooks() : [];
  }

  /** Readers with their settings, which the list omits. */
  function withSettings(list: readonly ActualPublication[]): Promise<readonly ActualPublication[]> {
    const managed = want.readers.filter(({ settings }) => settings !== undefined);
    const keys = new Set(managed.flatMap(({ id, ean }) => [id, ean]));
    return each(list, async (reader) =>
      keys.has(reader.id) || keys.has(reader.ean)
        ? publicationOf(await one(readers.get, reader.id, { query }))
        : reader,
    );
  }

  const read = { users: listedUsers, classes: actualClasses, licenses: withBooks };
  const people = await findPeople(want, read, {
    resolver: host.resolver,
    others: () => usersOf(known.filter(({ id }) => !readIds.has(id))),
    get: (id) => one(users.get, id).then(userOf).catch(ifHidden),
  });
  return {
    own,
    organizations: byId(known),
    language,
    subjects: byId(subjects),
    users: byId(people.users),
    elsewhere: people.elsewhere,
    classes: byId(actualClasses),
    hiddenSchools,
    licenses: await withHolders(want, byId(withBooks), people, (id) =>
      orNone(all(licenses.activations, { params: { id } }, ({ user }) => text(user))),
    ),
    books: byId(await furtherBooks()),
    readers: byId(await withSettings(readerList)),
  };
}
