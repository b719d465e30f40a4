/** Finds the people of a wanted state who are in none of the lists that were read. */
import { type Actual, type ActualLicense, type ActualUser, shownPeople } from './actual.js';
import type { Person, Want } from './want.js';

/** Above this number of unknown people, the users of all organizations are listed instead of looked up individually. */
const MAX_LOOKUPS = 200;

type People = Pick<Actual, 'users' | 'elsewhere'>;

interface Finding {
  /** The users of the organizations that were not read. */
  readonly others: () => Promise<readonly ActualUser[]>;
  readonly find: (email: string) => Promise<string | undefined>;
  readonly get: (id: string) => Promise<ActualUser | undefined>;
  /** Whether any person has an ID that `get` does not return. */
  readonly exists: (id: string) => Promise<boolean>;
}

/** The members of classes and holders of licences that a wanted state names. */
function* membersIn(want: Want): Generator<Person> {
  for (const { users = [], add = [], remove = [] } of want.classes) yield* [...users, ...add, ...remove];
  for (const { endUsers = [], addEndUsers = [] } of want.licenses) yield* [...endUsers, ...addEndUsers];
}

/** E-mail addresses contain an at sign; an ID that does is in a list or has the prefix. */
const isAddress = (text: Person): boolean => text.includes('@') && !text.startsWith('id:');

/** Looks up people who are in none of the lists that were read. */
export async function findPeople(
  want: Want,
  read: Pick<Actual, 'users' | 'classes' | 'licenses'>,
  { others, find, get, exists }: Finding,
): Promise<People> {
  const listed = read.users;
  const emails = new Set(listed.map(({ email }) => email?.toLowerCase()));
  const ids = new Set(listed.map(({ id }) => id));
  const shown = new Set(shownPeople(read));
  const newcomers = want.users.flatMap(({ id, email }) => (id === undefined && email !== undefined ? [email] : []));
  const unknown = (texts: Iterable<Person>): readonly string[] =>
    [...new Set(texts)].filter((text) => !emails.has(text.toLowerCase()) && !shown.has(text.replace(/^id:/, '')));
  const missing = (): { readonly addresses: readonly string[]; readonly strangers: readonly string[] } => {
    const members = unknown(membersIn(want));
    const addresses = [...unknown(newcomers), ...members].filter(isAddress).map((text) => text.toLowerCase());
    const strangers = members.filter((text) => !isAddress(text)).map((text) => text.replace(/^id:/, ''));
    return { addresses: [...new Set(addresses)], strangers: [...new Set(strangers)] };
  };
  const first = missing();
  const isStrange = want.users.some(({ id }) => id !== undefined && !ids.has(id));
  // Missing people may be users of another organization.
  const more = first.addresses.length + first.strangers.length > MAX_LOOKUPS || isStrange ? await others() : [];
  for (const { id, email } of more) {
    emails.add(email?.toLowerCase());
    shown.add(id);
  }
  const { addresses, strangers } = missing();
  const created = new Set(addresses.length === 0 ? [] : want.users.map(({ email }) => email?.toLowerCase()));
  // Many new users are not looked up; their creation fails if an address is taken.
  const asked = addresses.length > MAX_LOOKUPS ? addresses.filter((one) => !created.has(one)) : addresses;
  const elsewhere = new Map(await Promise.all(asked.map(async (one) => [one, await find(one)] as const)));
  const isThere = async (id: string, user: ActualUser | undefined): Promise<boolean> =>
    user !== undefined || exists(id);
  const unlisted = [...[...elsewhere.values()].filter((id) => id !== undefined), ...strangers];
  const found = new Map(await Promise.all(unlisted.map(async (id) => [id, await get(id)] as const)));
  await Promise.all(
    strangers.map(async (id) => elsewhere.set(id, (await isThere(id, found.get(id))) ? id : undefined)),
  );
  return { users: [...listed, ...more, ...[...found.values()].filter((one) => one !== undefined)], elsewhere };
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
