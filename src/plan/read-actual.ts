/** Reads the part of the service's state that a wanted state manages, in few paged requests. */
import { idIn } from '../client/create/find-by-key.js';
import type { Client } from '../client/request/client.js';
import { books } from '../contract/books.js';
import { classes } from '../contract/classes.js';
import { licenses } from '../contract/licenses.js';
import { publishers } from '../contract/publishers.js';
import { readers } from '../contract/readers.js';
import { roles } from '../contract/roles.js';
import { schools } from '../contract/schools.js';
import type { Language, OrganizationReference } from '../contract/shared.js';
import { users } from '../contract/users.js';
import type { Endpoint, ItemOf } from '../contract/vocabulary.js';
import { EduError } from '../core/errors.js';
import { limiter } from '../export/collect/limiter.js';
import type {
  Actual,
  ActualClass,
  ActualLicense,
  ActualOrganization,
  ActualPublication,
  ActualUser,
  Named,
} from './actual.js';
import { byId, classOf, licenseOf, publicationOf, rolesOf, text, userOf } from './actual.js';
import { findPeople, withHolders } from './find-people.js';
import type { Want, WantedClass } from './want.js';

export interface ReadHost {
  readonly client: Client;
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
const isHidden = (error: unknown): error is EduError =>
  error instanceof EduError && (error.kind === 'forbidden' || error.kind === 'not_found');

/** @throws EduError if a required list cannot be read */
export async function readActual(want: Want, host: ReadHost): Promise<Actual> {
  const { client, signal, language, own, onItems } = host;
  const limited = limiter(CONCURRENCY);
  const options = { signal, ...(host.pageSize === undefined ? {} : { pageSize: host.pageSize }) };

  /** Reads a whole list. Each item is reduced as it arrives, to save memory. */
  async function all<E extends Endpoint, T>(endpoint: E, input: object, make: (item: ItemOf<E>) => T): Promise<T[]> {
    return limited(async () => {
      const items: T[] = [];
      for await (const page of client.pages(endpoint, input as Parameters<typeof client.pages<E>>[1], options)) {
        for (const item of page) items.push(make(item));
        onItems(page.length);
      }
      return items;
    });
  }
  const each = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => Promise.all(items.map(work));
  const orNone = <T>(work: Promise<T[]>): Promise<T[]> =>
    work.catch((error: unknown) => {
      if (isHidden(error)) return [];
      throw error;
    });

  async function organizations(): Promise<readonly ActualOrganization[]> {
    const [schoolList, publisherList] = await Promise.all([
      orNone(
        all(
          schools.list,
          {},
          ({ id, name, country, city, roles: has }): ActualOrganization => ({
            id,
            type: 'School',
            name: text(name),
            country: text(country),
            city: text(city),
            roles: has && rolesOf(has),
          }),
        ),
      ),
      orNone(
        all(
          publishers.list,
          {},
          ({ id, name, roles: has }): ActualOrganization => ({
            id,
            type: 'Publisher',
            name: text(name),
            roles: has && rolesOf(has),
          }),
        ),
      ),
    ]);
    const owned = [...publisherList, ...schoolList].filter(({ id }) => id !== own.id);
    const named = [...publisherList, ...schoolList].find(({ id }) => id === own.id);
    const needsRoles = want.users.some((user) => user.roles !== undefined);
    const query = { organization: own.id, type: own.type };
    const has = needsRoles
      ? await orNone(all(roles.list, { query }, ({ id, name }) => ({ id, name: text(name) })))
      : undefined;
    return [{ ...own, name: named?.name ?? '', ...named, roles: has ?? named?.roles }, ...owned];
  }

  const known = await organizations();
  const byText = (word: string | undefined): readonly ActualOrganization[] => {
    const id = known.filter((one) => one.id === word);
    return id.length > 0 ? id : known.filter(({ name }) => name.toLowerCase() === word?.toLowerCase());
  };
  const schoolsOf = ({ school }: WantedClass): readonly string[] =>
    school === undefined ? (own.type === 'School' ? [own.id] : []) : byText(school).map(({ id }) => id);
  // Leavers leave all classes of the school, including those that the wanted state does not contain.
  const complete = (host.complete ?? []).flatMap(byText);
  const leaving = want.users.flatMap(({ leaves, organization }) => (leaves === true ? byText(organization) : []));
  const leftSchools = [...leaving, ...complete].flatMap(({ id, type }) => (type === 'School' ? [id] : []));
  const schoolIds = [...new Set([...want.classes.flatMap(schoolsOf), ...leftSchools])];

  const usersOf = (ids: ReadonlySet<string>): Promise<readonly ActualUser[]> =>
    each(
      known.filter(({ id }) => ids.has(id)),
      ({ id, type }) => all(users.list, { query: { organization: id, type } }, userOf),
    ).then((lists) => lists.flat());

  const hiddenSchools = new Map<string, string>();
  async function classesOf(id: string): Promise<readonly ActualClass[]> {
    try {
      const list = await all(classes.list, { params: { id } }, (item) => ({
        active: text(item.deactivationDate) === '',
        one: classOf(item, id),
      }));
      return list.flatMap(({ active, one }) => (active ? [one] : []));
    } catch (error) {
      if (!isHidden(error)) throw error;
      hiddenSchools.set(id, 'you may not list the classes of this school');
      return [];
    }
  }

  /** Classes that are wanted by ID but are in no list that was read. */
  async function classesById(listed: readonly ActualClass[]): Promise<readonly ActualClass[]> {
    const have = new Set(listed.map(({ id }) => id));
    const ids = want.classes.flatMap(({ id, optional }) => (id === undefined || optional || have.has(id) ? [] : [id]));
    return each(ids, (id) =>
      limited(() => client.call(classes.get, { params: { id } }, { signal })).then((item) => {
        const { schoolId } = item as { readonly schoolId?: unknown };
        return classOf(item, text(schoolId));
      }),
    );
  }

  const wantsPeople = want.users.length > 0 || want.classes.some(({ users: has, add, remove }) => has ?? add ?? remove);
  const readIds = new Set([
    ...[...new Set(want.users.map(({ organization }) => organization))].flatMap((organization) =>
      organization === undefined ? [host.organization.id] : byText(organization).map(({ id }) => id),
    ),
    ...complete.map(({ id }) => id),
    ...(wantsPeople ? schoolIds : []),
  ]);
  const wantsLicenses = want.licenses.length > 0;
  const wantsSubjects = want.classes.length + want.books.length + want.readers.length > 0;
  const [listedUsers, listedClasses, licenseLists, subjects, bookList, readerList] = await Promise.all([
    usersOf(readIds),
    each(schoolIds, classesOf).then((lists) => lists.flat()),
    wantsLicenses ? licensesToRead() : [],
    wantsSubjects
      ? all(
          books.subjects,
          { query: { language } },
          ({ id, translatedName }): Named => ({ id, name: text(translatedName) }),
        )
      : [],
    want.books.length > 0 ? booksOf(known) : [],
    want.readers.length > 0 ? all(readers.list, { query: { language } }, publicationOf) : [],
  ]);
  const actualClasses = [...listedClasses, ...(await classesById(listedClasses))];
  const withBooks = licenseLists.flat();

  /** All licences, or only the one that a sync assigns. */
  async function licensesToRead(): Promise<readonly (readonly ActualLicense[])[]> {
    const [only, ...others] = want.licenses;
    if (only?.addEndUsers !== undefined && others.length === 0) {
      const { id, code = '' } = only;
      const call =
        id === undefined
          ? client.call(licenses.getByCode, { params: { code } }, { signal })
          : client.call(licenses.get, { params: { id } }, { signal });
      const one = await call.catch((error: unknown) => {
        // Only the lists show a licence that was created for another organization.
        if (error instanceof EduError && error.kind === 'forbidden') return undefined;
        throw error;
      });
      if (one !== undefined) return [[licenseOf(one as ItemOf<typeof licenses.list>)]];
    }
    return each(['BOOKS', 'TEACHER'], (type) => all(licenses.list, { query: { type } }, licenseOf));
  }

  function booksOf(of: readonly ActualOrganization[]): Promise<readonly ActualPublication[]> {
    return each(of, ({ id, type }) =>
      orNone(all(books.list, { query: { organization: id, type, language } }, publicationOf)),
    ).then((lists) => lists.flat());
  }

  /** The books, if the wanted licences have books that no licence contains. */
  async function furtherBooks(): Promise<readonly ActualPublication[]> {
    if (bookList.length > 0) return bookList;
    const shown = new Set(withBooks.flatMap((one) => one.books.flatMap(({ id, ean }) => [id, ean])));
    const isNew = want.licenses.some(({ books: named }) =>
      named?.some((name) => !shown.has(name.replace(/^ean:/, ''))),
    );
    return isNew ? booksOf(known) : [];
  }

  /** Readers with their settings, which the list omits. */
  const withSettings = (list: readonly ActualPublication[]): Promise<readonly ActualPublication[]> => {
    const named = new Set(
      want.readers.filter(({ settings }) => settings !== undefined).flatMap(({ id, ean }) => [id, ean]),
    );
    return each(list, (one) =>
      named.has(one.id) || named.has(one.ean)
        ? limited(() => client.call(readers.get, { params: { id: one.id }, query: { language } }, { signal })).then(
            publicationOf,
          )
        : Promise.resolve(one),
    );
  };

  const people = await findPeople(
    want,
    [...listedUsers],
    known,
    readIds,
    usersOf,
    (email) =>
      limited(() => client.call(users.findByEmail, { params: { email } }, { signal }))
        .then(idIn)
        .catch((error: unknown) => {
          if (isHidden(error)) return undefined;
          throw error;
        }),
    (id) =>
      limited(() => client.call(users.get, { params: { id } }, { signal }))
        .then(userOf)
        .catch((error: unknown) => {
          if (isHidden(error)) return undefined;
          throw error;
        }),
  );
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
