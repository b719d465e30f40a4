/** Finds the people of a wanted state who are in none of the lists that were read. */
import type { Resolver, Wanted } from '../client/references/resolver.js';
import { nameForm, readReference } from '../client/references/spelling.js';
import { user } from '../contract/users.js';
import { type Actual, type ActualLicense, type ActualUser, byId, shownPeople } from './actual.js';
import type { Person, Want } from './want.js';
import type { Pair } from './want-columns.js';

/** Above this number of unknown people, the users of all organizations are listed instead of looked up individually. */
const MAX_LOOKUPS = 200;

type People = Pick<Actual, 'users' | 'elsewhere' | 'closest' | 'namesIn'>;

/** The pairs of references to users. */
export const personPairs = (want: Want): readonly Pair[] =>
  [...want.classes, ...want.licenses].flatMap(({ pairs = [] }) =>
    pairs.filter(({ field }) => field === 'users' || field === 'endUsers'),
  );

interface Finding {
  readonly resolver: Pick<Resolver, 'findMany'>;
  readonly namesIn?: Actual['namesIn'];
  /** The users of the organizations that were not read. */
  readonly others: () => Promise<readonly ActualUser[]>;
  /** IDs of holders of licences by address. */
  readonly holders: ReadonlyMap<string, string>;
  readonly get: (id: string) => Promise<ActualUser | undefined>;
}

/** The members of classes and holders of licences that a wanted state names. */
function* membersIn(want: Want): Generator<Person> {
  for (const { users = [], add = [], remove = [] } of want.classes) yield* [...users, ...add, ...remove];
  for (const { endUsers = [], addEndUsers = [] } of want.licenses) yield* [...endUsers, ...addEndUsers];
  for (const { also } of personPairs(want)) yield also;
}

/** Looks up people who are in none of the lists that were read. */
export async function findPeople(
  want: Want,
  read: Pick<Actual, 'users' | 'classes' | 'licenses'>,
  { others, resolver, namesIn, holders, get }: Finding,
): Promise<People> {
  const ids = new Set(read.users.map(({ id }) => id));
  const shown = new Set(shownPeople(read));
  const addresses = new Set(read.users.map(({ email }) => nameForm(email ?? '')));
  const isUnknown = (typed: Person): boolean => {
    const { only, text } = readReference(typed, [user]);
    return !shown.has(text) && !holders.has(text) && (only !== undefined || !addresses.has(nameForm(text)));
  };
  const newcomers = want.users.flatMap(({ id, email }) => (id === undefined && email !== undefined ? [email] : []));
  const unknown = (): readonly Person[] => [...new Set([...newcomers, ...membersIn(want)])].filter(isUnknown);
  const isStrange = want.users.some(({ id }) => id !== undefined && !ids.has(id));
  // Missing people may be users of another organization.
  const more = unknown().length > MAX_LOOKUPS || isStrange ? await others() : [];
  for (const { id, email } of more) {
    shown.add(id);
    addresses.add(nameForm(email ?? ''));
  }
  const left = unknown();
  const created = new Set(newcomers.map(nameForm));
  // Many new users are not looked up; their creation fails if an address is taken.
  const asked = left.length > MAX_LOOKUPS ? left.filter((text) => !created.has(nameForm(text))) : left;
  const wanted = asked.map((text): Wanted => ({ text, scope: { organization: namesIn } }));
  await resolver.findMany('user', wanted);
  for (const { error } of wanted) if (error !== undefined) throw error;
  const elsewhere = new Map<string, string | undefined>(holders);
  for (const { text, found } of wanted) elsewhere.set(text, found?.is === 'one' ? found.match.id : undefined);
  const closest = new Map(wanted.map(({ text, found }) => [text, found?.is === 'none' ? found.closest : []]));
  const exact = new Set(want.classes.flatMap(({ id, users }) => (users === undefined ? [] : (id ?? []))));
  const members = read.classes.flatMap(({ id, users }) => (exact.has(id) ? users : []));
  const removed = want.classes.flatMap(({ remove = [] }) => remove.map((typed) => readReference(typed, [user]).text));
  // An address that nobody has beside an ID is an error, unless the ID is that of an end user, who cannot be read.
  const paired = personPairs(want).flatMap(({ text, also }) =>
    isUnknown(also) && elsewhere.get(also) === undefined ? text : [],
  );
  // A plan names the users who leave a class.
  const leaving = [...members, ...removed, ...paired]
    .filter((id) => shown.has(id) && !ids.has(id))
    .slice(0, MAX_LOOKUPS);
  const namesakes = wanted.flatMap(({ found }) => (found?.is === 'several' ? found.matches.map(({ id }) => id) : []));
  const shownIds = new Set([...wanted.flatMap(({ text }) => elsewhere.get(text) ?? []), ...namesakes, ...leaving]);
  const found = await Promise.all([...shownIds].flatMap((id) => (ids.has(id) ? [] : get(id))));
  const all = [...read.users, ...more, ...found.filter((one) => one !== undefined)];
  return { users: byId(all), elsewhere, closest, namesIn };
}

/**
 * Adds holders from a licence's activations where `endUsers` is incomplete, and a row that names all holders, or one who
 * is not shown, needs them. A row without a key that names holders means each licence.
 */
export async function withHolders(
  want: Want,
  list: readonly ActualLicense[],
  { users: read, elsewhere }: People,
  activations: (id: string) => Promise<readonly string[]>,
): Promise<readonly ActualLicense[]> {
  if (list.length === 0) return list;
  const byEmail = new Map(read.map(({ id, email }) => [nameForm(email ?? ''), id]));
  const wanted = new Map(want.licenses.map((one) => [one.id ?? nameForm(one.code ?? ''), one]));
  const idOf = (one: Person): string => byEmail.get(nameForm(one)) ?? elsewhere.get(one) ?? one;
  return Promise.all(
    list.map(async (one) => {
      const held = new Set(one.holders);
      const row = wanted.get(one.id) ?? wanted.get(nameForm(one.code)) ?? wanted.get('');
      const isExact = row?.endUsers !== undefined;
      if (one.numberOfActivations <= held.size) return one;
      if (!isExact && (row?.addEndUsers ?? []).every((who) => held.has(idOf(who)))) return one;
      for (const id of await activations(one.id)) held.add(id);
      return { ...one, holders: [...held].sort() };
    }),
  );
}
