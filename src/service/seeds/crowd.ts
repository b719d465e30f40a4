/** Sample users: staff, teachers and pupils of the organizations, and end users. */
import type { Language } from '../../contract/shared.js';
import { dayOf, daysLater } from '../dates.js';
import type { Login, Modification, User } from '../store/records.js';
import { ORGANIZATIONS, ROLES, sampleUser } from './cast.js';
import cast from './cast.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import type { SeededRandom } from './random.js';

/** With the users of `cast.json` in each organization, the demo seed has 300. */
const END_USERS = 20;

/** ASCII letters of a name for an e-mail address; the fallback for names in other scripts. */
function addressPart(name: string, fallback: string): string {
  const ascii = name
    .normalize('NFD')
    .replace(/[^A-Za-z-]/g, '')
    .toLowerCase();
  return ascii === '' || ascii === '-' ? fallback : ascii;
}

function nameFor(random: SeededRandom): Pick<User, 'firstName' | 'lastName' | 'language'> {
  const { first, last, language } = random.pick(people);
  return { firstName: random.pick(first), lastName: random.pick(last), language: language as Language };
}

const ROLE_IDS: ReadonlyMap<string, readonly string[]> = new Map(
  ORGANIZATIONS.map(({ id }) => [id, ROLES.filter((role) => role.organizationId === id).map((role) => role.id)]),
);

/** @param number counts all users; makes the id and the address unique */
export function crowdUser(random: SeededRandom, number: number, organizationId: string): User {
  const name = nameFor(random);
  const roleIds = ROLE_IDS.get(organizationId) ?? [];
  const local = `${addressPart(name.firstName, 'user')}.${addressPart(name.lastName, String(number))}`;
  return sampleUser({
    ...name,
    // Leading zeros, so that a client that reads ids as numbers fails.
    id: String(number).padStart(10, '0'),
    email: `${local}.${number}@${organizationId}.example.org`,
    avatarUrl: random.percent(15) ? `/avatars/${String(number).padStart(10, '0')}.png` : null,
    organizationId,
    // Some users of schools were created by the school itself.
    creatorId: organizationId.startsWith('s') && random.percent(25) ? organizationId : 'd1',
    roleIds: random.percent(8) ? [] : random.some(roleIds, random.percent(10) ? 2 : 1),
  });
}

/** An end user; two of three have verified their address. */
function endUser(random: SeededRandom, index: number): User {
  const name = nameFor(random);
  // Above 2^53, so that a client that reads ids as numbers fails.
  const id = `90071992547409${String(index).padStart(4, '0')}`;
  const local = `${addressPart(name.firstName, 'reader')}.${index}`;
  return sampleUser({
    ...name,
    id,
    kind: 'endUser',
    email: `${local}@home.example.net`,
    verified: index % 3 !== 0,
    organizationId: null,
  });
}

/** The users of the demo seed apart from the personas. */
export function demoUsers(random: SeededRandom): User[] {
  let number = 100;
  const users = Object.entries(cast.userCounts).flatMap(([organizationId, count]) =>
    Array.from({ length: count }, () => crowdUser(random, ++number, organizationId)),
  );
  return [...users, ...Array.from({ length: END_USERS }, (_, index) => endUser(random, index + 1))];
}

/** Last logins of these users: some on both devices, some on none. */
export function demoLogins(random: SeededRandom, users: readonly User[], now: number): Login[] {
  const hour = 60 * 60_000;
  return users.flatMap(({ id: userId }) =>
    (['web', 'iPad'] as const)
      .filter((device) => random.percent(device === 'web' ? 80 : 35))
      .map((device) => ({ id: `${userId}/${device}`, userId, device, at: now - hour * (1 + random.below(24 * 60)) })),
  );
}

/** Modifications of these users today, yesterday and in the week before. */
export function demoModifications(random: SeededRandom, users: readonly User[], now: number): Modification[] {
  return random.some(users, 24).map((user, index) => {
    const at = daysLater(now, -(index < 4 ? 0 : index < 14 ? 1 : 2 + random.below(6)));
    return {
      id: `m${String(index + 1).padStart(4, '0')}`,
      userId: user.id,
      creatorId: user.creatorId,
      at,
      day: dayOf(at),
      field: 'lastName',
      oldValue: `${user.lastName} (old)`,
      newValue: user.lastName,
      byUserId: 'u1',
    };
  });
}
