/**
 * The operations of the model test: each asks the reference for the expected status, calls the API, and compares. They
 * refer to objects by number, so that any part of a sequence is a valid sequence.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Actor } from '../actor.js';
import { unique, userBody } from '../makers.js';
import type { Route } from '../typed-routes.js';
import type { LicenceInput, Reference, Verdict } from './reference.js';

export interface World {
  readonly actor: Actor;
  readonly reference: Reference;
  readonly schoolId: string;
  readonly subjectId: string;
  /** IDs of books; the last one does not exist. */
  readonly books: readonly string[];
}

interface LicenceDraft {
  readonly type: 'Books' | 'Teacher';
  readonly maximum: number;
  /** Numbers of books. */
  readonly books: readonly number[];
}

export type Operation =
  | { readonly kind: 'addUser' | 'addClass' }
  | { readonly kind: 'addLicence'; readonly draft: LicenceDraft; readonly code: 'none' | 'new' | 'taken' | 'Bad-1' }
  | { readonly kind: 'updateLicence'; readonly licence: number; readonly draft: LicenceDraft }
  | { readonly kind: 'cancelLicence' | 'deleteLicence' | 'readLicence' | 'readActivations'; readonly licence: number }
  | { readonly kind: 'assignLicence'; readonly licence: number; readonly user: number }
  | { readonly kind: 'renameUser' | 'anonymizeUser' | 'readUserClasses'; readonly user: number }
  | { readonly kind: 'renameClass' | 'deleteClass' | 'readClass'; readonly class: number }
  | { readonly kind: 'joinClass' | 'leaveClass'; readonly class: number; readonly user: number };

/** The highest number is an ID that does not exist. */
const NOTHING = 11;

const index = fc.nat({ max: NOTHING });
const draft = fc.record({
  type: fc.constantFrom('Books', 'Books', 'Teacher'),
  maximum: fc.constantFrom(-1, 0, 1, 2, 2, 5),
  // the last book does not exist: rarely
  books: fc.oneof(
    { weight: 6, arbitrary: fc.uniqueArray(fc.nat({ max: 1 })) },
    { weight: 1, arbitrary: fc.constant([2]) },
  ),
}) satisfies fc.Arbitrary<LicenceDraft>;

/** Sequences of operations, with more creates than others. */
export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('addUser', 'addClass') }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('addLicence'),
        draft,
        code: fc.constantFrom('none', 'new', 'new', 'taken', 'Bad-1'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('updateLicence'), licence: index, draft }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('cancelLicence', 'deleteLicence', 'readLicence', 'readActivations'),
        licence: index,
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('assignLicence'), licence: index, user: index }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('renameUser', 'anonymizeUser', 'readUserClasses'), user: index }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('renameClass', 'deleteClass', 'readClass'), class: index }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constantFrom('joinClass', 'leaveClass'), class: index, user: index }),
    },
  ),
  { minLength: 5, maxLength: 30 },
) as fc.Arbitrary<Operation[]>;

/** The object of that number; an unknown ID if there are fewer. */
const pick = (all: ReadonlyMap<string, unknown>, number: number): string =>
  [...all.keys()][number] ?? unique('nothing');

async function must<R extends Route>(
  world: World,
  verdict: Verdict,
  route: R,
  given: Parameters<Actor['send']>[1],
): Promise<boolean> {
  if (verdict === 200 || verdict === 204) return true;
  await world.actor.refused(verdict, route, given);
  return false;
}

const bodyOf = ({ type, maximum, books }: LicenceInput) => ({
  name: unique('Licence '),
  maximumActivations: maximum,
  type,
  ...(type === 'Books' ? { books, expiration: { type: 'Days', days: 365 } } : {}),
});

const inputOf = (world: World, { type, maximum, books }: LicenceDraft): LicenceInput => ({
  type,
  maximum,
  books: type === 'Books' ? books.map((number) => world.books[number] ?? '') : [],
});

function codeOf({ reference }: World, code: 'none' | 'new' | 'taken' | 'Bad-1'): string | undefined {
  if (code === 'none') return undefined;
  if (code === 'new') return unique('m');
  return code === 'taken' ? ([...reference.licences.values()][0]?.code ?? unique('m')) : code;
}

async function addLicence(world: World, operation: Operation & { kind: 'addLicence' }): Promise<void> {
  const { actor, reference } = world;
  const input = inputOf(world, operation.draft);
  const code = codeOf(world, operation.code);
  const json = { ...bodyOf(input), ...(code === undefined ? {} : { code }) };
  if (!(await must(world, reference.mayCreate(input, code), 'POST /v1/licenses', { json }))) return;
  const made = await actor.ok('POST /v1/licenses', { json });
  if (code !== undefined) expect(made.code).toBe(code);
  const { type, maximum, books } = input;
  reference.licences.set(made.id, {
    type,
    code: made.code,
    maximum,
    books: [...books],
    cancelled: false,
    holders: new Set(),
  });
  await compareLicence(world, made.id);
}

async function updateLicence(world: World, operation: Operation & { kind: 'updateLicence' }): Promise<void> {
  const { actor, reference } = world;
  const id = pick(reference.licences, operation.licence);
  const known = reference.licences.has(id);
  // The order of 400 and 404 is not documented: an unknown licence gets a valid body.
  const valid: LicenceInput = { type: 'Teacher', maximum: 1, books: [] };
  const input = known ? inputOf(world, operation.draft) : valid;
  const given = { params: { id }, json: bodyOf(input) };
  if (!(await must(world, reference.mayUpdate(id, input), 'PUT /v1/licenses/{id}', given))) return;
  await actor.ok('PUT /v1/licenses/{id}', given);
  reference.update(id, input);
  await compareLicence(world, id);
}

/** Reads a licence by ID and by code and compares it with the reference. */
export async function compareLicence({ actor, reference }: World, id: string): Promise<void> {
  const state = reference.licences.get(id);
  if (!state) {
    await actor.refused(404, 'GET /v1/licenses/{id}', { params: { id } });
    return;
  }
  const read = await actor.ok('GET /v1/licenses/{id}', { params: { id } });
  expect({
    type: read.type,
    code: read.code,
    maximum: read.maximumActivations,
    count: read.numberOfActivations,
    books: (read.books ?? []).map((book) => book.id).sort(),
    holders: read.endUsers.map((user) => user.id).sort(),
  }).toEqual({
    type: state.type,
    code: state.code,
    maximum: state.maximum,
    count: state.holders.size,
    books: [...state.books].sort(),
    holders: [...state.holders].sort(),
  });
  expect(await actor.ok('GET /v1/licenses/code/{code}', { params: { code: state.code } })).toEqual(read);
}

async function licenceOperation(
  world: World,
  kind: 'cancelLicence' | 'deleteLicence' | 'readActivations',
  id: string,
): Promise<void> {
  const { actor, reference } = world;
  const params = { id };
  const state = reference.licences.get(id);
  if (kind === 'cancelLicence') {
    if (!(await must(world, state ? 200 : 404, 'PUT /v1/licenses/{id}/cancel', { params }))) return;
    await actor.ok('PUT /v1/licenses/{id}/cancel', { params });
    if (state) state.cancelled = true;
  } else if (kind === 'deleteLicence') {
    if (!(await must(world, reference.mayDelete(id), 'DELETE /v1/licenses/{id}', { params }))) return;
    await actor.ok('DELETE /v1/licenses/{id}', { params });
    reference.licences.delete(id);
  } else {
    const route = 'GET /v1/licenses/{id}/activations';
    if (!(await must(world, reference.mayListActivations(id), route, { params }))) return;
    const { activations } = await actor.ok(route, { params });
    expect(activations.map(({ user }) => user).sort()).toEqual([...(state?.holders ?? [])].sort());
  }
}

async function assignLicence(world: World, licenseId: string, userId: string): Promise<void> {
  const { actor, reference } = world;
  const given = { json: { userId, licenseId } };
  const route = 'PUT /v1/licenses/assignLicense';
  if (!(await must(world, reference.mayHold(licenseId, userId), route, given))) return;
  const answer = await actor.ok(route, given);
  reference.licences.get(licenseId)?.holders.add(userId);
  expect(answer.user.id).toBe(userId);
  const held = [...reference.licences].filter(([, state]) => state.holders.has(userId)).map(([id]) => id);
  expect([...answer.activatedLicensesIds].sort()).toEqual(held.sort());
}

async function addUser({ actor, reference, schoolId }: World): Promise<void> {
  const made = await actor.ok('POST /v1/users', { json: userBody({ id: schoolId, type: 'School' }) });
  reference.users.set(made.id, { firstName: made.firstName, anonymized: false });
}

async function userOperation(world: World, kind: 'renameUser' | 'anonymizeUser' | 'readUserClasses', id: string) {
  const { actor, reference, schoolId } = world;
  const state = reference.users.get(id);
  const verdict = state ? 200 : 404;
  const params = { id };
  if (kind === 'readUserClasses') {
    if (!(await must(world, verdict, 'GET /v1/classes/classesForUser/{id}', { params }))) return;
    const { classes } = await actor.ok('GET /v1/classes/classesForUser/{id}', { params });
    const wanted = [...reference.classes].filter(([, known]) => known.users.has(id)).map(([classId]) => classId);
    expect(classes.map(({ classId }) => classId).sort()).toEqual(wanted.sort());
  } else if (kind === 'anonymizeUser') {
    if (!(await must(world, verdict, 'PUT /v1/users/{id}/anonymize', { params }))) return;
    await actor.ok('PUT /v1/users/{id}/anonymize', { params });
    if (state) state.anonymized = true;
  } else {
    const firstName = unique('N');
    const json = { firstName, lastName: 'L', organization: { id: schoolId, type: 'School' }, roles: [] };
    const allowed = state?.anonymized ? 400 : verdict;
    if (!(await must(world, allowed, 'PUT /v1/users/{id}', { params, json }))) return;
    expect((await actor.ok('PUT /v1/users/{id}', { params, json })).firstName).toBe(firstName);
    if (state) state.firstName = firstName;
  }
}

async function addClass({ actor, reference, schoolId, subjectId }: World): Promise<void> {
  const name = unique('Class ');
  const made = await actor.ok('POST /v1/classes', { json: { subjectId, schoolId, name } });
  reference.classes.set(made.classId, { name, deleted: false, users: new Set() });
}

async function classOperation(world: World, kind: 'renameClass' | 'deleteClass' | 'readClass', id: string) {
  const { actor, reference, subjectId } = world;
  const state = reference.classes.get(id);
  const verdict = state ? 200 : 404;
  const params = { id };
  if (kind === 'deleteClass') {
    if (!(await must(world, verdict, 'PUT /v1/classes/delete/{id}', { params }))) return;
    await actor.ok('PUT /v1/classes/delete/{id}', { params });
    reference.deleteClass(id);
  } else if (kind === 'renameClass') {
    const name = unique('Class ');
    const given = { params, json: { subjectId, name } };
    if (!(await must(world, state?.deleted ? 400 : verdict, 'PUT /v1/classes/{id}', given))) return;
    expect((await actor.ok('PUT /v1/classes/{id}', given)).className).toBe(name);
    if (state) state.name = name;
  } else {
    if (!(await must(world, verdict, 'GET /v1/classes/{id}', { params }))) return;
    const read = await actor.ok('GET /v1/classes/{id}', { params });
    expect({ name: read.className, users: [...(read.usersInClass ?? [])].sort() }).toEqual({
      name: state?.name,
      users: [...(state?.users ?? [])].sort(),
    });
  }
}

async function membership(world: World, kind: 'joinClass' | 'leaveClass', classId: string, userId: string) {
  const { actor, reference } = world;
  const joins = kind === 'joinClass';
  const route = joins ? 'PUT /v1/assignClass/assignClassToUser' : 'PUT /v1/unAssignClass/unAssignClassFromUser';
  const verdict = joins ? reference.mayJoin(classId, userId) : reference.mayLeave(classId, userId);
  const given = { json: { userId, classId } };
  if (!(await must(world, verdict, route, given))) return;
  const answer = await actor.ok(route, given);
  const users = reference.classes.get(classId)?.users ?? new Set<string>();
  if (joins) users.add(userId);
  else users.delete(userId);
  expect([...(answer.usersInClass ?? [])].sort()).toEqual([...users].sort());
}

/** Runs one operation in the reference and in the service, and compares the two. */
export async function perform(world: World, operation: Operation): Promise<void> {
  const { licences, users, classes } = world.reference;
  switch (operation.kind) {
    case 'addUser':
      return addUser(world);
    case 'addClass':
      return addClass(world);
    case 'addLicence':
      return addLicence(world, operation);
    case 'updateLicence':
      return updateLicence(world, operation);
    case 'readLicence':
      return compareLicence(world, pick(licences, operation.licence));
    case 'cancelLicence':
    case 'deleteLicence':
    case 'readActivations':
      return licenceOperation(world, operation.kind, pick(licences, operation.licence));
    case 'assignLicence':
      return assignLicence(world, pick(licences, operation.licence), pick(users, operation.user));
    case 'renameUser':
    case 'anonymizeUser':
    case 'readUserClasses':
      return userOperation(world, operation.kind, pick(users, operation.user));
    case 'renameClass':
    case 'deleteClass':
    case 'readClass':
      return classOperation(world, operation.kind, pick(classes, operation.class));
    case 'joinClass':
    case 'leaveClass':
      return membership(world, operation.kind, pick(classes, operation.class), pick(users, operation.user));
  }
}
