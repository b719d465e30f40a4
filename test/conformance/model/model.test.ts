/** Random sequences of valid and invalid operations: the bundled service must behave like a small reference model. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Actor } from '../actor.js';
import { bundledInProcess } from '../bundled.js';
import type { Door } from '../door.js';
import { newBook, newSchool, subjectId, unique } from '../makers.js';
import { everyItem } from '../walk.js';
import { compareLicence, operations, perform, type World } from './operations.js';
import { Reference } from './reference.js';

const RUNS = 40;

let door: Door;
let actor: Actor;

beforeAll(async () => {
  door = await bundledInProcess();
  actor = new Actor(
    () => door,
    (at) => at.token('distributor'),
  );
});
afterAll(() => door.close());

async function newWorld(): Promise<World> {
  const books = [(await newBook(actor)).id, (await newBook(actor)).id];
  const { id } = await newSchool(actor);
  return {
    actor,
    reference: new Reference(books),
    schoolId: id,
    subjectId: await subjectId(actor),
    books: [...books, unique('nothing')],
  };
}

/** Compares everything that can be listed. */
async function compareAll(world: World): Promise<void> {
  const { reference, schoolId } = world;
  for (const id of reference.licences.keys()) await compareLicence(world, id);
  for (const id of reference.books) {
    const listed = await everyItem(actor, 'GET /v1/books/{id}/licenses', { params: { id } });
    const wanted = [...reference.licences].filter(([, { books: own }]) => own.includes(id)).map(([licence]) => licence);
    expect(listed.map((licence) => licence.id).sort()).toEqual(wanted.sort());
  }
  const classes = await actor.ok('GET /v1/schools/{id}/classes', { params: { id: schoolId } });
  expect(
    Object.fromEntries(
      classes.map((listed) => [
        listed.classId,
        [listed.className, listed.deactivationDate !== null, [...(listed.usersInClass ?? [])].sort()],
      ]),
    ),
  ).toEqual(
    Object.fromEntries(
      [...reference.classes].map(([id, { name, deleted, users }]) => [id, [name, deleted, [...users].sort()]]),
    ),
  );
  const users = await everyItem(actor, 'GET /v1/users', { query: { organization: schoolId, type: 'School' } });
  for (const [id, { firstName, anonymized }] of reference.users) {
    if (!anonymized) expect(users.find((user) => user.id === id)).toMatchObject({ firstName });
  }
}

it(`agrees with the reference over ${RUNS} random sequences`, { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (sequence) => {
      const world = await newWorld();
      for (const operation of sequence) await perform(world, operation);
      await compareAll(world);
    }),
    { numRuns: RUNS, seed: 20_261_120 },
  );
});
