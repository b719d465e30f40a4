/**
 * Rows without keys, sent in parallel to a service that loses responses, in a process that may be killed: no item ever
 * belongs to two rows, and no earlier item to any.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Journal } from '../../../../src/bulk/job/journal.js';
import type { Outcome } from '../../../../src/bulk/job/states.js';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import { CreatedMatcher } from '../../../../src/bulk/send/match-created.js';
import type { Reader } from '../../../../src/client/create/find-by-key.js';
import type { Attempt } from '../../../../src/client/request/client.js';
import { classes } from '../../../../src/contract/classes.js';
import { subscriptions } from '../../../../src/contract/subscriptions.js';
import { EduError } from '../../../../src/core/errors.js';
import { temporaryFolder } from '../../../support/run.js';

type Fate = 'ok' | 'refused' | 'lost after' | 'lost before' | 'killed after' | 'killed before';

interface RowPlan {
  readonly name: string;
  readonly fate: Fate;
  /** Turns of the event loop before the request and before the response. */
  readonly waits: readonly [number, number];
  /** Another client creates an equal item meanwhile. */
  readonly foreign: boolean;
}

class Killed extends Error {}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const writeOf = ({ name }: RowPlan): RowWrite => ({
  endpoint: classes.create,
  input: { body: { name, subjectId: '0001', schoolId: 's1' } },
});

/** A school with classes. */
function school() {
  const things: { classId: string; className: string; subjectId: string; schoolId: string; by: 'job' | 'other' }[] = [];
  const make = (className: string, by: 'job' | 'other'): string => {
    const classId = `c${things.length + 1}`;
    things.push({ classId, className, subjectId: '0001', schoolId: 's1', by });
    return classId;
  };
  async function* pages() {
    // Reading a list takes time; it contains what exists at its end.
    await turns(2);
    yield things.map(({ by, ...thing }) => thing);
  }
  const reader = { pages, call: () => Promise.reject(new Error('not asked for')) } as unknown as Reader;
  return { things, make, reader };
}

async function play(plans: readonly RowPlan[], before: readonly string[]) {
  const folder = temporaryFolder();
  const service = school();
  const old = new Set(before.map((name) => service.make(name, 'other')));
  const outcomes = new Map<number, Outcome>();

  async function row(number: number, plan: RowPlan, matcher: CreatedMatcher, journal: Journal): Promise<void> {
    const write = writeOf(plan);
    const earlier = journal.state(number) === 'sending';
    const trace = await matcher.before(write, number, earlier);
    await journal.sending(number, trace?.key, trace?.listing);
    const settled = (outcome: Outcome): void => {
      outcomes.set(number, outcome);
      journal.settled(number, outcome);
    };
    const find = async (): Promise<void> => {
      if (trace === undefined) throw new Error('nothing was noted');
      const sight = await matcher.find(write, trace);
      if (sight.is === 'ours') settled({ state: 'created', id: String(sight.item.classId) });
      else settled({ ...trace, state: 'unknown', error: sight.is });
    };
    if (earlier) return find();
    const attempt = await matcher.send(write, trace, async (): Promise<Attempt> => {
      await turns(plan.waits[0]);
      if (plan.foreign) service.make(plan.name, 'other');
      const isDone = plan.fate === 'ok' || plan.fate.endsWith('after');
      const classId = isDone ? service.make(plan.name, 'job') : '';
      await turns(plan.waits[1]);
      if (plan.fate.startsWith('killed')) throw new Killed();
      if (plan.fate === 'ok') return { is: 'done', value: { classId } };
      const error = new EduError('refused', 'no');
      if (plan.fate === 'refused') return { is: 'refused', status: 400, error };
      const facts = { running: false, hopeless: false, incomplete: false, inDoubt: () => error };
      return { is: 'unknown', error, ...facts, outcome: { is: 'unknown' } };
    });
    if (attempt.is === 'done') settled({ state: 'created', id: (attempt.value as { classId: string }).classId });
    else if (attempt.is === 'refused') settled({ state: 'rejected', error: 'no' });
    else await find();
  }

  for (const run of ['first', 'again']) {
    const journal = await Journal.open(join(folder, 'journal'), plans.length);
    const matcher = new CreatedMatcher({
      client: service.reader,
      snapshot: service.reader,
      journal,
      rows: plans.length,
      isPart: false,
      takenIds: [],
    });
    const left = [...plans.entries()].filter(([index]) => ['planned', 'sending'].includes(journal.state(index + 1)));
    if (run === 'again') expect(left.every(([, { fate }]) => fate.startsWith('killed'))).toBe(true);
    await Promise.all(
      left.map(([index, plan]) =>
        row(index + 1, plan, matcher, journal).catch((error) => {
          if (!(error instanceof Killed)) throw error;
        }),
      ),
    );
    await journal.close();
  }
  return { service, old, outcomes };
}

const plan = (foreign: fc.Arbitrary<boolean>): fc.Arbitrary<RowPlan> =>
  fc.record({
    name: fc.constantFrom('7a', '7a', '7b', '8c'),
    fate: fc.constantFrom('ok', 'refused', 'lost after', 'lost before', 'killed after', 'killed before'),
    waits: fc.tuple(fc.nat(4), fc.nat(4)),
    foreign,
  });

const names = fc.array(fc.constantFrom('7a', '7b', '9z'), { maxLength: 3 });

test('without other clients, each created item belongs to exactly one row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan(fc.constant(false)), { minLength: 1, maxLength: 10 }),
      names,
      async (plans, before) => {
        const { service, outcomes } = await play(plans, before);
        for (const name of ['7a', '7b', '8c']) {
          const made = service.things.filter(({ className, by }) => className === name && by === 'job');
          const ids = [...outcomes.entries()]
            .filter(([number, { state }]) => plans[number - 1]?.name === name && state === 'created')
            .map(([, { id }]) => id);
          expect(ids.toSorted()).toEqual(made.map(({ classId }) => classId).toSorted());
        }
        expect(outcomes.size).toBe(plans.length);
      },
    ),
    { numRuns: 80 },
  );
});

test('with other clients, no item belongs to two rows, and no older item to any', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan(fc.boolean()), { minLength: 1, maxLength: 10 }), names, async (plans, before) => {
      const { service, old, outcomes } = await play(plans, before);
      const ids = [...outcomes.values()].flatMap(({ state, id }) => (state === 'created' ? [id ?? ''] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => old.has(id))).toEqual([]);
      for (const [number, { state, id }] of outcomes) {
        if (state !== 'created') continue;
        expect(service.things.find(({ classId }) => classId === id)?.className).toBe(plans[number - 1]?.name);
      }
    }),
    { numRuns: 80 },
  );
});

async function lost(): Promise<Attempt> {
  const error = new EduError('unreachable', 'lost');
  const facts = { running: false, hopeless: false, incomplete: false, inDoubt: () => error };
  return { is: 'unknown', error, ...facts, outcome: { is: 'unknown' } };
}

test('a row that is sent again waits for one item only', async () => {
  const service = school();
  const journal = await Journal.open(join(temporaryFolder(), 'journal'), 2);
  const { reader } = service;
  const matcher = new CreatedMatcher({
    client: reader,
    snapshot: reader,
    journal,
    rows: 2,
    isPart: false,
    takenIds: [],
  });
  const write = writeOf({ name: '7a' } as RowPlan);
  const [one, two] = [await matcher.before(write, 1, false), await matcher.before(write, 2, false)];
  if (one === undefined || two === undefined) throw new Error('nothing was noted');
  await matcher.send(write, one, lost);
  expect(await matcher.find(write, one)).toMatchObject({ is: 'absent' });
  matcher.release(one);
  await matcher.send(write, one, async () => ({ is: 'done', value: { classId: service.make('7a', 'job') } }));
  await matcher.send(write, two, lost);
  for (let other = 0; other < 2; other++) service.make('7a', 'other');
  expect(await matcher.find(write, two)).toMatchObject({
    is: 'unclear',
    why: expect.stringContaining('another program'),
  });
  await journal.close();
});

test('no item is attributed while a row that was sent without a trace may have created it', async () => {
  const fields = { maximumActivations: 5, expirationDate: '2030-01-01' };
  const items: object[] = [];
  async function* pages() {
    yield items;
  }
  const reader = { pages, call: () => Promise.reject(new Error('not asked for')) } as unknown as Reader;
  const journal = await Journal.open(join(temporaryFolder(), 'journal'), 2);
  void journal.sending(1);
  const matcher = new CreatedMatcher({
    ...{ client: reader, snapshot: reader, journal, rows: 2 },
    isPart: false,
    takenIds: [],
  });
  const write: RowWrite = { endpoint: subscriptions.create, input: { body: fields } };
  const trace = await matcher.before(write, 2, false);
  if (trace === undefined) throw new Error('nothing was noted');
  await matcher.send(write, trace, lost);
  items.push({ id: 'new', ...fields });
  expect(await matcher.find(write, trace)).toMatchObject({
    is: 'unclear',
    why: expect.stringContaining('whose response was lost'),
  });
  await journal.close();
});

test('of two items that were added since a row was sent, none is taken for its own', async () => {
  const { outcomes } = await play([{ name: '7a', fate: 'killed after', waits: [0, 0], foreign: true }], []);
  expect(outcomes.get(1)).toMatchObject({ state: 'unknown', error: 'unclear' });
});
