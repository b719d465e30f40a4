/** A plan as people see it: derived from the requests of its steps and from what the service has. */

import type { Field } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { plural } from '../../core/plural.js';
import { type Actual, shownPeople, stateOf } from '../actual.js';
import { endpointOf, isEqual, isSeen } from '../items.js';
import { whyNotBack } from '../planner/check-fields.js';
import type { Conflict, Fields, ManagedClasses, Step, StepVerb, Subject } from '../steps.js';
import { KEYS, type Plannable } from '../want-columns.js';
import { createNames, isStep, type Names, type Section, stepsIn } from './names.js';
import { OPEN, type Standing, standingOf } from './step-standing.js';

/** A step or a conflict. */
export interface Entry {
  readonly verb: StepVerb | 'none';
  readonly resource: Subject;
  /** Name, code or e-mail address. */
  readonly key: string;
  readonly section: Section;
  readonly standing: Standing;
  /** The fields that it changes; for a new item, those that identify it best. */
  readonly detail: string;
  /** All other fields of a new item. */
  readonly more: string;
  readonly why: string;
  /** The service sends an e-mail with a password. */
  readonly mails: boolean;
}

export interface StepView extends Entry {
  readonly step: Step;
  readonly reversible: boolean;
  /** Numbers of the steps that come first. */
  readonly needs: readonly number[];
}

/** Number of users who leave a class, and of all its users. */
export interface Leaving {
  readonly from: string;
  readonly count: number;
  readonly of: number;
}

export interface PlanView {
  readonly hash: string;
  readonly steps: readonly StepView[];
  readonly conflicts: readonly (Entry & Pick<Conflict, 'id'>)[];
  readonly leaving: readonly Leaving[];
  readonly managed: readonly ManagedClasses[];
  readonly actual: Actual;
}

/** The field of a created item that is shown beside its key. */
const DETAILS: Partial<Record<Subject, string>> = {
  users: 'roles',
  classes: 'subjectId',
  licenses: 'name',
  schools: 'city',
};

function describeValue(value: unknown, field: Partial<Field>, organization: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  const shown = (inner: unknown, of: Partial<Field>): string => describeValue(inner, of, organization, names);
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => shown(one, field.of ?? {})).join(', ');
  if (field.refersTo !== undefined && (isStep(value) || !isObject(value)))
    return names.nameOf(value, field, organization);
  if (!isObject(value)) return String(value);
  if (value.type === 'Days') return `${shown(value.days, {})} days`;
  if (value.type === 'Date') return shown(value.date, {});
  const { id, name } = value;
  if (id !== undefined) return shown(id, field.fields?.id ?? {});
  if (name !== undefined) return shown(name, {});
  return Object.entries(value)
    .map(([inner, one]) => `${inner} ${shown(one, {})}`)
    .join(', ');
}

/** The fields of a step's request in words. @param state of the item that it changes */
function detailsOf(step: Step, state: Fields, names: Names): Pick<StepView, 'detail' | 'more'> {
  const { verb, resource } = step;
  const after = step.after ?? {};
  const fields: Readonly<Record<string, Field>> = endpointOf(step)?.body ?? {};
  const organizationOf = ({ organization }: Fields): unknown => (isObject(organization) ? organization.id : undefined);
  const textOf = (name: string, of = after): string =>
    describeValue(of[name], fields[name] ?? {}, organizationOf(of), names);
  if (verb === 'update') {
    const changed = Object.keys(after).filter((name) => !isEqual(state[name], after[name]));
    const from = (name: string): string => (name in state ? `${textOf(name, state)} → ` : '');
    return { detail: changed.map((name) => `${name} ${from(name)}${textOf(name)}`).join(', '), more: '' };
  }
  if (verb !== 'create') return { detail: '', more: '' };
  const main = DETAILS[resource] ?? '';
  const shown = new Set([main, KEYS[resource as Plannable], 'organization', 'schoolId']);
  const others = Object.keys(after).filter((name) => !shown.has(name));
  const text = main === '' ? '' : textOf(main);
  return { detail: text === 'none' ? '' : text, more: others.map((name) => `${name} ${textOf(name)}`).join(', ') };
}

/** What a step does besides what its fields show. @param shown IDs of the people in the lists that were read */
function whyOf({ verb, resource, id, after }: Step, { items }: Names, shown: ReadonlySet<unknown>): string {
  if (verb === 'assign' && !isStep(after?.userId) && !shown.has(after?.userId))
    return 'no user that you may see has this ID';
  if (resource === 'classes' && verb === 'delete')
    return `with ${plural(items.classes.get(id ?? '')?.users.length ?? 0, 'user')}`;
  if (verb === 'cancel') {
    const times = plural(items.licenses.get(id ?? '')?.numberOfActivations ?? 0, 'time');
    return `activated ${times}, so it is cancelled, again if it was before (the service does not show it): there is no way back`;
  }
  if (resource === 'books' && after?.secondSubject === undefined)
    return 'a second subject is lost: the service does not return it';
  if (resource === 'licenses' && verb === 'update' && after?.licenseCategory === undefined)
    return 'a category may be reset: the service shows none';
  return '';
}

/** Whether `edu undo` can reverse a step. */
export function isReversible(step: Step): boolean {
  const { verb, resource, before, after } = step;
  if (resource === 'members') return true;
  if (verb === 'create') return resource === 'licenses' || resource === 'classes';
  const kept = (name: string): boolean => isSeen(resource as Plannable, name) || before?.[name] !== undefined;
  return verb === 'update' && Object.keys(after ?? {}).every(kept) && whyNotBack(step) === undefined;
}

/** The steps that must be done before each step. */
export function needsOf(steps: readonly Step[]): (step: Step) => readonly number[] {
  const updates = new Map(
    steps.flatMap(({ verb, resource, id, step }) =>
      verb === 'update' && resource === 'licenses' ? [[id as unknown, step] as const] : [],
    ),
  );
  return ({ step, resource, before, after }) => {
    // An update of the licence may raise its maximum.
    const update = resource === 'holders' ? updates.get(after?.licenseId) : undefined;
    const all = [...stepsIn(after ?? before), ...(update === undefined ? [] : [update])];
    return [...new Set(all)].filter((need) => need < step).sort((a, b) => a - b);
  };
}

function leavingOf(steps: readonly Step[], { labelOf, items }: Names): readonly Leaving[] {
  const unassigns = steps.filter(({ verb }) => verb === 'unassign');
  return [...grouped(unassigns, ({ before }) => [String(before?.classId)])].map(([id, all]) => {
    const of = items.classes.get(id)?.users.length ?? 0;
    return { from: labelOf('classes', id), count: all.length, of };
  });
}

/** A step that was done and stays, with the reason. */
export interface Staying {
  readonly step: Step;
  readonly why: string;
}

export interface Viewed {
  readonly hash: string;
  /** Those that are not done yet. */
  readonly steps: readonly Step[];
  /** All steps of the plan, which the others may refer to (default: `steps`). */
  readonly all?: readonly Step[];
  readonly managed: readonly ManagedClasses[];
  readonly conflicts?: readonly Conflict[];
  /** Steps that an undo leaves. */
  readonly staying?: readonly Staying[];
}

/** @param actual what the service has of the items that the steps name */
export function viewOf({ hash, steps, managed, ...more }: Viewed, actual: Actual): PlanView {
  const { all = steps, conflicts = [], staying = [] } = more;
  const names = createNames(all, actual);
  const shown: ReadonlySet<unknown> = new Set(shownPeople(actual));
  const needs = needsOf(all);
  const unsent = new Set<number>();
  const standing = (step: Step): Standing => {
    const lacking = stepsIn(step.after ?? step.before).find((need) => unsent.has(need));
    const found: Standing =
      lacking === undefined
        ? standingOf(step, names)
        : { is: 'stale', why: `step ${lacking}, which it needs, is not sent` };
    if (found.is === 'stale') unsent.add(step.step);
    return found;
  };
  const views = steps.map((step): StepView => {
    const { verb, resource, id } = step;
    const item = id === null ? undefined : names.items[resource as Plannable].get(id);
    const state = item && stateOf(resource as Plannable, item);
    return {
      step,
      verb,
      resource,
      key: names.keyOf(step),
      section: names.sectionOfStep(step),
      standing: standing(step),
      ...detailsOf(step, state ?? {}, names),
      why: whyOf(step, names, shown),
      mails: verb === 'create' && resource === 'users',
      reversible: isReversible(step),
      needs: needs(step),
    };
  });
  const open = views.flatMap(({ step, standing }) => (standing.is === 'open' ? [step] : []));
  const nothing = { verb: 'none', standing: OPEN, detail: '', more: '', mails: false } as const;
  const noted = [
    ...conflicts.map(({ of, ...one }) => ({ ...nothing, ...one, section: names.section(of) })),
    ...staying.map(({ step, why }) => {
      const { resource, id } = step;
      return { ...nothing, resource, key: names.keyOf(step), id, section: names.sectionOfStep(step), why };
    }),
  ];
  return { hash, steps: views, conflicts: noted, leaving: leavingOf(open, names), managed, actual };
}
