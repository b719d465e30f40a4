/** The large seed: 100,000 licences and 5,000 users. */
import { dayOf, daysLater } from '../dates.js';
import { DEFAULT_CATEGORY } from '../names/built-in-names.js';
import type { Licence, User } from '../store/records.js';
import { ORGANIZATIONS } from './cast.js';
import { crowdUser } from './crowd.js';
import { cycled, type SeededRandom } from './random.js';

export const LARGE_LICENCES = 100_000;
export const LARGE_USERS = 5_000;

/** Users of the distributor and the organizations it owns: 5,000 with the personas. */
export function* largeUsers(random: SeededRandom, personas: number): Generator<User> {
  const ours = ORGANIZATIONS.filter(({ id, ownerId }) => id === 'd1' || ownerId === 'd1').map(({ id }) => id);
  for (let number = 1; number <= LARGE_USERS - personas; number++) {
    // Two of three are in one school, so that its list has many pages.
    yield crowdUser(random, 100 + number, number % 3 === 0 ? cycled(ours, number) : 's1');
  }
}

/** Licences of the distributor, half of them for teachers. Codes are digits with leading zeros. */
export function* largeLicences(books: readonly string[], now: number): Generator<Licence> {
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
