/** The demo seed and the large seed, which share books and readers. */
import type { Store } from '../store/store.js';
import { demoLogins, demoModifications, demoUsers } from './crowd.js';
import { largeLicences, largeUsers } from './large.js';
import { addFiles, sampleBooks, sampleReaders } from './library.js';
import { seededRandom } from './random.js';
import { demoLicences } from './sample-licenses.js';
import { sampleClasses, sampleSubscriptions } from './school.js';

/** Each kind of sample has its own random seed, so that changing one kind leaves the others unchanged. */
const RANDOM_SEED = 20_260_301;

function addLibrary(store: Store) {
  addFiles(store);
  const books = sampleBooks(seededRandom(RANDOM_SEED));
  store.books.insertMany(books);
  store.readers.insertMany(sampleReaders(seededRandom(RANDOM_SEED + 1)));
  return books;
}

/** By seed; `now` is in milliseconds since 1970. */
export const FILLS = {
  demo(store: Store, now: number): void {
    const books = addLibrary(store);
    const users = demoUsers(seededRandom(RANDOM_SEED + 2));
    store.users.insertMany(users);
    store.logins.insertMany(demoLogins(seededRandom(RANDOM_SEED + 3), users, now));
    store.modifications.insertMany(demoModifications(seededRandom(RANDOM_SEED + 4), users, now));
    const { licences, activations } = demoLicences(seededRandom(RANDOM_SEED + 5), books, users, now);
    store.licences.insertMany(licences);
    store.activations.insertMany(activations);
    const { classes, members } = sampleClasses(seededRandom(RANDOM_SEED + 6), users, now);
    store.classes.insertMany(classes);
    store.classMembers.insertMany(members);
    const { subscriptions, uses } = sampleSubscriptions(seededRandom(RANDOM_SEED + 7), users, now);
    store.subscriptions.insertMany(subscriptions);
    store.subscriptionUses.insertMany(uses);
  },
  large(store: Store, now: number): void {
    const books = addLibrary(store);
    store.users.insertMany(largeUsers(seededRandom(RANDOM_SEED + 8), store.users.count({}) - 3));
    const ids = books.filter(({ organizationId }) => !organizationId.endsWith('9')).map(({ id }) => id);
    store.licences.insertMany(largeLicences(ids, now));
  },
};
