/** The demo seed and the large seed, which share books and readers. */
import { dayOf, daysLater } from '../dates.js';
import { DEFAULT_CATEGORY } from '../names/vocabulary.js';
import type { Licence, User } from '../store/records.js';
import type { Store } from '../store/store.js';
import { ORGANIZATIONS } from './cast.js';
import { crowdUser, demoLogins, demoModifications, demoUsers } from './crowd.js';
import { addFiles, sampleBooks, sampleReaders } from './library.js';
import { cycled, type SeededRandom, seededRandom } from './random.js';
import { demoLicences } from './sample-licenses.js';
import { sampleClasses, sampleSubscriptions } from './school.js';

const LARGE_LICENCES = 100_000;
const LARGE_USERS = 5_000;

/** Users of the distributor and the organizations it owns: 5,000 with the personas. */
function* largeUsers(random: SeededRandom, personas: number): Generator<User> {
  const ours = ORGANIZATIONS.filter(({ id, ownerId }) => id === 'd1' || ownerId === 'd1').map(({ id }) => id);
  for (let number = 1; number <= LARGE_USERS - personas; number++) {
    // Two of three are in one school, so that its list has many pages.
    yield crowdUser(random, 100 + number, number % 3 === 0 ? cycled(ours, number) : 's1');
  }
}

/** Licences of the distributor, half of them for teachers. Codes are digits with leading zeros. */
function* largeLicences(books: readonly string[], now: number): Generator<Licence> {
  const date = dayOf(daysLater(now, 200));
  for (let number = 1; number <= LARGE_LICENCES; number++) {
    const forTeachers = number % 2 === 0;
    yield {
      id: String(number).padStart(8, '0'),
      name: `Licence ${number}`,
      code: String(number * 7).padStart(9, '0'),
      type: forTeachers ? 'Teacher' : 'Books',
      bookIds: forTeachers ? [] : [cycled(books, number)],
      expiration: number % 3 === 0 ? { type: 'Days', days: 365, date: null } : { type: 'Date', days: null, date },
      maximumActivations: 30,
      numberOfActivations: 0,
      ownerId: 'd1',
      creatorId: 'd1',
      categoryId: DEFAULT_CATEGORY,
      cancelled: false,
    };
  }
}

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
