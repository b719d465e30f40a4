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
function licenceAnswer<B, P>(
  licence: Licence,
  { organizations, books, people }: Referenced,
  bookAs: (book: Book) => B,
  personAs: (person: Person) => P,
) {
  const { id, name, code, type, expiration, maximumActivations, numberOfActivations } = licence;
  const answer = {
    id,
    name: blankIsNull(name),
    code: blankIsNull(code),
    type,
    books: licence.bookIds.flatMap((bookId) => books.get(bookId) ?? []).map(bookAs),
    expiration: expiration === null ? null : { ...expiration },
    maximumActivations,
    numberOfActivations,
    organization: referenceIn(organizations, licence.ownerId),
    // "id on input; the category name in create and update responses": the API document does not say what lists show.
    licenseCategory: licence.categoryId,
    endUsers: [...(people.get(id)?.values() ?? [])].map(personAs),
  };
  return asShown(answer, licence.shown);
}

const titled = ({ id, ean, title }: Book) => ({ id, ean: blankIsNull(ean), title: blankIsNull(title) });
const named = ({ id, ean, title }: Book) => ({ id, ean: blankIsNull(ean), name: blankIsNull(title) });
const unchanged = (person: Person): Person => person;

/** In lists: "list entries are {id, ean, title}". */
export function licencesAnswer(core: StoreContext, licences: readonly Licence[]) {
  const referenced = referencedBy(core, licences);
  return licences.map((licence) => licenceAnswer(licence, referenced, titled, unchanged));
}

/** By id and by code: "`language` is absent in the by-id and by-code responses". */
export const foundLicenceAnswer = (core: ServiceContext, licence: Licence) =>
  licenceAnswer(licence, referencedBy(core, [licence]), titled, ({ language, ...rest }) => rest);

/** After writes: "create and update responses use {id, ean, name}", and show the category's name. */
export function writtenLicenceAnswer(core: ServiceContext, licence: Licence) {
  const answer = licenceAnswer(licence, referencedBy(core, [licence]), named, unchanged);
  const name = valueAt(vocabularyOf(core.store).categories, licence.categoryId ?? '');
  return { ...answer, licenseCategory: name ?? null };
}
