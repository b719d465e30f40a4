/** Plans classes and their members. */
import { plural } from '../../core/plural.js';
import type { ActualClass, Named } from '../actual.js';
import { type Draft, neededBy, type PlanOptions, type Ref, type Section } from '../steps.js';
import type { Person, Want, WantedClass } from '../want.js';
import { findNamed, type KnownOrganization, type Lookup, sectionOf } from './lookup.js';
import { leavers, untouchedUsers } from './users.js';

interface Planning {
  readonly lookup: Lookup;
  readonly draft: Draft;
  readonly options: PlanOptions;
  /** IDs of users who stay in their classes. */
  readonly untouched: ReadonlySet<string>;
  /** The first row of each class, for duplicates. */
  readonly rows: Map<string, string>;
}

/** A class whose members are planned: an existing one, or one that a step creates. */
interface Target {
  readonly ref: Ref;
  readonly name: string;
  readonly section: Section;
  readonly present: ActualClass | undefined;
}

type Found = ActualClass | undefined | { readonly problem: string };

/** The school of a class: the given one, else the caller's own. */
function schoolOf({ school }: WantedClass, { lookup }: Planning): KnownOrganization | string {
  if (school !== undefined) return lookup.organization(school, 'School');
  const { own } = lookup.actual;
  const organization = own.type === 'School' ? lookup.organizationById(own.id) : undefined;
  return organization ?? 'the class names no school: add a column school';
}

const several = (found: readonly ActualClass[], name: string): { readonly problem: string } => ({
  problem: `${found.length} active classes are called ${JSON.stringify(name)}: add a column id (${found.map(({ id }) => id).join(', ')})`,
});

/** Finds the active class of a row. */
function present(
  { name = '', subject }: WantedClass,
  schoolId: string,
  subjectId: string | undefined,
  { lookup }: Planning,
): Found {
  const named = lookup.classesNamed(schoolId, name);
  const found = subject === undefined ? named : named.filter((one) => one.subjectId === subjectId);
  return found.length > 1 ? several(found, name) : found[0];
}

/** The ID of the subject of a class; adds a fault if it does not exist. */
function subjectOf({ at, subject }: WantedClass, { lookup, draft }: Planning): string | undefined {
  if (subject === undefined) return undefined;
  const found = findNamed(subject, lookup.actual.subjects, 'subject');
  if (typeof found !== 'string') return found.id;
  draft.fault(at, found);
  return undefined;
}

const subjectNamed = (id: string, { actual }: Lookup): Named =>
  actual.subjects.find((one) => one.id === id) ?? { id, name: id };

/** Whether an earlier row has the same class, which is a fault. @param key the class's key */
function isRepeated(key: string, at: string, { rows, draft }: Planning): boolean {
  const first = rows.get(key);
  if (first === undefined) rows.set(key, at);
  else draft.fault(at, `names the same class as ${first}`);
  return first !== undefined;
}

function create(
  wanted: WantedClass,
  school: KnownOrganization,
  subjectId: string | undefined,
  planning: Planning,
): Target | undefined {
  const { lookup, draft, options } = planning;
  const { at, name = '', subject } = wanted;
  if (options.only === 'remove') return undefined;
  if (subjectId === undefined) {
    if (subject === undefined) draft.fault(at, `${name} does not exist, and to create it its subject must be given`);
    return undefined;
  }
  if (isRepeated(JSON.stringify([school.ref, subjectId, name]), at, planning)) return undefined;
  const section = sectionOf(school);
  const ref = draft.add({
    verb: 'create',
    resource: 'classes',
    key: name,
    section,
    before: null,
    after: { name, subject: subjectNamed(subjectId, lookup), school: school.ref },
    needs: neededBy(school.ref),
    reversible: true,
  });
  return { ref, name, section, present: undefined };
}

function update(
  wanted: WantedClass,
  one: ActualClass,
  subjectId: string | undefined,
  section: Section,
  { lookup, draft }: Planning,
): void {
  const before = { name: one.name, subject: subjectNamed(one.subjectId, lookup) };
  const after = { name: wanted.name ?? one.name, subject: subjectNamed(subjectId ?? one.subjectId, lookup) };
  if (before.name === after.name && before.subject.id === after.subject.id) return;
  draft.add({
    verb: 'update',
    resource: 'classes',
    key: one.name,
    id: one.id,
    section,
    before,
    after,
    reversible: true,
  });
}

/** Finds, updates or creates the class of a row. */
function targetOf(wanted: WantedClass, planning: Planning): Target | undefined {
  const { lookup, draft } = planning;
  const { at, id, name = '', optional } = wanted;
  const subjectId = subjectOf(wanted, planning);
  if (id !== undefined) {
    const one = lookup.classById(id);
    if (one === undefined) {
      if (optional) return undefined;
      draft.fault(at, `no active class with the ID ${id} is in the schools that were read`);
      return undefined;
    }
    if (wanted.users !== undefined && isRepeated(id, at, planning)) return undefined;
    const section = one.schoolId === '' ? { id: null, name: '' } : lookup.section(one.schoolId);
    update(wanted, one, subjectId, section, planning);
    return { ref: { id }, name: wanted.name ?? one.name, section, present: one };
  }
  const school = schoolOf(wanted, planning);
  if (typeof school === 'string') {
    draft.fault(at, school);
    return undefined;
  }
  const section = sectionOf(school);
  const hidden = 'id' in school.ref ? lookup.actual.hiddenSchools.get(school.ref.id) : undefined;
  if (hidden !== undefined) {
    draft.conflict({
      resource: 'classes',
      key: name,
      section,
      why: `${hidden}; a column id names the class without a list`,
    });
    return undefined;
  }
  if (wanted.subject !== undefined && subjectId === undefined) return undefined;
  const one = 'id' in school.ref ? present(wanted, school.ref.id, subjectId, planning) : undefined;
  if (one !== undefined && 'problem' in one) {
    draft.conflict({ resource: 'classes', key: name, section, why: one.problem });
    return undefined;
  }
  if (one === undefined) return create(wanted, school, subjectId, planning);
  if (wanted.users !== undefined && isRepeated(one.id, at, planning)) return undefined;
  return { ref: { id: one.id }, name: one.name, section, present: one };
}

/** The users of a list; unknown ones become conflicts. */
function peopleOf(
  texts: readonly Person[],
  { name, section }: Target,
  { lookup, draft }: Planning,
): ReadonlyMap<string, Ref> {
  const people = new Map<string, Ref>();
  for (const text of texts) {
    const ref = lookup.person(text);
    if (ref !== undefined) people.set('id' in ref ? ref.id : `step ${ref.step}`, ref);
    else
      draft.conflict({ resource: 'members', key: `${name}  ${text}`, section, why: 'no user has this e-mail address' });
  }
  return people;
}

function planMembers(wanted: WantedClass, target: Target, gone: ReadonlySet<string>, planning: Planning): void {
  const { lookup, draft, options, untouched } = planning;
  const { name, section, present: one } = target;
  const before = new Set(one?.users ?? []);
  const exact = wanted.users === undefined ? undefined : peopleOf(wanted.users, target, planning);
  const added = new Map([...(exact ?? []), ...peopleOf(wanted.add ?? [], target, planning)]);
  const removed = new Set(peopleOf(wanted.remove ?? [], target, planning).keys());
  const texts = [...(wanted.users ?? []), ...(wanted.add ?? [])];
  const names = new Map(
    texts
      .map((text) => [lookup.person(text), text] as const)
      .flatMap(([ref, text]) => (ref === undefined ? [] : [[JSON.stringify(ref), text] as const])),
  );
  if (one !== undefined) draft.manages('members', section, before.size);
  const step = (verb: 'assign' | 'unassign', user: Ref): void => {
    const who = lookup.personName(user, names.get(JSON.stringify(user)) ?? ('id' in user ? user.id : ''));
    const is = { class: target.ref, user };
    draft.add({
      verb,
      resource: 'members',
      key: `${name}  ${who}`,
      section,
      before: verb === 'assign' ? null : is,
      after: verb === 'assign' ? is : null,
      needs: neededBy(target.ref, user),
      reversible: true,
    });
  };
  if (options.only !== 'remove')
    for (const [id, user] of added) if (!before.has(id) && !removed.has(id) && !gone.has(id)) step('assign', user);
  if (options.only === 'add') return;
  const leaving = [...before].filter(
    (id) => !untouched.has(id) && (removed.has(id) || gone.has(id) || (exact !== undefined && !added.has(id))),
  );
  for (const id of leaving) step('unassign', { id });
  if (leaving.length > 0) draft.leaving.push({ from: name, count: leaving.length, of: before.size });
}

/** Deletes the classes that the wanted state does not contain, in the schools that it contains. */
function prune(want: Want, kept: ReadonlySet<string>, planning: Planning): void {
  const { lookup, draft } = planning;
  const schools = new Set(
    want.classes.flatMap((wanted) => {
      const school = schoolOf(wanted, planning);
      return typeof school !== 'string' && 'id' in school.ref ? [school.ref.id] : [];
    }),
  );
  for (const { id, name, subjectId, schoolId, users } of lookup.actual.classes) {
    if (kept.has(id) || !schools.has(schoolId)) continue;
    draft.add({
      verb: 'delete',
      resource: 'classes',
      key: name,
      id,
      section: lookup.section(schoolId),
      before: { name, subject: subjectNamed(subjectId, lookup), users: users.length },
      after: null,
      reversible: false,
      why: `with ${plural(users.length, 'user')}`,
    });
  }
}

/** Plans the classes of a wanted state and their members, including users who leave all classes. */
export function planClasses(want: Want, lookup: Lookup, draft: Draft, options: PlanOptions): void {
  const untouched = untouchedUsers(lookup, options);
  const planning: Planning = { lookup, draft, options, untouched, rows: new Map() };
  const gone = leavers(want, lookup, options);
  for (const id of new Set(lookup.actual.classes.map(({ schoolId }) => schoolId))) {
    const count = lookup.actual.classes.filter(({ schoolId }) => schoolId === id).length;
    if (want.classes.length > 0) draft.manages('classes', lookup.section(id), count);
  }
  const targets = want.classes.map((wanted) => [wanted, targetOf(wanted, planning)] as const);
  const kept = new Set(options.untouched?.classes);
  for (const [wanted, target] of targets) {
    if (target === undefined) continue;
    if ('id' in target.ref) kept.add(target.ref.id);
    planMembers(wanted, target, gone, planning);
  }
  const others = new Set([...gone].flatMap((id) => lookup.classesOf(id)).filter(({ id }) => !kept.has(id)));
  for (const one of others) {
    const target: Target = { ref: { id: one.id }, name: one.name, section: lookup.section(one.schoolId), present: one };
    planMembers({ at: '' }, target, gone, planning);
  }
  if (options.prune.has('classes')) prune(want, kept, planning);
}
