/** The demo seed and, on the same library, the large one: in which order the samples are made and stored. */
import type { Store } from '../store/store.js';
import { demoLogins, demoModifications, demoUsers } from './crowd.js';
import { largeLicences, largeUsers } from './large.js';
import { addFiles, sampleBooks, sampleReaders } from './library.js';
import { demoLicences } from './licenses.js';
import { seededRandom } from './random.js';
import { sampleClasses, sampleSubscriptions } from './school.js';

/** Each kind of sample has a generator of its own, so that a change to one leaves the others as they were. */
const START = 20_260_301;

function addLibrary(store: Store) {
  addFiles(store);
  const books = sampleBooks(seededRandom(START));
  store.books.insertMany(books);
  store.readers.insertMany(sampleReaders(seededRandom(START + 1)));
  return books;
}

/** Adds the samples that people and documentation start with. @param now milliseconds since 1970 */
export function fillDemo(store: Store, now: number): void {
  const books = addLibrary(store);
  const users = demoUsers(seededRandom(START + 2));
  store.users.insertMany(users);
  store.logins.insertMany(demoLogins(seededRandom(START + 3), users, now));
  store.modifications.insertMany(demoModifications(seededRandom(START + 4), users, now));
  const licences = demoLicences(seededRandom(START + 5), books, users, now);
  store.licences.insertMany(licences.map(({ licence }) => licence));
  store.activations.insertMany(licences.flatMap(({ activations }) => activations));
  const { classes, members } = sampleClasses(seededRandom(START + 6), users, now);
  store.classes.insertMany(classes);
  store.classMembers.insertMany(members);
  const { subscriptions, uses } = sampleSubscriptions(seededRandom(START + 7), users, now);
  store.subscriptions.insertMany(subscriptions);
  store.subscriptionUses.insertMany(uses);
}

/** Adds much of two things. @param now milliseconds since 1970 */
export function fillLarge(store: Store, now: number): void {
  const books = addLibrary(store);
  store.users.insertMany(largeUsers(seededRandom(START + 8), store.users.count({}) - 3));
  const ids = books.filter(({ organizationId }) => !organizationId.endsWith('9')).map(({ id }) => id);
  store.licences.insertMany(largeLicences(ids, now));
}
