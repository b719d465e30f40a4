/** Converts a roster to a wanted state. */
import { getOrSet, grouped } from '../../core/maps.js';
import { compareText } from '../../core/sort/compare-text.js';
import { suggestions } from '../../core/suggest.js';
import type { Untouched } from '../steps.js';
import { NOTHING_WANTED, type WantedClass, type WantedUser } from '../want.js';
import { Findings, type Roster, type RosterClass, type RosterPerson } from './roster.js';
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
function addressOf(person: RosterPerson, template: string | undefined): string | undefined {
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

const classKey = ({ school, name, subject, id }: WantedClass): string =>
  JSON.stringify([school ?? '', name ?? '', subject ?? '', id ?? '']);

/** Notes words of a map that the roster does not use, if they look like misspelled ones that it uses. */
function noteUnused(
  flag: string,
  map: ReadonlyMap<string, unknown>,
  used: ReadonlySet<string>,
  findings: Findings,
): void {
  const others = [...used].filter((word) => word !== '' && !map.has(word));
  for (const word of map.keys()) {
    const meant = used.has(word) ? undefined : suggestions(word, others)[0];
    if (meant !== undefined) findings.note(`${flag} ${word}`, `the roster has only ${meant}`);
  }
}

export function wantOfRoster(roster: Roster, map: RosterMap, rules: RosterRules) {
  const findings = new Findings();
  const { schools, people, classes, memberships, modes } = roster;
  /** ID or name of a school; undefined for one that the map excludes. */
  function schoolOf(sourcedId: string | undefined, where: string): string | undefined {
    const mapped = map.get('school', sourcedId ?? '');
    if (mapped?.ignore === true) return undefined;
    const school = mapped?.id ?? schools.get(sourcedId ?? '')?.name;
    if (school === undefined)
      findings.problem(where, `school ${sourcedId ?? '(blank)'} is neither in the roster nor in roster-map.csv`);
    return school;
  }

  /** ID or e-mail address in the service by person. */
  const known = new Map<string, string | undefined>();
  const users: WantedUser[] = [];
  const addresses = new Map<string, string>();
  const untouchedUsers = map.ids('user', true);
  const unidentified: Untouched['people'][number][] = [];
  /** Schools that have people. */
  const present = new Set<string>();
  const managed = [...new Set([...rules.roles.values()].flat())];
  const roleWords = new Set([...people.values()].map(({ role }) => role));
  noteUnused('--role-map', rules.roles, roleWords, findings);
  const subjectWords = new Set([...classes.values()].map(({ subject }) => subject?.toLowerCase() ?? ''));
  noteUnused('--subject-map', rules.subjects, subjectWords, findings);
  for (const person of people.values()) {
    const mapped = map.get('user', person.sourcedId);
    const email = addressOf(person, rules.email);
    if (mapped?.ignore === true) {
      if (mapped.id === undefined && email !== undefined) untouchedUsers.push(email);
      continue;
    }
    const organization = schoolOf(person.school, person.at);
    if (organization === undefined) continue;
    if (!person.isGone) present.add(organization);
    const id = mapped?.id;
    if (id === undefined && email === undefined) {
      findings.note('left out: a person without an e-mail address', person.at);
      if (!person.isGone) unidentified.push({ organization, firstName: person.firstName, lastName: person.lastName });
      continue;
    }
    const before = email === undefined ? undefined : addresses.get(email.toLowerCase());
    if (before !== undefined) findings.problem(person.at, `has the e-mail address of ${before}: ${email}`);
    if (email !== undefined) addresses.set(email.toLowerCase(), person.at);
    if (person.isGone) {
      if (rules.leavers === 'unassign') users.push({ at: person.at, id, email, organization, leaves: true });
      continue;
    }
    known.set(person.sourcedId, id ?? email);
    const roles = rules.roles.get(person.role);
    const managedRoles = roles !== undefined && rules.takesRoles ? managed : undefined;
    const { firstName, lastName } = person;
    users.push({ at: person.at, id, email, firstName, lastName, organization, roles, managedRoles });
  }

  const reference = (sourcedId: string): string | undefined => {
    const mapped = map.get('user', sourcedId);
    return mapped?.ignore === true ? undefined : (known.get(sourcedId) ?? mapped?.id);
  };
  const isBulk = modes.memberships === 'bulk';
  const added = new Map<string, Set<string>>();
  const removed = new Map<string, Set<string>>();
  /** Where each class first occurs. */
  const places = new Map<string, string>();
  for (const { class: name, person, at: where, isGone } of memberships) {
    const who = reference(person);
    if (who === undefined) {
      if (!people.has(person) && map.get('user', person) === undefined)
        findings.problem(where, `person ${person} is neither in the roster nor in roster-map.csv`);
      continue;
    }
    if (!places.has(name)) places.set(name, where);
    getOrSet(isGone ? removed : added, name, () => new Set()).add(who);
  }

  function membersOf(sourcedId: string): Pick<WantedClass, 'users' | 'add' | 'remove' | 'keepsLeavers'> {
    const add = added.get(sourcedId) ?? new Set();
    if (isBulk && rules.leavers === 'unassign') return { users: [...add].sort() };
    if (isBulk) return { add: [...add].sort(), keepsLeavers: true };
    const others = [...(removed.get(sourcedId) ?? [])];
    return { add: [...add].sort(), remove: others.filter((who) => !add.has(who)).sort() };
  }

  /** Number of classes of one school and title: several are told apart by their subjects. */
  const titles = grouped(classes.values(), ({ school, title }) => [JSON.stringify([school, title.toLowerCase()])]);
  const wantedClasses: WantedClass[] = [];
  const names = new Map<string, string>();
  function addClass(found: RosterClass): void {
    const mapped = map.get('class', found.sourcedId);
    if (mapped?.ignore === true) return;
    if (found.isGone) {
      findings.note('not deleted: a class that is marked for deletion (edu classes delete)', found.at);
      return;
    }
    const school = schoolOf(found.school, found.at);
    if (school === undefined) return;
    const chosen = rules.subjects.get(found.subject?.toLowerCase() ?? '');
    const isOnly = titles.get(JSON.stringify([found.school, found.title.toLowerCase()]))?.length === 1;
    const newSubject = mapped?.id === undefined ? rules.defaultSubject : undefined;
    // An existing class keeps its subject.
    const own = chosen ?? (mapped?.id === undefined ? found.subject : undefined);
    const subject = own ?? (isOnly ? undefined : newSubject);
    const name = JSON.stringify([school, found.title.toLowerCase(), subject ?? newSubject ?? '']);
    const before = names.get(name);
    if (before !== undefined && mapped?.id === undefined)
      findings.problem(found.at, `has the school, name and subject of ${before}: map both classes in roster-map.csv`);
    names.set(name, found.at);
    const subjects = subject === undefined ? { newSubject } : { subject };
    const members = membersOf(found.sourcedId);
    wantedClasses.push({ at: found.at, id: mapped?.id, name: found.title, school, ...subjects, ...members });
  }
  for (const found of classes.values()) addClass(found);
  for (const sourcedId of new Set([...added.keys(), ...removed.keys()])) {
    if (classes.has(sourcedId)) continue;
    const mapped = map.get('class', sourcedId);
    if (mapped?.ignore === true) continue;
    const where = places.get(sourcedId) ?? '';
    if (mapped?.id === undefined)
      findings.problem(where, `class ${sourcedId} is neither in the roster nor in roster-map.csv`);
    else wantedClasses.push({ at: where, id: mapped.id, ...membersOf(sourcedId) });
  }
  // Users leave a class that the other system no longer has, if it is in a school of the roster.
  for (const { kind, sourcedId, id, ignore } of isBulk ? map.rows : []) {
    if (kind !== 'class' || id === undefined || ignore || classes.has(sourcedId)) continue;
    wantedClasses.push({ at: `roster-map.csv, class ${sourcedId}`, id, optional: true, ...membersOf(sourcedId) });
  }
  return {
    want: {
      ...NOTHING_WANTED,
      // Sorted, so that the order of the rows does not matter.
      users: users.sort((a, b) => compareText(a.id ?? a.email ?? '', b.id ?? b.email ?? '')),
      classes: wantedClasses.sort((a, b) => compareText(classKey(a), classKey(b))),
    },
    /** IDs or names of schools whose absent users leave their classes. */
    complete: isBulk && modes.people === 'bulk' && rules.leavers === 'unassign' ? [...present].sort() : [],
    untouched: { users: untouchedUsers, classes: map.ids('class', true), people: isBulk ? unidentified : [] },
    ...{ problems: findings.problems, notes: findings.notes },
  };
}
