/** Converts the classes and memberships of a roster to wanted classes. */
import { getOrSet, grouped } from '../../core/maps.js';
import { rowPlace } from '../../core/table/text-records.js';
import { valueProblems } from '../planner/check-fields.js';
import type { WantedClass } from '../want.js';
import { isHere, type Membership, type RosterClass } from './roster.js';
import { type Conversion, schoolIn, unknownSchool, type WantedPeople } from './want-people.js';

const placeOf = ({ file, line, row }: Membership): string => rowPlace(file, line, row);

/** The users of each class. */
function membersIn({ roster, map }: Conversion, { known, invalid }: WantedPeople) {
  const [added, removed] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const { findings, people, classes } = roster;
  /** Classes of which a membership cannot be used. */
  const partial = new Set(roster.gaps.classes);
  /** Where each class first occurs. */
  const places = new Map<string, Membership>();
  for (const membership of roster.memberships) {
    const { class: name, person, isGone } = membership;
    // The other system may keep the memberships of people and classes that it marks for deletion.
    if (!isGone && [people.get(person), classes.get(name)].some((one) => one?.state === 'gone')) continue;
    const mapped = map.get('user', person);
    const who = mapped?.ignore === true ? undefined : (known.get(person) ?? mapped?.id);
    const isUnknown = who === undefined && mapped === undefined && !people.has(person);
    if (isUnknown) findings.row(placeOf(membership), `person ${person} is neither in the roster nor in roster-map.csv`);
    if (invalid.has(person)) findings.leaveOut(placeOf(membership), 'person', people.get(person)?.at);
    if (isUnknown || invalid.has(person)) partial.add(name);
    else if (who !== undefined) {
      if (!places.has(name)) places.set(name, membership);
      getOrSet(isGone ? removed : added, name, () => new Set()).add(who);
    }
  }
  return { added, removed, partial, places };
}

/** Active classes that have the school, title and subject of another one, so that no name tells them apart. */
function repeatedClasses(conversion: Conversion, nameOf: (found: RosterClass) => string): ReadonlySet<string> {
  const { roster, map } = conversion;
  const { findings } = roster;
  const repeated = new Set<string>();
  const unmapped = [...roster.classes.values()].filter(
    ({ sourcedId, state }) => state === 'active' && map.get('class', sourcedId)?.ignore !== true,
  );
  for (const group of grouped(unmapped, (found) => [nameOf(found)]).values()) {
    const [first, ...others] = group;
    for (const { sourcedId, at } of others) {
      if (first === undefined || map.get('class', sourcedId)?.id !== undefined) continue;
      const what = 'the school, name and subject of';
      const hint = 'map both classes in roster-map.csv';
      findings.row(at, `has ${what} ${first.at}: ${hint}`);
      findings.skip(first.at, `${at} has its school, name and subject, too: ${hint}`);
      repeated.add(first.sourcedId).add(sourcedId);
    }
  }
  return repeated;
}

/** @returns the wanted classes, and the IDs of classes that are left alone */
export function wantClasses(conversion: Conversion, people: WantedPeople) {
  const { roster, map, rules } = conversion;
  const { classes, modes, hasUnknown, findings } = roster;
  const isBulk = modes.memberships === 'bulk';
  const { added, removed, partial, places } = membersIn(conversion, people);
  const wanted: WantedClass[] = [];
  const invalid = new Map<string, string>();
  const untouched = map.ids('class', true);

  function membersOf(sourcedId: string, school?: string): Partial<WantedClass> {
    const add = [...(added.get(sourcedId) ?? [])].sort();
    if (!isBulk) return { add, remove: [...(removed.get(sourcedId) ?? [])].sort() };
    if (partial.has(sourcedId) || hasUnknown || people.open.has(school ?? '')) return { add, addsOnly: true };
    return rules.leavers === 'unassign' ? { users: add } : { add, keepsLeavers: true };
  }

  /** Number of classes of one school and title: several are told apart by their subjects. */
  const titles = grouped(classes.values(), ({ school, title }) => [JSON.stringify([school, title.toLowerCase()])]);
  function subjectsOf({ sourcedId, school, title, subject: word }: RosterClass) {
    const isMapped = map.get('class', sourcedId)?.id !== undefined;
    const isOnly = titles.get(JSON.stringify([school, title.toLowerCase()]))?.length === 1;
    const newSubject = isMapped ? undefined : rules.defaultSubject;
    // An existing class keeps its subject.
    const own = rules.subjects.get(word?.toLowerCase() ?? '') ?? (isMapped ? undefined : word);
    return { subject: own ?? (isOnly ? undefined : newSubject), newSubject };
  }
  const repeated = repeatedClasses(conversion, (found) => {
    const { subject, newSubject } = subjectsOf(found);
    const school = schoolIn(conversion, found.school);
    const name = school.is === 'known' ? school.name : found.school;
    return JSON.stringify([name, found.title.toLowerCase(), subject ?? newSubject ?? '']);
  });

  function addClass(found: RosterClass): void {
    const { sourcedId, at, state, title } = found;
    const mapped = map.get('class', sourcedId);
    if (mapped?.ignore === true) return;
    if (state === 'gone') {
      findings.note('not deleted: a class that is marked for deletion (edu classes delete)', at);
      return;
    }
    const school = schoolIn(conversion, found.school);
    if (state === 'active' && school.is === 'unknown') findings.row(at, unknownSchool(found.school));
    const wrong = state === 'active' ? valueProblems('classes', { name: title }) : [];
    for (const message of wrong) findings.row(at, message);
    if (state !== 'active' || school.is !== 'known' || wrong.length > 0 || repeated.has(sourcedId)) {
      if (mapped?.id !== undefined) untouched.push(mapped.id);
      if (state === 'out') return;
      invalid.set(sourcedId, at);
      findings.leaveWith(at);
      return;
    }
    const { subject, newSubject } = subjectsOf(found);
    const subjects = subject === undefined ? { newSubject } : { subject };
    const members = membersOf(sourcedId, school.name);
    wanted.push({ at, id: mapped?.id, name: title, school: school.name, ...subjects, ...members });
  }

  for (const found of classes.values()) addClass(found);
  for (const sourcedId of new Set([...added.keys(), ...removed.keys()])) {
    const mapped = map.get('class', sourcedId);
    if (isHere(classes.get(sourcedId)) || mapped?.ignore === true) continue;
    const place = places.get(sourcedId);
    const at = place === undefined ? '' : placeOf(place);
    if (mapped?.id !== undefined) wanted.push({ at, id: mapped.id, ...membersOf(sourcedId) });
    else if (!classes.has(sourcedId))
      findings.row(at, `class ${sourcedId} is neither in the roster nor in roster-map.csv`);
  }
  for (const membership of invalid.size === 0 ? [] : roster.memberships) {
    const at = invalid.get(membership.class);
    if (at !== undefined) findings.leaveOut(placeOf(membership), 'class', at);
  }
  // Users leave a class that the other system no longer has, unless another one takes its place.
  const taken = new Set(wanted.map(({ id }) => id));
  for (const { kind, sourcedId, id, ignore } of isBulk && !hasUnknown && people.open.size === 0 ? map.rows : []) {
    if (kind !== 'class' || id === undefined || ignore || isHere(classes.get(sourcedId))) continue;
    if (taken.has(id) || partial.has(sourcedId)) continue;
    wanted.push({ at: `roster-map.csv, class ${sourcedId}`, id, optional: true, ...membersOf(sourcedId) });
  }
  return { wanted, untouched };
}
