/** Converts a step to its request, or to its outcome if there is nothing to send. */
import type { Outcome } from '../../bulk/job/states.js';
import type { RowWrite } from '../../bulk/row-command.js';
import { books } from '../../contract/books.js';
import { classes } from '../../contract/classes.js';
import { licenses } from '../../contract/licenses.js';
import { publishers } from '../../contract/publishers.js';
import { readers } from '../../contract/readers.js';
import { schools } from '../../contract/schools.js';
import { users } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import type { Fields, Ref, Step, Subject } from '../steps.js';
import type { Present, PresentReader } from './present.js';

/** Prefix of the reason for a step that was not sent because the service has changed. */
export const STALE = 'stale: ';
/** Prefix of the reason for a step that was not sent because a step that it needs was not done. */
export const SKIPPED = 'skipped: ';

export type Prepared = { readonly outcome: Outcome } | { readonly writes: readonly RowWrite[] };

export interface StepHost {
  readonly reader: PresentReader;
  readonly language: string;
  /** The ID of the item that an earlier step created; undefined if the step was not done. */
  readonly idOf: (step: number) => string | undefined;
}

const UPDATES: Readonly<Partial<Record<Subject, Endpoint>>> = {
  publishers: publishers.update,
  schools: schools.update,
  users: users.update,
  classes: classes.update,
  licenses: licenses.update,
  books: books.update,
  readers: readers.update,
};

const CREATES: Readonly<Partial<Record<Subject, Endpoint>>> = {
  publishers: publishers.create,
  schools: schools.create,
  users: users.create,
  classes: classes.create,
  licenses: licenses.create,
};

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
async function roleIds(
  roles: unknown,
  organization: { readonly id: string; readonly type: string },
  host: StepHost,
): Promise<readonly string[]> {
  const wanted = roles as readonly { readonly id?: string; readonly name: string }[];
  if (wanted.every(({ id }) => id !== undefined)) return wanted.map(({ id }) => id ?? '');
  const has = await host.reader.roles(organization as { id: string; type: 'School' });
  return wanted.map(
    ({ id, name }) => id ?? has.find((one) => one.name.toLowerCase() === name.toLowerCase())?.id ?? name,
  );
}

/** The body of a create or update. @returns undefined if a referenced item was not created */
async function bodyOf({ resource }: Step, fields: Fields, host: StepHost): Promise<Fields | undefined> {
  const body: Record<string, unknown> = { ...fields };
  if (isObject(fields.organization)) {
    const id = resolve(fields.organization, host);
    if (id === undefined) return undefined;
    const organization = { id, type: String(fields.organization.type) };
    body.organization = organization;
    if (fields.roles !== undefined) body.roles = await roleIds(fields.roles, organization, host);
  }
  if (resource === 'classes') {
    const { school, subject, ...rest } = body;
    const schoolId = school === undefined ? undefined : resolve(school, host);
    if (school !== undefined && schoolId === undefined) return undefined;
    return { ...rest, subjectId: resolve(subject, host), ...(schoolId === undefined ? {} : { schoolId }) };
  }
  // A blank field cannot be written.
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));
}

const needsText = ({ needs }: Step): string => `${SKIPPED}step ${needs.join(' or ')}, which it needs, was not done`;

async function create(step: Step, host: StepHost): Promise<Prepared> {
  const endpoint = CREATES[step.resource];
  const body = await bodyOf(step, step.after ?? {}, host);
  if (endpoint === undefined) return stale(`edu cannot create ${step.resource}`);
  if (body === undefined) return { outcome: { state: 'rejected', error: needsText(step) } };
  return { writes: [{ endpoint, input: { body } }] };
}

async function update(step: Step, present: Present, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { resource, id, before, after } = step;
  const endpoint = UPDATES[resource];
  if (present === undefined || endpoint === undefined || id === null) return stale('it no longer exists');
  const body = await bodyOf(step, after ?? {}, host);
  if (body === undefined) return { outcome: { state: 'rejected', error: needsText(step) } };
  if (differing(present, after ?? {}).length === 0) return { outcome: { state: mayBeOurs ? 'updated' : 'exists', id } };
  const changed = differing(present, before ?? {});
  if (changed.length > 0)
    return stale(`${changed.join(', ')} ${changed.length === 1 ? 'has' : 'have'} changed since the plan`);
  const query = resource === 'books' || resource === 'readers' ? { query: { language: host.language } } : {};
  return { writes: [{ endpoint, input: { params: { id }, ...query, body } }] };
}

function remove({ verb, resource, id, before }: Step, present: Present): Prepared {
  if (id === null) return stale('its ID is not known');
  if (present === undefined) return { outcome: { state: 'exists', id } };
  const changed = differing(present, before ?? {});
  if (changed.length > 0)
    return stale(`${changed.join(', ')} ${changed.length === 1 ? 'has' : 'have'} changed since the plan`);
  const endpoint = resource === 'classes' ? classes.delete : verb === 'cancel' ? licenses.cancel : licenses.delete;
  return { writes: [{ endpoint, input: { params: { id } } }] };
}

async function relate(step: Step, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { verb, resource } = step;
  const { user, ...rest } = (step.after ?? step.before ?? {}) as {
    readonly user: Ref;
    readonly class?: Ref;
    readonly license?: Ref;
  };
  const userId = resolve(user, host);
  const id = resolve(rest.class ?? rest.license, host);
  if (userId === undefined || id === undefined) return { outcome: { state: 'rejected', error: needsText(step) } };
  const isThere = (await host.reader.people(resource === 'members' ? 'members' : 'holders', id)).has(userId);
  if (isThere === (verb === 'assign')) return { outcome: { state: mayBeOurs ? 'updated' : 'exists', id: userId } };
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
  const present = id === null ? undefined : await host.reader.item(resource, id, section.id);
  if (verb === 'update') return update(step, present, mayBeOurs, host);
  const removed = remove(step, present);
  const isDone = 'outcome' in removed && removed.outcome.state === 'exists';
  return isDone && mayBeOurs ? { outcome: { ...removed.outcome, state: 'updated' } } : removed;
}
