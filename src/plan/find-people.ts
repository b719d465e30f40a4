/** Finds the people of a wanted state who are in none of the lists that were read. */
import type { Actual, ActualLicense, ActualUser } from './actual.js';
import type { Person, Want } from './want.js';

/** Above this number of unknown people, the users of all organizations are listed instead of looked up individually. */
const MAX_LOOKUPS = 200;

type People = Pick<Actual, 'users' | 'elsewhere'>;

interface Finding {
  /** The users of the organizations that were not read. */
  readonly others: () => Promise<readonly ActualUser[]>;
  readonly find: (email: string) => Promise<string | undefined>;
  readonly get: (id: string) => Promise<ActualUser | undefined>;
}

/** The people that a wanted state refers to: its users without ID, and the members of its classes and licences. */
function* peopleIn(want: Want): Generator<Person> {
  for (const { id, email } of want.users) if (id === undefined && email !== undefined) yield email;
  for (const { users = [], add = [], remove = [] } of want.classes) yield* [...users, ...add, ...remove];
  for (const { endUsers = [], addEndUsers = [] } of want.licenses) yield* [...endUsers, ...addEndUsers];
}

/** Looks up people who are in none of the lists that were read. */
export async function findPeople(
  want: Want,
  listed: readonly ActualUser[],
  { others, find, get }: Finding,
): Promise<People> {
  const emails = new Set(listed.map(({ email }) => email?.toLowerCase()));
  const ids = new Set(listed.map(({ id }) => id));
  const missing = (): readonly string[] => {
    const addresses = [...peopleIn(want)].filter((one) => one.includes('@') && !one.startsWith('id:') && !ids.has(one));
    return [...new Set(addresses.map((one) => one.toLowerCase()).filter((one) => !emails.has(one)))];
  };
  const isStrange = want.users.some(({ id }) => id !== undefined && !ids.has(id));
  // Missing people may be users of another organization.
  const more = missing().length > MAX_LOOKUPS || isStrange ? await others() : [];
  for (const { email } of more) emails.add(email?.toLowerCase());
  const left = missing();
  const created = new Set(left.length === 0 ? [] : want.users.map(({ email }) => email?.toLowerCase()));
  // Many new users are not looked up; their creation fails if an address is taken.
  const asked = left.length > MAX_LOOKUPS ? left.filter((one) => !created.has(one)) : left;
  const elsewhere = new Map(await Promise.all(asked.map(async (one) => [one, await find(one)] as const)));
  // The wanted state may move a user from an organization that was not read.
  const moved = await Promise.all(
    [...elsewhere].flatMap(([email, id]) => (id !== undefined && created.has(email) ? [get(id)] : [])),
  );
  return { users: [...listed, ...more, ...moved.filter((one) => one !== undefined)], elsewhere };
}

/** Adds holders from a licence's activations where `endUsers` is incomplete and decides whether the licence is assigned. */
export async function withHolders(
  want: Want,
  list: readonly ActualLicense[],
  { users: read, elsewhere }: People,
  activations: (id: string) => Promise<readonly string[]>,
): Promise<readonly ActualLicense[]> {
  if (list.length === 0) return list;
  const byEmail = new Map(read.map(({ id, email }) => [email?.toLowerCase(), id]));
  const wanted = new Map(
    want.licenses.map((one) => [one.id ?? one.code, [...(one.endUsers ?? []), ...(one.addEndUsers ?? [])]]),
  );
  const idOf = (one: Person): string => byEmail.get(one.toLowerCase()) ?? elsewhere.get(one.toLowerCase()) ?? one;
  return Promise.all(
    list.map(async (one) => {
      const held = new Set(one.holders);
      const people = wanted.get(one.id) ?? wanted.get(one.code) ?? [];
      if (one.numberOfActivations <= held.size || people.every((who) => held.has(idOf(who)))) return one;
      for (const id of await activations(one.id)) held.add(id);
      return { ...one, holders: [...held].sort() };
    }),
  );
}
