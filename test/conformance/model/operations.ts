/**
 * The operations of the model test: each asks the reference for the expected status, calls the API, and compares. They
 * refer to objects by number, so that any part of a sequence is a valid sequence.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Actor } from '../actor.js';
import { unique, userBody } from '../makers.js';
import type { AnswerTo, Route } from '../typed-routes.js';
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

/** Sends a request. If the reference allows it, it must succeed, and `then` gets the answer; else it must be refused. */
async function expectVerdict<R extends Route>(
  { actor }: World,
  verdict: Verdict,
  route: R,
  given: Parameters<Actor['send']>[1],
  then: (answer: AnswerTo<R>) => void | Promise<void> = () => {},
): Promise<void> {
  if (verdict === 200 || verdict === 204) await then(await actor.ok(route, given));
  else await actor.refused(verdict, route, given);
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

const sameIds = (found: readonly string[] | null, expected: Iterable<string>): void =>
  expect([...(found ?? [])].sort()).toEqual([...expected].sort());

/** Reads a licence by ID and by code and compares it with the reference. */
export async function compareLicence(world: World, id: string): Promise<void> {
  const { actor, reference } = world;
  const state = reference.licences.get(id);
  await expectVerdict(world, state ? 200 : 404, 'GET /v1/licenses/{id}', { params: { id } }, async (read) => {
    expect([read.type, read.code, read.maximumActivations, read.numberOfActivations]).toEqual([
      state?.type,
      state?.code,
      state?.maximum,
      state?.holders.size,
    ]);
    sameIds(
      read.books.map((book) => book.id),
      state?.books ?? [],
    );
    sameIds(
      read.endUsers.map((user) => user.id),
      state?.holders ?? [],
    );
    expect(await actor.ok('GET /v1/licenses/code/{code}', { params: { code: read.code } })).toEqual(read);
  });
}

async function addLicence(world: World, operation: Operation & { kind: 'addLicence' }): Promise<void> {
  const { reference } = world;
  const input = inputOf(world, operation.draft);
  const code = codeOf(world, operation.code);
  const json = { ...bodyOf(input), ...(code === undefined ? {} : { code }) };
  await expectVerdict(world, reference.mayCreate(input, code), 'POST /v1/licenses', { json }, (made) => {
    if (code !== undefined) expect(made.code).toBe(code);
    reference.licences.set(made.id, { ...input, code: made.code, cancelled: false, holders: new Set() });
    return compareLicence(world, made.id);
  });
}

async function updateLicence(world: World, operation: Operation & { kind: 'updateLicence' }): Promise<void> {
  const { reference } = world;
  const id = pick(reference.licences, operation.licence);
  // The order of 400 and 404 is not documented: an unknown licence gets a valid body.
  const valid: LicenceInput = { type: 'Teacher', maximum: 1, books: [] };
  const input = reference.licences.has(id) ? inputOf(world, operation.draft) : valid;
  const given = { params: { id }, json: bodyOf(input) };
  await expectVerdict(world, reference.mayUpdate(id, input), 'PUT /v1/licenses/{id}', given, () => {
    reference.update(id, input);
    return compareLicence(world, id);
  });
}

/** Runs one operation in the reference and in the service, and compares the two. */
export async function perform(world: World, operation: Operation): Promise<void> {
  const { actor, reference, schoolId, subjectId } = world;
  const { licences, users, classes } = reference;
  const id = pick(
    'licence' in operation ? licences : 'class' in operation ? classes : users,
    'licence' in operation
      ? operation.licence
      : 'class' in operation
        ? operation.class
        : 'user' in operation
          ? operation.user
          : 0,
  );
  const params = { id };
  const [licence, user, one] = [licences.get(id), users.get(id), classes.get(id)];
  const organization = { id: schoolId, type: 'School' };
  switch (operation.kind) {
    case 'addUser': {
      const made = await actor.ok('POST /v1/users', { json: userBody(organization) });
      users.set(made.id, { firstName: made.firstName, anonymized: false });
      return;
    }
    case 'addClass': {
      const name = unique('Class ');
      const made = await actor.ok('POST /v1/classes', { json: { subjectId, schoolId, name } });
      classes.set(made.classId, { name, deleted: false, users: new Set() });
      return;
    }
    case 'addLicence':
      return addLicence(world, operation);
    case 'updateLicence':
      return updateLicence(world, operation);
    case 'readLicence':
      return compareLicence(world, id);
    case 'cancelLicence':
      return expectVerdict(world, licence ? 200 : 404, 'PUT /v1/licenses/{id}/cancel', { params }, () => {
        if (licence) licence.cancelled = true;
      });
    case 'deleteLicence':
      return expectVerdict(world, reference.mayDelete(id), 'DELETE /v1/licenses/{id}', { params }, () => {
        licences.delete(id);
      });
    case 'readActivations': {
      const route = 'GET /v1/licenses/{id}/activations';
      return expectVerdict(world, reference.mayListActivations(id), route, { params }, ({ activations }) =>
        sameIds(
          activations.map((activation) => activation.user),
          licence?.holders ?? [],
        ),
      );
    }
    case 'assignLicence': {
      const userId = pick(users, operation.user);
      const json = { userId, licenseId: id };
      const route = 'PUT /v1/licenses/assignLicense';
      return expectVerdict(world, reference.mayHold(id, userId), route, { json }, (answer) => {
        licence?.holders.add(userId);
        expect(answer.user.id).toBe(userId);
        sameIds(
          answer.activatedLicensesIds,
          [...licences].filter(([, { holders }]) => holders.has(userId)).map(([held]) => held),
        );
      });
    }
    case 'readUserClasses': {
      const route = 'GET /v1/classes/classesForUser/{id}';
      return expectVerdict(world, user ? 200 : 404, route, { params }, (answer) =>
        sameIds(
          answer.classes.map(({ classId }) => classId),
          [...classes].filter(([, known]) => known.users.has(id)).map(([classId]) => classId),
        ),
      );
    }
    case 'anonymizeUser':
      return expectVerdict(world, user ? 200 : 404, 'PUT /v1/users/{id}/anonymize', { params }, () => {
        if (user) user.anonymized = true;
      });
    case 'renameUser': {
      const firstName = unique('N');
      const json = { firstName, lastName: 'L', organization, roles: [] };
      const verdict = user?.anonymized ? 400 : user ? 200 : 404;
      return expectVerdict(world, verdict, 'PUT /v1/users/{id}', { params, json }, (answer) => {
        expect(answer.firstName).toBe(firstName);
        if (user) user.firstName = firstName;
      });
    }
    case 'deleteClass':
      return expectVerdict(world, one ? 200 : 404, 'PUT /v1/classes/delete/{id}', { params }, () =>
        reference.deleteClass(id),
      );
    case 'renameClass': {
      const name = unique('Class ');
      const verdict = one?.deleted ? 400 : one ? 200 : 404;
      return expectVerdict(world, verdict, 'PUT /v1/classes/{id}', { params, json: { subjectId, name } }, (answer) => {
        expect(answer.className).toBe(name);
        if (one) one.name = name;
      });
    }
    case 'readClass':
      return expectVerdict(world, one ? 200 : 404, 'GET /v1/classes/{id}', { params }, (read) => {
        expect(read.className).toBe(one?.name);
        sameIds(read.usersInClass, one?.users ?? []);
      });
    case 'joinClass':
    case 'leaveClass': {
      const userId = pick(users, operation.user);
      const joins = operation.kind === 'joinClass';
      const route = joins ? 'PUT /v1/assignClass/assignClassToUser' : 'PUT /v1/unAssignClass/unAssignClassFromUser';
      const verdict = joins ? reference.mayJoin(id, userId) : reference.mayLeave(id, userId);
      return expectVerdict(world, verdict, route, { json: { userId, classId: id } }, (answer) => {
        if (joins) one?.users.add(userId);
        else one?.users.delete(userId);
        sameIds(answer.usersInClass, one?.users ?? []);
      });
    }
  }
}
