/** Converts a step to its request, or to its outcome if there is nothing to send. */
import type { Outcome } from '../../bulk/job/states.js';
import type { RowWrite } from '../../bulk/row-command.js';
import { classes } from '../../contract/classes.js';
import { licenses } from '../../contract/licenses.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import { ENDPOINTS } from '../items.js';
import type { Fields, Step } from '../steps.js';
import type { Plannable } from '../want-columns.js';
import type { MemberGuard } from './member-guard.js';
import type { PresentReader } from './present.js';

/** Prefix of the reason for a step that was not sent because the service has changed. */
export const STALE = 'stale: ';
/** Prefix of the reason for a step that was not sent because a step that it needs was not done. */
export const SKIPPED = 'skipped: ';

export type Prepared = { readonly outcome: Outcome } | { readonly writes: readonly RowWrite[] };

export interface StepHost {
  readonly reader: PresentReader;
  readonly language: Language;
  readonly guard: MemberGuard;
  /** The ID of the item that an earlier step created; undefined if the step was not done. */
  readonly idOf: (step: number) => string | undefined;
}

const stale = (why: string): Prepared => ({ outcome: { state: 'conflict', error: `${STALE}${why}` } });

/** Normalizes a value for comparison: objects by ID, lists as sets, no blank members. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(plain(one))).sort();
  if (!isObject(value)) return value ?? null;
  if (value.id !== undefined) return String(value.id);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

/** Fields that responses do not return as they are written, so they cannot be compared. */
const UNSEEN = new Set(['language', 'licenseCategory', 'secondSubject']);

const differing = (present: Fields, wanted: Fields): readonly string[] =>
  Object.keys(wanted).filter(
    (name) => !UNSEEN.has(name) && JSON.stringify(plain(present[name])) !== JSON.stringify(plain(wanted[name])),
  );

function resolve(ref: unknown, host: StepHost): string | undefined {
  const { id, step } = ref as { readonly id?: string; readonly step?: number };
  return id ?? (step === undefined ? undefined : host.idOf(step));
}

/** IDs of roles; those of a new organization are looked up by name. */
async function roleIds(roles: unknown, organization: OrganizationReference, host: StepHost) {
  const wanted = roles as readonly { readonly id?: string; readonly name: string }[];
  const has = wanted.every(({ id }) => id !== undefined) ? [] : await host.reader.roles(organization);
  const idNamed = (name: string) => has.find((one) => one.name.toLowerCase() === name.toLowerCase())?.id;
  return wanted.map(({ id, name }) => id ?? idNamed(name) ?? name);
}

/** Fields with the IDs of the organization and its roles; undefined if the organization was not created. */
async function withIds(fields: Fields, host: StepHost): Promise<Fields | undefined> {
  if (!isObject(fields.organization)) return fields;
  const id = resolve(fields.organization, host);
  if (id === undefined) return undefined;
  const organization = { id, type: fields.organization.type as OrganizationReference['type'] };
  const ids = fields.roles === undefined ? {} : { roles: await roleIds(fields.roles, organization, host) };
  return { ...fields, organization, ...ids };
}

/** The body of a create or update. @returns undefined if a referenced item was not created */
async function bodyOf({ resource }: Step, fields: Fields, host: StepHost): Promise<Fields | undefined> {
  const body = await withIds(fields, host);
  if (body === undefined) return undefined;
  if (resource === 'classes') {
    const { school, subject, ...rest } = body;
    const schoolId = school === undefined ? undefined : resolve(school, host);
    if (school !== undefined && schoolId === undefined) return undefined;
    return { ...rest, subjectId: resolve(subject, host), ...(schoolId === undefined ? {} : { schoolId }) };
  }
  // A blank field cannot be written.
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));
}

/** The outcome of a step whose needed steps were not done. */
const skipped = ({ needs }: Step, why = `step ${needs.join(' or ')}, which it needs, was not done`): Prepared => ({
  outcome: { state: 'rejected', error: `${SKIPPED}${why}` },
});

/** The outcome of a step whose change is already there. @param mayBeOurs whether an earlier run may have made it */
function present(id: string, mayBeOurs: boolean): Prepared {
  return { outcome: { state: mayBeOurs ? 'updated' : 'exists', id } };
}

/** The outcome of a step whose item has changed since the plan; undefined if it has not. */
async function changed(found: Fields, { before }: Step, host: StepHost): Promise<Prepared | undefined> {
  const names = differing(found, (await withIds(before ?? {}, host)) ?? {});
  const have = names.length === 1 ? 'has' : 'have';
  return names.length === 0 ? undefined : stale(`${names.join(', ')} ${have} changed since the plan`);
}

async function create(step: Step, host: StepHost): Promise<Prepared> {
  const body = await bodyOf(step, step.after ?? {}, host);
  const endpoint: Endpoint = ENDPOINTS[step.resource as Plannable].create;
  return body === undefined ? skipped(step) : { writes: [{ endpoint, input: { body } }] };
}

/** The ID of a class that was created by a response without ID; undefined if it cannot be told. */
export async function idOfCreated(step: Step, host: StepHost): Promise<string | undefined> {
  if (step.verb !== 'create' || step.resource !== 'classes') return undefined;
  const body = await bodyOf(step, step.after ?? {}, host);
  return body && host.reader.classId(String(body.schoolId), body.name, body.subjectId);
}

async function update(step: Step, found: Fields | undefined, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { id, after } = step;
  const resource = step.resource as Plannable;
  if (found === undefined || id === null) return stale('it no longer exists');
  const body = await bodyOf(step, after ?? {}, host);
  if (body === undefined) return skipped(step);
  if (differing(found, (await withIds(after ?? {}, host)) ?? {}).length === 0) return present(id, mayBeOurs);
  const query = resource === 'books' || resource === 'readers' ? { query: { language: host.language } } : {};
  const endpoint: Endpoint = ENDPOINTS[resource].update;
  return (await changed(found, step, host)) ?? { writes: [{ endpoint, input: { params: { id }, ...query, body } }] };
}

async function remove(step: Step, found: Fields | undefined, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { verb, resource, id } = step;
  if (id === null) return stale('its ID is not known');
  if (found === undefined) return present(id, mayBeOurs);
  const endpoint = resource === 'classes' ? classes.delete : verb === 'cancel' ? licenses.cancel : licenses.delete;
  return (await changed(found, step, host)) ?? { writes: [{ endpoint, input: { params: { id } } }] };
}

async function relate(step: Step, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { verb, resource } = step;
  const relation = step.after ?? step.before ?? {};
  const userId = resolve(relation.user, host);
  const id = resolve(relation.class ?? relation.license, host);
  if (userId === undefined || id === undefined) return skipped(step);
  const people = await host.reader.people(resource === 'members' ? 'members' : 'holders', id);
  if (people.has(userId) === (verb === 'assign')) return present(userId, mayBeOurs);
  if (host.guard.lacksAdd(step)) return skipped(step, 'not all users were added to the class');
  if (host.guard.wouldEmpty(step, people)) return stale('the class has changed since the plan and would be empty');
  if (resource === 'holders')
    return { writes: [{ endpoint: licenses.assign, input: { body: { userId, licenseId: id } } }] };
  const endpoint = verb === 'assign' ? classes.assign : classes.unassign;
  return { writes: [{ endpoint, input: { body: { userId, classId: id } } }] };
}

/**
 * Reads the item of a step again and decides what to send.
 * @param mayBeOurs whether an earlier run may have sent the step
 */
export async function prepareStep(step: Step, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { verb, resource, id, section } = step;
  if (verb === 'assign' || verb === 'unassign') return relate(step, mayBeOurs, host);
  if (verb === 'create') return create(step, host);
  const found = id === null ? undefined : await host.reader.item(resource as Plannable, id, section.id);
  return verb === 'update' ? update(step, found, mayBeOurs, host) : remove(step, found, mayBeOurs, host);
}
