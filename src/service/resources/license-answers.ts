/** Licences in responses, in three forms (service-api-v1.md, "Licence"): in lists, by ID and code, and after writes. */
import { getOrSet } from '../../core/maps.js';
import { referenceIn } from '../access.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import { valueAt, vocabularyOf } from '../names/vocabulary.js';
import type { ServiceContext, StoreContext } from '../service-context.js';
import type { Book, Licence } from '../store/records.js';
import { type Person, personOf } from './person-answers.js';

function peopleWith({ store }: StoreContext, licences: readonly Licence[]) {
  const activated = licences.filter(({ numberOfActivations }) => numberOfActivations > 0).map(({ id }) => id);
  const activations = store.activations.allIn('licenceId', activated);
  const users = store.users.many(activations.map(({ userId }) => userId));
  const people = new Map<string, Map<string, Person>>();
  for (const { licenceId, userId } of activations) {
    const user = users.get(userId);
    if (user !== undefined) getOrSet(people, licenceId, () => new Map()).set(userId, personOf(user));
  }
  return people;
}

function referencedBy(core: StoreContext, licences: readonly Licence[]) {
  const { store } = core;
  return {
    books: store.books.many(licences.flatMap(({ bookIds }) => bookIds)),
    organizations: store.organizations.many(licences.map(({ ownerId }) => ownerId)),
    /** The users who have activated a licence, by the licence's ID, in the order of activation. */
    people: peopleWith(core, licences),
  };
}

type Referenced = ReturnType<typeof referencedBy>;

/** The fields of every form, in the API document's order; the entries of `books` and `endUsers` differ. */
function licenceAnswer<B, P>(licence: Licence, { organizations }: Referenced, books: B[], endUsers: P[]) {
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
    // "id on input; the category name in create and update responses": the API document does not say what lists show.
    licenseCategory: licence.categoryId,
    endUsers,
  };
  return asShown(answer, licence.shown);
}

const booksOf = ({ bookIds }: Licence, { books }: Referenced): Book[] => bookIds.flatMap((id) => books.get(id) ?? []);

const peopleOf = ({ id }: Licence, { people }: Referenced): Person[] => [...(people.get(id)?.values() ?? [])];

const titledBooks = (licence: Licence, referenced: Referenced) =>
  booksOf(licence, referenced).map(({ id, ean, title }) => ({
    id,
    ean: blankIsNull(ean),
    title: blankIsNull(title),
  }));

/** In lists: "list entries are {id, ean, title}". */
export function licencesAnswer(core: StoreContext, licences: readonly Licence[]) {
  const referenced = referencedBy(core, licences);
  return licences.map((licence) =>
    licenceAnswer(licence, referenced, titledBooks(licence, referenced), peopleOf(licence, referenced)),
  );
}

/** By id and by code: "`language` is absent in the by-id and by-code responses". */
export function foundLicenceAnswer(core: ServiceContext, licence: Licence) {
  const referenced = referencedBy(core, [licence]);
  const endUsers = peopleOf(licence, referenced).map(({ language, ...rest }) => rest);
  return licenceAnswer(licence, referenced, titledBooks(licence, referenced), endUsers);
}

/** After writes: "create and update responses use {id, ean, name}", and show the category's name. */
export function writtenLicenceAnswer(core: ServiceContext, licence: Licence) {
  const referenced = referencedBy(core, [licence]);
  const namedBooks = booksOf(licence, referenced).map(({ id, ean, title }) => ({
    id,
    ean: blankIsNull(ean),
    name: blankIsNull(title),
  }));
  const answer = licenceAnswer(licence, referenced, namedBooks, peopleOf(licence, referenced));
  const name = valueAt(vocabularyOf(core.store).categories, licence.categoryId ?? '');
  return { ...answer, licenseCategory: name ?? null };
}
