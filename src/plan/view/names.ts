/** Names for the items of a plan, all from the service; the plan itself has only IDs. */
import { nameForm } from '../../client/references/spelling.js';
import type { Field } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import { once } from '../../core/maps.js';
import type { Actual, ActualItems, Named } from '../actual.js';
import { isRelation } from '../items.js';
import type { Fields, Ref, Step } from '../steps.js';
import { KEYS, PLANNABLE, type Plannable } from '../want-columns.js';

export type Names = ReturnType<typeof createNames>;

/** The organization by which steps are grouped for display. */
export interface Section {
  /** Null while the organization does not exist, and if it is not known. */
  readonly id: string | null;
  readonly name: string;
}

export const isStep = (ref: unknown): ref is { readonly step: number } => isObject(ref) && typeof ref.step === 'number';

/** An item's name, with its ID if another one has the same name. */
const named = (text: string, id: string, isOnly: boolean): string =>
  text === '' ? id : isOnly ? text : `${text} (${id})`;

const nameIn = (items: readonly Named[], id: string): string => {
  const name = items.find((one) => one.id === id)?.name ?? '';
  return named(name, id, items.filter((one) => one.name === name).length === 1);
};

type Items = { readonly [R in Plannable]: ReadonlyMap<string, ActualItems[R]> };

const textOf = (resource: Plannable, item: object): string => String((item as Fields)[KEYS[resource]] ?? '');

/** Returns a function that finds the item that the service has, after all updates, in place of one that a step creates. */
function twinFinder(steps: readonly Step[], items: Items) {
  const updates = new Map(steps.map(({ resource, id, after }) => [`${resource} ${id}`, after]));
  // Several classes of a school may have one name.
  const keyOf = (resource: string, item: Fields): string =>
    JSON.stringify([resource, item.schoolId, item.subjectId, nameForm(textOf(resource as Plannable, item))]);
  const all = once(() => {
    const keyed = (kind: Plannable) => (item: ActualItems[Plannable]) =>
      [keyOf(kind, { ...item, ...updates.get(`${kind} ${item.id}`) }), item] as const;
    return new Map(PLANNABLE.flatMap((kind) => [...items[kind].values()].map(keyed(kind))));
  });
  return ({ resource, after }: Step): ActualItems[Plannable] | undefined => all().get(keyOf(resource, after ?? {}));
}

export function createNames(steps: readonly Step[], actual: Actual) {
  const byId = <T extends { readonly id: string }>(items: readonly T[]) => new Map(items.map((one) => [one.id, one]));
  const organizations = byId(actual.organizations);
  const ofType = (type: string) => byId(actual.organizations.filter((one) => one.type === type));
  const items: Items = {
    publishers: ofType('Publisher'),
    schools: ofType('School'),
    users: byId(actual.users),
    classes: byId(actual.classes),
    licenses: byId(actual.licenses),
    books: byId(actual.books),
    readers: byId(actual.readers),
  };

  /** @param of the organization: an ID, or the step that creates it */
  function section(of: unknown): Section {
    if (isStep(of)) return { id: null, name: labelOf('schools', of) };
    const id = of === undefined || of === '' ? null : String(of);
    return { id, name: organizations.get(id ?? '')?.name ?? '' };
  }
  const sectionOfItem = (item: ActualItems[Plannable]): Section =>
    section('schoolId' in item ? item.schoolId : 'organization' in item ? item.organization.id : item.id);

  /** Equal for items that would look the same in a plan. */
  const placeOf = (resource: Plannable, item: ActualItems[Plannable]): string =>
    JSON.stringify([resource, sectionOfItem(item).id, textOf(resource, item)]);
  const counts = new Map<string, number>();
  for (const resource of PLANNABLE)
    for (const item of items[resource].values()) {
      const place = placeOf(resource, item);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }

  const createdBy = ({ step }: { readonly step: number }): Step | undefined => steps[step - 1];

  /** An item as people know it: name, code, EAN or address. */
  function labelOf(resource: Plannable, ref: unknown): string {
    if (isStep(ref)) return textOf(resource, createdBy(ref)?.after ?? {});
    const id = String(ref);
    const item = items[resource].get(id);
    return item === undefined ? id : named(textOf(resource, item), id, counts.get(placeOf(resource, item)) === 1);
  }

  function sectionOf(resource: Plannable, ref: unknown): Section {
    const made = isStep(ref) ? createdBy(ref) : undefined;
    if (made !== undefined) return sectionOfStep(made);
    const item = items[resource].get(String(ref));
    return item === undefined ? section(undefined) : sectionOfItem(item);
  }

  /** The organization that a created item belongs to; for an organization, itself. */
  function sectionOfNew({ resource, after }: Step): Section {
    const { organization, schoolId } = after ?? {};
    const of = isObject(organization) ? organization.id : schoolId;
    return of === undefined ? { id: null, name: textOf(resource as Plannable, after ?? {}) } : section(of);
  }

  /** The class of a member, or the licence of a holder. */
  function groupOf({ resource, before, after }: Step): readonly [Plannable, unknown] {
    const { classId, licenseId } = after ?? before ?? {};
    return resource === 'members' ? ['classes', classId] : ['licenses', licenseId];
  }

  function sectionOfStep(step: Step): Section {
    if (isRelation(step)) return sectionOf(...groupOf(step));
    return step.verb === 'create' ? sectionOfNew(step) : sectionOf(step.resource as Plannable, step.id);
  }

  function keyOf(step: Step): string {
    const { resource, verb, before, after } = step;
    if (isRelation(step)) return `${labelOf(...groupOf(step))}  ${labelOf('users', (after ?? before)?.userId)}`;
    const kind = resource as Plannable;
    if (verb === 'create') return textOf(kind, after ?? {});
    const id = step.id ?? '';
    // Only the plan knows what was called so; a step whose item is gone sends nothing.
    return items[kind].has(id) ? labelOf(kind, id) : named(textOf(kind, before ?? {}), id, false);
  }

  /** The name that the ID in a field of a request stands for. @param organization whose roles are meant */
  function nameOf(ref: unknown, { refersTo }: Pick<Field, 'refersTo'>, organization: unknown): string {
    if (isStep(ref)) return labelOf('schools', ref);
    const id = String(ref);
    if (refersTo === 'subject') return nameIn(actual.subjects ?? [], id);
    if (refersTo !== 'role') return id;
    return nameIn(organizations.get(String(organization))?.roles ?? [], id);
  }

  const twinOf = twinFinder(steps, items);
  return { actual, items, organizations, twinOf, keyOf, section, sectionOfStep, groupOf, labelOf, nameOf };
}

/** The steps that a value refers to. */
export function stepsIn(value: unknown): readonly number[] {
  if (isStep(value)) return [value.step];
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  return isObject(value) ? Object.values(value).flatMap(stepsIn) : [];
}

/** A value with IDs in place of references to steps; undefined if one has no ID. */
export function withIds(value: unknown, idOf: (step: number) => Ref | undefined): unknown {
  if (isStep(value)) return idOf(value.step);
  if (Array.isArray(value)) return value.map((one) => withIds(one, idOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIds(inner, idOf)]));
}

export const hasRoleNames = ({ roles }: Fields): boolean => Array.isArray(roles) && roles.some(isObject);

/** Fields with IDs in place of the names of roles, where the organization has such a role. */
export function withRoleIds(fields: Fields, roles: readonly { readonly id: string; readonly name: string }[]): Fields {
  const idOf = (role: unknown): unknown => {
    if (!isObject(role)) return role;
    const name = String(role.name).toLowerCase();
    return roles.find((one) => one.name.toLowerCase() === name)?.id ?? role;
  };
  return Array.isArray(fields.roles) ? { ...fields, roles: fields.roles.map(idOf) } : fields;
}
