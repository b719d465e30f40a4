/** Converts the people of a roster to wanted users. */
import { getOrSet } from '../../core/maps.js';
import { valueProblems } from '../planner/check-fields.js';
import type { Untouched } from '../steps.js';
import type { WantedUser } from '../want.js';
import { isHere, type Roster, type RosterPerson } from './roster.js';
import type { RosterMap } from './roster-map.js';

export interface RosterRules {
  /** Roles of the service by role of the roster; other roles are not changed. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Template for people without an address, such as `{username}@school.example`. */
  readonly email: string | undefined;
  /** Subjects of the service by subject of the roster, in lower case. */
  readonly subjects: ReadonlyMap<string, string>;
  readonly defaultSubject: string | undefined;
  /** Whether people who are no longer in the roster leave their classes. */
  readonly leavers: 'unassign' | 'keep';
  /** Whether people lose the roles in `roles` that the roster does not give them. */
  readonly takesRoles: boolean;
}

export interface Conversion {
  readonly roster: Roster;
  readonly map: RosterMap;
  readonly rules: RosterRules;
}

/** What the placeholders of an address template stand for, by their names in OneRoster and in a plain list. */
const PLACEHOLDERS = {
  username: 'username',
  identifier: 'identifier',
  sourcedId: 'sourcedId',
  givenName: 'firstName',
  familyName: 'lastName',
  firstName: 'firstName',
  lastName: 'lastName',
} as const satisfies Record<string, keyof RosterPerson>;

const MEMBERS = new Map(Object.entries(PLACEHOLDERS).map(([name, member]) => [name.toLowerCase(), member]));

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What is wrong with an address template; undefined if it gives different people different addresses. */
export function templateProblem(template: string): string | undefined {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = names.find((name) => !MEMBERS.has(name.toLowerCase()));
  const known = Object.keys(PLACEHOLDERS).map((name) => `{${name}}`);
  if (unknown !== undefined) return `has an unknown placeholder {${unknown}}; use ${known.join(', ')}`;
  if (names.length === 0) return `needs a placeholder such as {username}, not ${JSON.stringify(template)}`;
  return template.includes('@') ? undefined : `must be an e-mail address, not ${JSON.stringify(template)}`;
}

/** A person's address, else one from the template; undefined if a placeholder has no value. */
export function addressOf(person: RosterPerson, template: string | undefined): string | undefined {
  if (person.email !== undefined || template === undefined) return person.email;
  let isWhole = true;
  const address = template.replace(PLACEHOLDER, (_, name: string) => {
    const member = MEMBERS.get(name.toLowerCase());
    const text = (member && person[member]) ?? '';
    if (text === '') isWhole = false;
    return text;
  });
  return isWhole ? address.toLowerCase() : undefined;
}

export interface WantedPeople {
  readonly users: WantedUser[];
  /** ID or e-mail address in the service by person. */
  readonly known: Map<string, string | undefined>;
  /** People whose rows cannot be used. */
  readonly invalid: Set<string>;
  /** Users, by ID or e-mail address, who stay in their classes. */
  readonly untouched: string[];
  readonly unidentified: Untouched['people'][number][];
  /** IDs or names of schools that have people. */
  readonly present: Set<string>;
  /** Those in which nobody is removed, because a row that cannot be used may mean anyone, with the first such row. */
  readonly open: Map<string, string>;
}

/**
 * The ID or name of a school.
 * @returns `ignored` for one that the map excludes, `unknown` for one without name and ID, `invalid` if its row has a problem
 */
export function schoolIn({ roster, map }: Conversion, sourcedId = '') {
  const mapped = map.get('school', sourcedId);
  if (mapped?.ignore === true) return { is: 'ignored' } as const;
  const found = roster.schools.get(sourcedId);
  if (found?.state === 'invalid') return { is: 'invalid' } as const;
  const name = mapped?.id ?? found?.name ?? '';
  return name === '' ? ({ is: 'unknown' } as const) : ({ is: 'known', name } as const);
}

export const unknownSchool = (sourcedId: string | undefined): string =>
  `school ${sourcedId ?? '(blank)'} has no name in the roster and no ID in roster-map.csv`;

/** Reports people who share an address: siblings with that of a parent are never taken for one user. */
function sharedAddresses({ roster: { people, findings }, map, rules }: Conversion): ReadonlySet<string> {
  const shared = new Set<string>();
  const first = new Map<string, RosterPerson>();
  for (const person of people.values()) {
    const email = addressOf(person, rules.email);
    const isUsed = isHere(person) && person.state !== 'out';
    if (email === undefined || !isUsed || map.get('user', person.sourcedId)?.ignore === true) continue;
    const before = first.get(email.toLowerCase());
    if (before === undefined) first.set(email.toLowerCase(), person);
    else {
      findings.row(person.at, `has the e-mail address of ${before.at}: ${email}`);
      findings.skip(before.at, `its e-mail address is that of ${person.at}, too: ${email}`);
      shared.add(before.sourcedId).add(person.sourcedId);
    }
  }
  return shared;
}

export function wantPeople(conversion: Conversion): WantedPeople {
  const { roster, map, rules } = conversion;
  const { schools, people, findings } = roster;
  const managed = [...new Set([...rules.roles.values()].flat())];
  const shared = sharedAddresses(conversion);
  const result: WantedPeople = {
    users: [],
    known: new Map(),
    invalid: new Set(),
    untouched: map.ids('user', true),
    unidentified: [],
    present: new Set(),
    open: new Map(),
  };
  const all = [...schools.keys()].flatMap((sourcedId) => {
    const school = schoolIn(conversion, sourcedId);
    return school.is === 'known' ? [school.name] : [];
  });

  /** Keeps the user of a person who is not wanted in their classes. */
  function protect(person: RosterPerson, email: string | undefined, school?: string): void {
    const { sourcedId, at, firstName, lastName } = person;
    const user = map.get('user', sourcedId)?.id ?? email;
    if (user !== undefined) result.untouched.push(user);
    else if (!result.invalid.has(sourcedId) && firstName !== undefined && lastName !== undefined)
      result.unidentified.push({ organization: school, firstName, lastName });
    else for (const one of school === undefined ? all : [school]) getOrSet(result.open, one, () => at);
  }

  function add(person: RosterPerson): void {
    const { sourcedId, at, state, firstName, lastName } = person;
    const mapped = map.get('user', sourcedId);
    const email = addressOf(person, rules.email);
    if (mapped?.ignore === true) {
      if (mapped.id === undefined && email !== undefined) result.untouched.push(email);
      return;
    }
    const school = schoolIn(conversion, person.school);
    if (school.is === 'ignored') return;
    const organization = school.is === 'known' ? school.name : undefined;
    if (state === 'out') {
      protect(person, email, organization);
      return;
    }
    if (state === 'active' && person.school === undefined && mapped?.id === undefined) {
      findings.note('left out: a person without a school', at);
      protect(person, email);
      return;
    }
    const hasPlace = person.school !== undefined;
    if (hasPlace && state !== 'invalid' && school.is === 'unknown') findings.row(at, unknownSchool(person.school));
    const wrong = state === 'active' ? valueProblems('users', { firstName, lastName, email }) : [];
    for (const message of wrong) findings.row(at, message);
    const isUnplaced = hasPlace && organization === undefined;
    if (state === 'invalid' || isUnplaced || wrong.length > 0 || shared.has(sourcedId)) {
      result.invalid.add(sourcedId);
      findings.leaveWith(at);
      if (state !== 'gone') protect(person, email, organization);
      return;
    }
    if (state !== 'gone' && organization !== undefined) result.present.add(organization);
    const id = mapped?.id;
    const isMapped = id !== undefined;
    if (id === undefined && email === undefined) {
      findings.note('left out: a person without an e-mail address', at);
      if (state !== 'gone') protect(person, email, organization);
    } else if (state === 'gone') {
      if (rules.leavers === 'unassign') result.users.push({ at, id, email, organization, isMapped, leaves: true });
    } else {
      result.known.set(sourcedId, id ?? email);
      const roles = rules.roles.get(person.role);
      const managedRoles = roles !== undefined && rules.takesRoles ? managed : undefined;
      const knownOnly = firstName === undefined || lastName === undefined || undefined;
      result.users.push({ at, id, email, firstName, lastName, organization, roles, managedRoles, knownOnly, isMapped });
    }
  }

  for (const person of people.values()) add(person);
  for (const sourcedId of roster.gaps.people) {
    const person = people.get(sourcedId);
    const user = map.get('user', sourcedId)?.id ?? (person && addressOf(person, rules.email));
    if (user !== undefined) result.untouched.push(user);
  }
  return result;
}
