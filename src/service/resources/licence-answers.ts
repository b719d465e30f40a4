/**
 * Licences as answers show them. There are three forms (service-api-v1.md, "Licence"): lists, by id and code, and after
 * writes. What many licences refer to is looked up once for all of them.
 */
import { referenceTo } from '../access.js';
import type { Core } from '../core.js';
import { vocabularyOf } from '../names/vocabulary.js';
import type { Book, Licence, Organization } from '../store/records.js';
import { type Person, personOf } from './people.js';

interface Surroundings {
  readonly books: ReadonlyMap<string, Book>;
  readonly organizations: ReadonlyMap<string, Organization>;
  /** Who has activated a licence, by the licence's id, first ones first. */
  readonly people: ReadonlyMap<string, readonly Person[]>;
}

function peopleWith({ store }: Core, licences: readonly Licence[]): ReadonlyMap<string, readonly Person[]> {
  const activated = licences.filter(({ numberOfActivations }) => numberOfActivations > 0).map(({ id }) => id);
  const activations = store.activations.allIn('licenceId', activated);
  const users = store.users.many([...new Set(activations.map(({ userId }) => userId))]);
  const people = new Map<string, Person[]>();
  for (const { licenceId, userId } of activations) {
    const user = users.get(userId);
    if (user === undefined) continue;
    const list = people.get(licenceId) ?? [];
    list.push(personOf(user));
    people.set(licenceId, list);
  }
  return people;
}

function surroundingsOf(core: Core, licences: readonly Licence[]): Surroundings {
  const { store } = core;
  return {
    books: store.books.many([...new Set(licences.flatMap(({ bookIds }) => bookIds))]),
    organizations: store.organizations.many([...new Set(licences.map(({ ownerId }) => ownerId))]),
    people: peopleWith(core, licences),
  };
}

/** The fields of every form, in the document's order; the entries of `books` differ. */
function licenceAnswer<B>(licence: Licence, { organizations, people }: Surroundings, books: B[]) {
  const { id, name, code, type, expiration, maximumActivations, numberOfActivations } = licence;
  return {
    id,
    name,
    code,
    type,
    books,
    expiration: expiration === null ? null : { ...expiration },
    maximumActivations,
    numberOfActivations,
    organization: referenceTo(organizations.get(licence.ownerId) as Organization),
    // "id on input; the category name in create and update responses": elsewhere it is the id, ours to choose.
    licenseCategory: licence.categoryId,
    endUsers: [...(people.get(id) ?? [])],
  };
}

const booksOf = ({ bookIds }: Licence, { books }: Surroundings): Book[] => bookIds.flatMap((id) => books.get(id) ?? []);

const titledBooks = (licence: Licence, surroundings: Surroundings) =>
  booksOf(licence, surroundings).map(({ id, ean, title }) => ({ id, ean, title }));

/** In lists: "list entries are {id, ean, title}". */
export function licencesAnswer(core: Core, licences: readonly Licence[]) {
  const surroundings = surroundingsOf(core, licences);
  return licences.map((licence) => licenceAnswer(licence, surroundings, titledBooks(licence, surroundings)));
}

/** By id and by code: "`language` is absent in the by-id and by-code responses". */
export function foundLicenceAnswer(core: Core, licence: Licence) {
  const surroundings = surroundingsOf(core, [licence]);
  const answer = licenceAnswer(licence, surroundings, titledBooks(licence, surroundings));
  const endUsers = answer.endUsers.map(({ id, email, firstName, lastName }) => ({ id, email, firstName, lastName }));
  return { ...answer, endUsers };
}

/** After writes: "create and update responses use {id, ean, name}", and show the category's name. */
export function writtenLicenceAnswer(core: Core, licence: Licence) {
  const surroundings = surroundingsOf(core, [licence]);
  const namedBooks = booksOf(licence, surroundings).map(({ id, ean, title }) => ({ id, ean, name: title }));
  const answer = licenceAnswer(licence, surroundings, namedBooks);
  return { ...answer, licenseCategory: vocabularyOf(core.store).categories[licence.categoryId ?? ''] ?? null };
}
