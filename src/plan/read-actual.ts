/** Reads the part of the service's state that a wanted state manages, in few paged requests. */
import type { Resolver } from '../client/references/resolver.js';
import { book } from '../contract/books.js';
import { roles } from '../contract/roles.js';
import type { Language, OrganizationReference } from '../contract/shared.js';
import type { ItemOf } from '../contract/vocabulary.js';
import { ignoring } from '../core/errors.js';
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
import { each, ifHidden, neededIf, orNone, Reads, type ReadsHost } from './concurrent-reads.js';
import { findPeople, withHolders } from './find-people.js';
import { ENDPOINTS, fieldsOf } from './items.js';
import { findBook, indexOf, organizationFinder } from './planner/want-references.js';
import type { Want, WantedClass } from './want.js';

export interface ReadHost extends ReadsHost {
  readonly resolver: Resolver;
  readonly language: Language;
  readonly own: OrganizationReference;
  /** The organization of users without one. */
  readonly organization: OrganizationReference;
  /** IDs or names of organizations whose users leave their classes if they are not wanted. */
  readonly complete?: readonly string[];
}

const { books, classes, licenses, publishers, readers, schools, users } = ENDPOINTS;

const TYPES = { publishers: 'Publisher', schools: 'School' } as const;

const actualOrganization = (
  kind: keyof typeof TYPES,
  one: ItemOf<typeof publishers.list> | ItemOf<typeof schools.list>,
): ActualOrganization => {
  const fields = Object.entries(fieldsOf(kind, one)).map(([name, value]) => [name, text(value)]);
  const roles = one.roles ? rolesOf(one.roles) : undefined;
  return { ...Object.fromEntries(fields), id: one.id, name: text(one.name), type: TYPES[kind], roles };
};

/** Reads what a wanted state manages. */
class ActualReader {
  readonly #want: Want;
  readonly #host: ReadHost;
  readonly #reads: Reads;
  readonly #query: { readonly language: Language };

  constructor(want: Want, host: ReadHost) {
    this.#want = want;
    this.#host = host;
    this.#reads = new Reads(host);
    this.#query = { language: host.language };
  }

  async read(): Promise<Actual> {
    const want = this.#want;
    const { own, language, resolver } = this.#host;
    const known = await this.#organizations();
    const { readIds, schoolIds } = this.#scope(known);
    const wantsSubjects = want.classes.length + want.books.length + want.readers.length > 0;
    const [listedUsers, schoolClasses, withBooks, subjects, bookList, readerList] = await Promise.all([
      this.#usersOf(known.filter(({ id }) => readIds.has(id))),
      each(schoolIds, (id) => this.#classesOf(id)),
      want.licenses.length > 0 ? this.#licenses() : [],
      wantsSubjects ? this.#subjects() : [],
      want.books.length > 0 ? this.#books(known) : [],
      want.readers.length > 0 ? this.#reads.all(readers.list, { query: this.#query }, publicationOf) : [],
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
        resolver,
        others: () => this.#usersOf(known.filter(({ id }) => !readIds.has(id))),
        get: (id) => this.#reads.one(users.get, id).then(userOf).catch(ifHidden),
      },
    );
    return {
      own,
      organizations: byId(known),
      language,
      subjects: byId(subjects),
      users: byId(people.users),
      elsewhere: people.elsewhere,
      classes: byId(actualClasses),
      hiddenSchools: new Map(hidden.map((id) => [id, 'you may not list the classes of this school'])),
      licenses: await withHolders(want, byId(withBooks), people, (id) =>
        orNone(this.#reads.all(licenses.activations, { params: { id } }, ({ user }) => text(user))),
      ),
      books: byId(await this.#furtherBooks(bookList, withBooks, known)),
      readers: byId(await this.#withSettings(readerList)),
    };
  }

  async #organizations(): Promise<readonly ActualOrganization[]> {
    const { own } = this.#host;
    const want = this.#want;
    const [publisherList, schoolList] = await Promise.all([
      neededIf(
        want.publishers.length > 0,
        this.#reads.all(publishers.list, {}, (one) => actualOrganization('publishers', one)),
      ),
      neededIf(
        want.schools.length > 0,
        this.#reads.all(schools.list, {}, (one) => actualOrganization('schools', one)),
      ),
    ]);
    const listed = [...publisherList, ...schoolList];
    const ours = listed.find(({ id }) => id === own.id);
    const ofOwn = { query: { organization: own.id, type: own.type } };
    const has = want.users.some((user) => user.roles !== undefined)
      ? await orNone(this.#reads.all(roles.list, ofOwn, ({ id, name }) => ({ id, name: text(name) })))
      : ours?.roles;
    return [{ ...own, name: '', ...ours, roles: has }, ...listed.filter((other) => other !== ours)];
  }

  /** The organizations whose users, and the schools whose classes, are read. */
  #scope(known: readonly ActualOrganization[]) {
    const want = this.#want;
    const { own, organization: ofUsers, complete: completeTexts = [] } = this.#host;
    const findOrganization = organizationFinder(known);
    const byText = (word: string | undefined): readonly ActualOrganization[] => {
      const found = findOrganization(word ?? '');
      return typeof found === 'string' ? [] : known.filter(({ id }) => id === found.id);
    };
    const schoolsOf = ({ school }: WantedClass): readonly string[] =>
      school === undefined ? (own.type === 'School' ? [own.id] : []) : byText(school).map(({ id }) => id);
    // Leavers leave all classes of the school, including those that the wanted state does not contain.
    const complete = completeTexts.flatMap(byText);
    const leaving = want.users.flatMap(({ leaves, organization }) => (leaves === true ? byText(organization) : []));
    const leftSchools = [...leaving, ...complete].flatMap(({ id, type }) => (type === 'School' ? [id] : []));
    const schoolIds = [...new Set([...want.classes.flatMap(schoolsOf), ...leftSchools])];
    const wantsPeople =
      want.users.length > 0 || want.classes.some(({ users: has, add, remove }) => has ?? add ?? remove);
    const named = [...new Set(want.users.map(({ organization }) => organization))];
    const readIds = new Set([
      ...named.flatMap((word) => (word === undefined ? [ofUsers.id] : byText(word).map(({ id }) => id))),
      ...complete.map(({ id }) => id),
      ...(wantsPeople ? schoolIds : []),
    ]);
    return { readIds, schoolIds };
  }

  #usersOf(of: readonly ActualOrganization[]): Promise<readonly ActualUser[]> {
    return each(of, ({ id, type }) =>
      this.#reads.all(users.list, { query: { organization: id, type } }, (user) => userOf(user, { id, type })),
    );
  }

  /** The active classes of a school, and the IDs of all of them. */
  async #classesOf(schoolId: string) {
    const ids: string[] = [];
    const list = this.#reads.all(classes.list, { params: { id: schoolId } }, (item) => {
      ids.push(item.classId);
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
      const item: object | undefined = await this.#reads.one(classes.get, id).catch(ignoring('not_found', 'refused'));
      const { schoolId, deactivationDate } = { ...item } as Readonly<Record<string, unknown>>;
      return item === undefined || text(deactivationDate) !== '' ? [] : [classOf({ ...item }, text(schoolId))];
    });
  }

  #subjects(): Promise<readonly Named[]> {
    return this.#reads.all(books.subjects, { query: this.#query }, ({ id, translatedName }) => ({
      id,
      name: text(translatedName),
    }));
  }

  /** All licences, or only the one that a sync assigns. */
  async #licenses(): Promise<readonly ActualLicense[]> {
    const { client, signal, own } = this.#host;
    const [only, ...others] = this.#want.licenses;
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
    return each(['BOOKS', 'TEACHER'], (type) =>
      this.#reads.all(licenses.list, { query: { type } }, (one) => licenseOf(one, own)),
    );
  }

  #books(known: readonly ActualOrganization[]): Promise<readonly ActualPublication[]> {
    return each(known, ({ id, type }) => {
      const query = { ...this.#query, organization: id, type };
      return neededIf(this.#want.books.length > 0, this.#reads.all(books.list, { query }, publicationOf));
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

  /** Readers with their settings, which the list omits. */
  #withSettings(list: readonly ActualPublication[]): Promise<readonly ActualPublication[]> {
    const managed = this.#want.readers.filter(({ settings }) => settings !== undefined);
    const keys = new Set(managed.flatMap(({ id, ean }) => [id, ean]));
    return each(list, async (reader) =>
      keys.has(reader.id) || keys.has(reader.ean)
        ? publicationOf(await this.#reads.one(readers.get, reader.id, { query: this.#query }))
        : reader,
    );
  }
}

/** @throws EduError if a required list cannot be read */
export const readActual = (want: Want, host: ReadHost): Promise<Actual> => new ActualReader(want, host).read();
