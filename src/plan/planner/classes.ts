/** Plans classes and their members. */
import { nameForm } from '../../client/references/spelling.js';
import { plural } from '../../core/plural.js';
import { type ActualClass, stateOf, unlistedIn, writableOf } from '../actual.js';
import { isEqual } from '../items.js';
import type { Ref } from '../steps.js';
import type { Person, Want, WantedClass } from '../want.js';
import type { Draft } from './draft.js';
import { leavers } from './users.js';
import { ambiguous, idIn, idOf, type KnownOrganization, type References } from './want-references.js';

type Planning = ReturnType<typeof leavers> & {
  readonly lookup: References;
  readonly draft: Draft;
  /** The subjects that rows with IDs give to classes, by the ID of the class. */
  readonly subjects: Map<string, string>;
  /** IDs of classes that are not pruned: those that rows name, or may mean, and untouched ones. */
  readonly kept: Set<string>;
};

/** A class whose members are planned: an existing one, or one that a step creates. */
interface Target {
  readonly ref: Ref;
  readonly name: string;
  /** Its school, if it is known. */
  readonly of: Ref | undefined;
  readonly present: ActualClass | undefined;
}

/** The school of a class: the given one, else the organization of items without one. */
function schoolOf({ school }: WantedClass, { lookup, draft }: Planning): KnownOrganization | string {
  if (school !== undefined) return lookup.organization(school, 'School');
  const { id, type } = draft.options.organization;
  const organization = type === 'School' ? lookup.organizations.get(id) : undefined;
  return organization ?? 'the class names no school: give it in the column school';
}

function create(
  wanted: WantedClass,
  school: KnownOrganization,
  subjectId: string | undefined,
  planning: Planning,
): Target | undefined {
  const { draft } = planning;
  const { at, name = '', subject, newSubject = subject } = wanted;
  const needed = 'newSubject' in wanted ? 'its subject (or --default-subject)' : 'its subject';
  const key = JSON.stringify([school.ref, subjectId, nameForm(name)]);
  if (draft.options.only === 'remove' || draft.lacks(at, name, { [needed]: newSubject })) return undefined;
  if (subjectId === undefined || draft.repeats(at, 'classes', key)) return undefined;
  const after = { name, subjectId, schoolId: school.ref };
  const ref = draft.add({ verb: 'create', resource: 'classes', after });
  return { ref, name, of: school.ref, present: undefined };
}

/** Adds a fault if a class that a row names by its ID is not in the school of the row. @returns whether it is not */
function isElsewhere({ at, school }: WantedClass, { id, schoolId }: ActualClass, { lookup, draft }: Planning): boolean {
  if (school === undefined) return false;
  const found = lookup.organization(school, 'School');
  // If the caller may not list schools, the ID of the class is enough.
  const isListed = unlistedIn(lookup.actual, 'schools') === '';
  if (typeof found === 'string') return isListed && draft.found(at, found) === undefined;
  if (found.ref === schoolId) return false;
  // The response for a single class need not contain its school, but that of the row was listed.
  if (schoolId === '' && lookup.actual.hiddenSchools.has(found.id ?? '')) return false;
  draft.fault(at, `class ${id} is not in school ${found.name}`);
  return true;
}

function targetById(wanted: WantedClass, id: string, subjectId: string | undefined, planning: Planning) {
  const { lookup, draft } = planning;
  const { at, optional, add, users: members = add } = wanted;
  const one = lookup.classes.get(id);
  if (one === undefined) {
    const [hidden] = lookup.actual.hiddenSchools.values();
    const why = hidden === undefined ? '' : `; ${hidden}, so only its ID names a class`;
    if (!optional) draft.fault(at, `no active class has the ID ${id}${why}`);
    return undefined;
  }
  if (optional && draft.isNamed('classes', id)) return undefined;
  if (isElsewhere(wanted, one, planning)) return undefined;
  if (members !== undefined && draft.repeats(at, 'classes', id)) return undefined;
  const { name = one.name } = wanted;
  const [before, after] = [writableOf('classes', one), { name, subjectId: subjectId ?? one.subjectId }];
  planning.subjects.set(id, after.subjectId);
  const of = one.schoolId || undefined;
  if (!isEqual(before, after)) draft.update({ resource: 'classes', key: one.name, id, of, before, after });
  return { ref: id, name, of, present: one };
}

function targetOf(wanted: WantedClass, planning: Planning): Target | undefined {
  const { lookup, draft, subjects, kept } = planning;
  const { at, id, name = '', subject, newSubject, add, users: members = add } = wanted;
  const idOfSubject = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : draft.found(at, lookup.subject(text))?.id;
  const subjectId = idOfSubject(subject);
  if (id !== undefined) return targetById(wanted, id, subjectId, planning);
  const school = draft.found(at, schoolOf(wanted, planning));
  if (school === undefined) return undefined;
  function conflict(why: string, meant: readonly ActualClass[] = []): undefined {
    for (const each of meant) kept.add(each.id);
    draft.conflict({ resource: 'classes', key: name, of: school?.ref, why });
  }
  const schoolId = school.id;
  const hidden = lookup.actual.hiddenSchools.get(schoolId ?? '');
  if (hidden !== undefined) return conflict(`${hidden}; a column id names the class without a list`);
  if (subject !== undefined && subjectId === undefined) return undefined;
  const named = schoolId === undefined ? [] : lookup.classesNamed(schoolId, name);
  const newId = subjectId ?? idOfSubject(newSubject);
  const fitting = named.filter((each) => (subjects.get(each.id) ?? each.subjectId) === newId);
  const alike = subject === undefined && fitting.length === 0 ? named : fitting;
  const exact = alike.filter((each) => isEqual(each.name, name));
  const same = exact.length === 0 ? alike : exact;
  const [one] = same;
  const [namesake] = named;
  // Where subjects may not be listed, the text may be the name of the subject of this class.
  if (one === undefined && namesake !== undefined && subject === subjectId && lookup.actual.subjects === undefined)
    return conflict(
      `exists with the subject ${namesake.subjectId}, and you may not list subjects: write id:${subject} if that is an ID`,
      named,
    );
  if (one === undefined) return create(wanted, school, newId, planning);
  if (same.length > 1) return conflict(ambiguous(same, `active classes are called ${JSON.stringify(name)}`), same);
  if (members !== undefined && draft.repeats(at, 'classes', one.id)) return undefined;
  return { ref: one.id, name: one.name, of: one.schoolId, present: one };
}

/** The users of a list; unknown ones become conflicts. @param school ID of the school whose users are meant by name */
function peopleOf(
  texts: readonly Person[] = [],
  { name, of }: Target,
  school: string | undefined,
  { lookup, draft }: Planning,
) {
  const people = new Map<string, Ref>();
  let unknown = 0;
  for (const text of texts) {
    const ref = lookup.person(text, school);
    if (ref !== undefined) people.set(typeof ref === 'string' ? ref : `step ${ref.step}`, ref);
    else {
      unknown++;
      draft.conflict({ resource: 'members', key: `${name}  ${text}`, of, why: lookup.whyUnknown(text, school) });
    }
  }
  return { people, unknown };
}

function planMembers(wanted: Omit<WantedClass, 'at'>, target: Target, planning: Planning): void {
  const { draft, untouched, gone } = planning;
  const { only } = draft.options;
  const { ref: classId, name, of, present: one } = target;
  const before = new Set(one?.users ?? []);
  const school = wanted.school === undefined ? undefined : idOf(of);
  const listed = [...(wanted.users ?? []), ...(wanted.add ?? [])];
  const { people: added, unknown } = peopleOf(listed, target, school, planning);
  const { people: removed } = peopleOf(wanted.remove, target, school, planning);
  if (one !== undefined) draft.manages(one);
  if (only !== 'remove')
    for (const [id, userId] of added)
      if (!before.has(id) && !gone.has(id))
        draft.add({ verb: 'assign', resource: 'members', after: { classId, userId } });
  if (only === 'add' || wanted.addsOnly) return;
  const others = wanted.keepsLeavers ? planning.wantedUsers.get(idOf(of)) : undefined;
  const isAbsent = (id: string): boolean =>
    !added.has(id) && (wanted.users !== undefined || removed.has(id) || others?.has(id) === true);
  const leaving = [...before].filter((id) => !untouched.has(id) && (gone.has(id) || isAbsent(id)));
  if (leaving.length === 0) return;
  if (unknown > 0) {
    // A user who is not found may be one who would leave.
    const why = `keeps ${plural(leaving.length, 'user')} who would leave: its list has unknown users`;
    draft.conflict({ resource: 'members', key: name, id: one?.id ?? null, of, why });
    return;
  }
  for (const userId of leaving) draft.add({ verb: 'unassign', resource: 'members', before: { classId, userId } });
}

/** Deletes the classes that the wanted state does not contain, in the schools that it contains. */
function prune(want: Want, planning: Planning): void {
  const { lookup, draft, kept } = planning;
  const schools = new Set(want.classes.map((wanted) => idIn(schoolOf(wanted, planning))));
  for (const one of lookup.actual.classes)
    if (!kept.has(one.id) && schools.has(one.schoolId)) {
      draft.manages(one);
      draft.add({ verb: 'delete', resource: 'classes', id: one.id, before: stateOf('classes', one) });
    }
}

/** Plans the classes of a wanted state and their members, including users who leave all classes. */
export function planClasses(want: Want, draft: Draft): void {
  const { lookup, options } = draft;
  const kept = new Set(options.untouched?.classes);
  const planning: Planning = { lookup, draft, subjects: new Map(), kept, ...leavers(want, draft) };
  const { gone, staying, organizations } = planning;
  // A rename leaves the present name to a class that is created after it.
  const rank = ({ id, optional }: WantedClass): number => (id === undefined || optional ? 1 : 0);
  const rows = [...want.classes].sort((a, b) => rank(a) - rank(b));
  const targets = rows.map((wanted) => [wanted, targetOf(wanted, planning)] as const);
  for (const [wanted, target] of targets) {
    if (target === undefined) continue;
    draft.check('classes', wanted);
    if (typeof target.ref === 'string') kept.add(target.ref);
    planMembers(wanted, target, planning);
  }
  const others = new Set([...gone].flatMap((id) => lookup.classesOf(id)).filter(({ id }) => !kept.has(id)));
  for (const one of others) planMembers({}, { ref: one.id, name: one.name, of: one.schoolId, present: one }, planning);
  if (options.prune.has('classes')) prune(want, planning);
  draft.unnamed = lookup.actual.classes.filter(
    ({ id, schoolId, users }) => organizations.has(schoolId) && !kept.has(id) && users.some((one) => staying.has(one)),
  );
}
