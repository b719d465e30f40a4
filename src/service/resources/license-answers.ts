/**
 * Licences in responses, in three forms (service-api-v1.md, "Licence"): in lists, by ID and code, and after writes.
 * Items that many licences refer to are looked up once.
 */
import { referenceIn } from '../access.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import { valueAt, vocabularyOf } from '../names/vocabulary.js';
import type { ServiceContext } from '../service-context.js';
import type { Book, Licence, Organization } from '../store/records.js';
import { type Person, personOf } from './people.js';

interface Surroundings {
  readonly books: ReadonlyMap<string, Book>;
  readonly organizations: ReadonlyMap<string, Organization>;
  /** Who has activated a licence, by the licence's id, first ones first. */
  readonly people: ReadonlyMap<string, readonly Person[]>;
}

function peopleWith(
  { store }: Pick<ServiceContext, 'store'>,
  licences: readonly Licence[],
): ReadonlyMap<string, readonly Person[]> {
  const activated = licences.filter(({ numberOfActivations }) => numberOfActivations > 0).map(({ id }) => id);
  const activations = store.activations.allIn('licenceId', activated);
  const users = store.users.many([...new Set(activations.map(({ userId }) => userId))]);
  const people = new Map<string, Map<string, Person>>();
  for (const { licenceId, userId } of activations) {
    const user = users.get(userId);
    if (user === undefined) continue;
    const some = people.get(licenceId) ?? new Map<string, Person>();
    people.set(licenceId, some.set(userId, personOf(user)));
  }
  return new Map([...people].map(([id, some]) => [id, [...some.values()]]));
}

function surroundingsOf(core: Pick<ServiceContext, 'store'>, licences: readonly Licence[]): Surroundings {
  const { store } = core;
  return {
    books: store.books.many([...new Set(licences.flatMap(({ bookIds }) => bookIds))]),
    organizations: store.organizations.many([...new Set(licences.map(({ ownerId }) => ownerId))]),
    people: peopleWith(core, licences),
  };
}

/** The fields of every form, in the document's order; the entries of `books` differ. */
function licenceAnswer<B, P>(licence: Licence, { organizations }: Surroundings, books: B[], endUsers: P[]) {
  const { id, name, code, type, expiration, maximumActivations, numberOfActivations } = licence;
  const answer = {
    id,
    name: blankIsNull(name),
    code: blankIsNull(code),
    type,
    books,
    expiration: expiration === null ? null : { ...expiration },
    maximumActivations,
    numberOfActivations,
    organization: referenceIn(organizations, licence.ownerId),
    // "id on input; the category name in create and update responses": elsewhere it is the id, ours to choose.
    licenseCategory: licence.categoryId,
    endUsers,
  };
  return asShown(answer, licence.shown);
}

const booksOf = ({ bookIds }: Licence, { books }: Surroundings): Book[] => bookIds.flatMap((id) => books.get(id) ?? []);

const peopleOf = ({ id }: Licence, { people }: Surroundings): Person[] => [...(people.get(id) ?? [])];

const titledBooks = (licence: Licence, surroundings: Surroundings) =>
  booksOf(licence, surroundings).map(({ id, ean, title }) => ({
    id,
    ean: blankIsNull(ean),
    title: blankIsNull(title),
  }));

/** In lists: "list entries are {id, ean, title}". */
export function licencesAnswer(core: Pick<ServiceContext, 'store'>, licences: readonly Licence[]) {
  const surroundings = surroundingsOf(core, licences);
  return licences.map((licence) => {
    const people = peopleOf(licence, surroundings);
    return licenceAnswer(licence, surroundings, titledBooks(licence, surroundings), people);
  });
}

/** By id and by code: "`language` is absent in the by-id and by-code responses". */
export function foundLicenceAnswer(core: ServiceContext, licence: Licence) {
  const surroundings = surroundingsOf(core, [licence]);
  const people = peopleOf(licence, surroundings);
  const endUsers = people.map(({ id, email, firstName, lastName }) => ({ id, email, firstName, lastName }));
  return licenceAnswer(licence, surroundings, titledBooks(licence, surroundings), endUsers);
}

/** After writes: "create and update responses use {id, ean, name}", and show the category's name. */
export function writtenLicenceAnswer(core: ServiceContext, licence: Licence) {
  const surroundings = surroundingsOf(core, [licence]);
  const namedBooks = booksOf(licence, surroundings).map(({ id, ean, title }) => ({
    id,
    ean: blankIsNull(ean),
    name: blankIsNull(title),
  }));
  const answer = licenceAnswer(licence, surroundings, namedBooks, peopleOf(licence, surroundings));
  const name = valueAt(vocabularyOf(core.store).categories, licence.categoryId ?? '');
  return { ...answer, licenseCategory: name ?? null };
}
