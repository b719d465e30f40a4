/** Sample licences of both types with their activations: some expired, used up, cancelled or never activated. */
import { LICENCE_DAYS } from '../../contract/licenses.js';
import { dayOf, daysLater, endOfDay } from '../dates.js';
import { DEFAULT_CATEGORY, LICENCE_CATEGORIES } from '../names/vocabulary.js';
import { endOfActivation } from '../resources/license-rules.js';
import type { Activation, Book, Expiration, Licence, User } from '../store/records.js';
import { OUR_SCHOOLS } from './cast.js';
import wellKnown from './licenses.json' with { type: 'json' };
import { cycled, type SeededRandom } from './random.js';

/** Licences of the distributor; every fifth is for teachers. */
const OURS = 250;

const CODE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

function expirationFor(random: SeededRandom, type: Licence['type'], now: number): Expiration | null {
  if (type === 'Teacher' && random.percent(50)) return null;
  if (random.percent(55)) return { type: 'Days', days: random.pick(LICENCE_DAYS), date: null };
  return { type: 'Date', days: null, date: dayOf(daysLater(now, random.below(900) - 250)) };
}

/** Licences 00000001 … 00000250 of the distributor, some of others, and unseen ones, one with the code `taken01`. */
export function demoLicences(random: SeededRandom, books: readonly Book[], users: readonly User[], now: number) {
  const licences: Licence[] = [];
  const activations: Activation[] = [];
  const seen = new Set<string>(wellKnown.codes);
  const newCode = (): string => {
    for (;;) {
      const code = random.text(CODE_LETTERS, 8 + random.below(5));
      if (!seen.has(code)) return seen.add(code) && code;
    }
  };
  /** Adds activations by different users, oldest first. */
  const activate = (licence: Licence, holders: readonly User[], count: number): void => {
    const end = licence.expiration?.date;
    const latest = (end ? Math.min(now, endOfDay(end)) : now) - 60_000;
    const times = Array.from({ length: count }, () => latest - random.below(400 * 24 * 60) * 60_000);
    times.sort((one, other) => one - other);
    for (const [index, { id: userId }] of random.some(holders, count).entries()) {
      const id = `a${String(activations.length + 1).padStart(6, '0')}`;
      const createdAt = times[index] ?? latest;
      const expiresAt = endOfActivation(licence, createdAt);
      activations.push({ id, licenceId: licence.id, userId, createdAt, expiresAt });
    }
  };
  const add = (number: number, creatorId: string, ownerId: string, code: string): void => {
    const type = number % 5 === 0 ? 'Teacher' : 'Books';
    const own = books.filter(({ organizationId }) =>
      creatorId === 'd1' ? !organizationId.endsWith('9') : organizationId === (creatorId === 'd2' ? 'p9' : creatorId),
    );
    const usable = own.length > 0 ? own : books.filter(({ organizationId }) => organizationId === 'd1');
    const maximumActivations = number === 1 ? 30 : random.pick([1, 1, 5, 25, 30, 30, 100, 500]);
    const count = number === 2 ? 0 : random.percent(45) ? Math.min(maximumActivations, 1 + random.below(12)) : 0;
    const licence: Licence = {
      id: String(number).padStart(8, '0'),
      name:
        number === 1
          ? 'Welcome'
          : `${random.pick(wellKnown.names)} ${random.percent(60) ? String(number).padStart(3, '0') : ''}`.trim(),
      code,
      type,
      bookIds: type === 'Books' ? random.some(usable, random.pick([1, 1, 1, 2, 3])).map(({ id }) => id) : [],
      expiration: number === 1 ? { type: 'Days', days: 365, date: null } : expirationFor(random, type, now),
      maximumActivations,
      numberOfActivations: 0,
      ownerId,
      creatorId,
      categoryId: random.percent(70) ? DEFAULT_CATEGORY : random.pick(Object.keys(LICENCE_CATEGORIES)),
      cancelled: number > 10 && random.percent(4),
    };
    const holders = users.filter(({ organizationId }) =>
      ownerId === 'd1' ? OUR_SCHOOLS.includes(organizationId ?? '') : organizationId === ownerId,
    );
    const before = activations.length;
    activate(licence, holders, number === 1 ? 7 : count);
    licences.push({ ...licence, numberOfActivations: activations.length - before });
  };
  for (let index = 0; index < OURS; index++) {
    // Licences created for a school belong to it: the distributor lists them but may not read them by id.
    const owner = index >= 20 && index % 9 === 4 ? cycled(OUR_SCHOOLS, index) : 'd1';
    add(index + 1, 'd1', owner, wellKnown.codes[index] ?? newCode());
  }
  const creators = ['p1', 'p1', 'p1', 'p1', 'p2', 'p2', 'p3', 's1', 's1', 's1'];
  for (const [index, creator] of creators.entries()) add(1001 + index, creator, creator, newCode());
  for (let index = 0; index < 5; index++) add(9001 + index, 'd2', 'd2', index === 0 ? 'taken01' : newCode());
  return { licences, activations };
}
