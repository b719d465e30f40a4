/** Matches schools, people and classes of a roster with those of the service. */
import { nameForm } from '../../client/references/spelling.js';
import { fold } from '../../core/fold.js';
import type { Actual, ActualUser } from '../actual.js';
import { NOTHING_WANTED, type Want } from '../want.js';
import { isHere, type Roster, type RosterPerson, type RosterState } from './roster.js';
import { type MapRow, type RosterMap, rosterMap } from './roster-map.js';

/** A possible match: a user with the same name in the same school. */
export interface Proposal {
  readonly row: MapRow;
  readonly person: RosterPerson;
  readonly user: ActualUser;
}

/** Whether the roster says something about an item. */
const isUsed = (state: RosterState): boolean => state === 'active' || state === 'gone';

/** A wanted state that covers the people and classes of a roster's schools, so that they are read. */
export function wantToMatch({ schools }: Roster, map: RosterMap): Want {
  const names = [...schools.values()].flatMap(({ sourcedId, name }) => {
    const mapped = map.get('school', sourcedId);
    return mapped?.ignore === true ? [] : [mapped?.id ?? name];
  });
  const all = [...new Set([...names, ...map.ids('school', false)])];
  return {
    ...NOTHING_WANTED,
    users: all.map((organization) => ({ at: '', organization })),
    classes: all.map((school) => ({ at: '', school })),
  };
}

/** Items by key; undefined for a key that several items share. */
function onlyOne<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T | undefined> {
  const found = new Map<string, T | undefined>();
  for (const item of items) {
    const key = keyOf(item);
    found.set(key, found.has(key) ? undefined : item);
  }
  return found;
}

/**
 * Matches people by e-mail address or identifier, schools and classes by name, and proposes people of the same name.
 * @returns rows of the map, then new ones; a later row replaces an earlier one. Of each kind the matched and all items
 */
export function matchRoster(roster: Roster, map: RosterMap, actual: Actual) {
  // A row without an ID is matched again.
  const isOpen = (row: MapRow | undefined): boolean => row === undefined || (row.id === undefined && !row.ignore);
  const rows: MapRow[] = [...map.rows];
  const proposals: Proposal[] = [];
  const { modes } = roster;
  /** Whether a row keeps its item from being matched again: not if the other system no longer has the person or class. */
  function holds({ kind, sourcedId, ignore }: MapRow): boolean {
    if (ignore || kind === 'school') return true;
    const [mode, items] =
      kind === 'class' ? [modes.memberships, roster.classes] : ([modes.people, roster.people] as const);
    return mode !== 'bulk' || items.get(sourcedId)?.state === 'active';
  }
  const taken = new Set(
    map.rows.flatMap((row) => (row.id === undefined || !holds(row) ? [] : [`${row.kind} ${row.id}`])),
  );
  const add = (kind: MapRow['kind'], sourcedId: string, id: string, key: string): void => {
    rows.push({ kind, sourcedId, id, key, ignore: false });
    taken.add(`${kind} ${id}`);
  };

  const schoolIds = new Map<string | undefined, string>();
  for (const { kind, sourcedId, id } of map.rows)
    if (kind === 'school' && id !== undefined) schoolIds.set(sourcedId, id);
  const schools = actual.organizations.filter(({ type }) => type === 'School');
  const byName = onlyOne(schools, ({ name }) => nameForm(name));
  const bySchoolId = onlyOne(schools, ({ id }) => id);
  for (const { sourcedId, name } of roster.schools.values()) {
    const mapped = map.get('school', sourcedId);
    const found = mapped?.id ?? byName.get(nameForm(name))?.id ?? bySchoolId.get(name)?.id;
    if (found === undefined) continue;
    schoolIds.set(sourcedId, found);
    if (isOpen(mapped)) add('school', sourcedId, found, name);
  }

  const byEmail = onlyOne(actual.users, ({ email }) => nameForm(email ?? ''));
  const byId = onlyOne(actual.users, ({ id }) => id);
  // Compares names without accents, which other systems often omit; the user confirms the proposals.
  const nameKey = (school: string | undefined, { firstName, lastName }: RosterPerson | ActualUser): string =>
    JSON.stringify([school, fold(firstName ?? ''), fold(lastName ?? '')]);
  const byPerson = onlyOne(actual.users, (user) => nameKey(user.organization.id, user));
  const isFree = (user: ActualUser | undefined): user is ActualUser =>
    user !== undefined && !taken.has(`user ${user.id}`);
  const unmatched: RosterPerson[] = [];
  // The other system may have replaced a person by one of a new ID, and mark the old one for deletion.
  const people = [...roster.people.values()].sort((a, b) => Number(isHere(b)) - Number(isHere(a)));
  for (const person of people) {
    const { sourcedId, email, identifier, state } = person;
    if (!isUsed(state) || !isOpen(map.get('user', sourcedId))) continue;
    const addressed = email === undefined ? undefined : byEmail.get(nameForm(email));
    const user = addressed ?? byId.get(identifier ?? '');
    if (isFree(user)) add('user', sourcedId, user.id, user.email ?? email ?? '');
    else unmatched.push(person);
  }
  for (const person of unmatched) {
    const user = byPerson.get(nameKey(schoolIds.get(person.school), person));
    // Deltas may refer to people without an account; the row makes them known.
    const open = { kind: 'user', sourcedId: person.sourcedId, id: undefined, key: '', ignore: false } as const;
    if (person.email === undefined && map.get('user', person.sourcedId) === undefined) rows.push(open);
    if (isFree(user)) proposals.push({ row: { ...open, id: user.id, key: user.email ?? '' }, person, user });
  }

  const titleKey = (school: string | undefined, title: string): string => JSON.stringify([school, nameForm(title)]);
  const byTitle = onlyOne(actual.classes, ({ schoolId, name }) => titleKey(schoolId, name));
  const classes = [...roster.classes.values()].filter(({ state }) => isUsed(state));
  const titles = onlyOne(classes, ({ school, title }) => titleKey(school, title));
  for (const { sourcedId, school, title } of classes) {
    const isOnly = titles.get(titleKey(school, title)) !== undefined;
    const found = byTitle.get(titleKey(schoolIds.get(school), title));
    const isNew = found !== undefined && !taken.has(`class ${found.id}`);
    if (isNew && isOnly && isOpen(map.get('class', sourcedId))) add('class', sourcedId, found.id, title);
  }

  const known = rosterMap(rows);
  function matched(kind: MapRow['kind'], items: ReadonlyMap<string, { readonly state: RosterState }>) {
    const ids = [...items].flatMap(([sourcedId, { state }]) => (isUsed(state) ? [sourcedId] : []));
    return [ids.filter((sourcedId) => !isOpen(known.get(kind, sourcedId))).length, ids.length] as const;
  }
  return {
    rows,
    proposals,
    schools: matched('school', roster.schools),
    people: matched('user', roster.people),
    classes: matched('class', roster.classes),
  };
}
