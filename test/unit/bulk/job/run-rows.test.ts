/** The stages of rows in a job: the order of journal and requests, what is sent, and what stays for another run. */
import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/bulk/job/states.js';
import type { KnownRow } from '../../../../src/bulk/send/known-row.js';
import type { Attempt, Client } from '../../../../src/client/request/client.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { subscriptions } from '../../../../src/contract/subscriptions.js';
import { EduError } from '../../../../src/core/errors.js';
import { events, observeRuns, runAll, verbOf } from './run-all.js';

const failed = (status: number, is: 'undone' | 'unknown'): Attempt => ({
  is,
  error: new EduError(status < 503 ? 'server_error' : 'unavailable', 'failed', { status }),
  running: false,
  hopeless: false,
  incomplete: false,
  inDoubt: () => new EduError('outcome_unknown', 'failed'),
  outcome: { is: 'unknown' },
});

observeRuns();

/** Whether the journal had a row on disk before its request began. */
function wasSyncedFirst(row: number): boolean {
  const sent = events.indexOf(`sent ${row}`);
  const written = events.findIndex((event) => event.startsWith(`written {"row":${row},"state":"sending"`));
  const synced = events.indexOf('synced', written);
  return written >= 0 && synced > written && synced < sent;
}

test.each([
  ['a key, which are noted ahead', licenses.create],
  ['no key, which are noted one by one', subscriptions.create],
])('the journal is on disk before the first byte of a row is sent: rows with %s', async (_, endpoint) => {
  const { sent, states } = await runAll({ endpoint, count: 60 });
  expect(sent).toHaveLength(60);
  expect(states.every((state) => state === 'created')).toBe(true);
  for (const row of sent) expect(wasSyncedFirst(row), `row ${row} of ${events.join('\n')}`).toBe(true);
});

test('as many rows as --concurrency allows are sent at once, and more of those with a key share a sync', async () => {
  const { atOnce } = await runAll({ count: 200 });
  const syncs = events.filter((event) => event === 'synced').length;
  expect([atOnce, syncs < 30]).toEqual([4, true]);
});

test('rows that were noted and not sent are planned again', async () => {
  let count = 0;
  const { sent, states, end } = await runAll({ endsWith: () => (++count === 3 ? { by: 'max-errors' } : undefined) });
  expect(end.stopped).toEqual({ by: 'max-errors' });
  expect(sent.length).toBeLessThan(20);
  for (const [index, state] of states.entries()) expect(state).toBe(sent.includes(index + 1) ? 'created' : 'planned');
});

test('--limit counts the rows that are sent', async () => {
  const { sent, states } = await runAll({ limit: 5 });
  expect([sent.sort(), states.filter((state) => state === 'planned').length]).toEqual([[1, 2, 3, 4, 5], 15]);
});

test('an expired token ends the job, and no row of it may have been carried out', async () => {
  const error = new EduError('unauthenticated', 'expired', { status: 401 });
  const { end, sent, states } = await runAll({ attempt: () => ({ is: 'refused', status: 401, error }) });
  expect([end.reason, sent.length <= 4]).toEqual([error, true]);
  expect(new Set(states)).toEqual(new Set(['planned']));
});

test('a row that the service keeps failing fails while others succeed', async () => {
  const attempt = (row: number): Attempt =>
    row === 1 ? failed(502, 'unknown') : { is: 'done', value: { id: `L${row}`, code: String(row) } };
  const { end, states } = await runAll({ retries: 1, maxRetries: 1, attempt });
  expect([states[0], end.reason]).toEqual(['rejected', undefined]);
});

test.each([
  [1, 1, undefined],
  [20, 0, 500],
])(
  'of %i rows that always get 500, %i are rejected: others are left for another run',
  async (count, rejected, reason) => {
    const { states, end } = await runAll({ count, retries: 1, attempt: () => failed(500, 'unknown') });
    expect(states.filter((state) => state === 'rejected').length).toBe(rejected);
    expect(end.reason?.status).toBe(reason);
  },
);

test('a service that has answered before may be unreachable for more attempts than --retries', async () => {
  let left = 2;
  const error = new EduError('unreachable', 'no connection');
  const away = (): Attempt => ({ ...failed(503, 'undone'), error }) as Attempt;
  const done: Attempt = { is: 'done', value: { id: 'L1', code: '1' } };
  const run = { count: 1, retries: 1, attempt: () => (left-- > 0 ? away() : done) };
  const { states, sent, end } = await runAll(run);
  expect([states, sent.length, end.reason]).toEqual([['created'], 3, undefined]);
});

test.each([
  [0, 1],
  [2, 3],
])('--retries %i is the maximum, and the row stays for another run', async (maxRetries, attempts) => {
  const shown: Outcome[] = [];
  const { sent, end, states } = await runAll({
    count: 1,
    retries: maxRetries,
    maxRetries,
    attempt: () => failed(503, 'undone'),
    onRow: (outcome) => shown.push(outcome),
  });
  expect([sent.length, states, shown]).toEqual([attempts, ['planned'], []]);
  expect(end.reason?.status).toBe(503);
});

test.each([
  ['a create with a key', licenses.create],
  ['a write by ID', licenses.update],
])('a row that may have been carried out when the job stops stays "sending": %s', async (_, endpoint) => {
  const shown: Outcome[] = [];
  const { states, end } = await runAll({
    endpoint,
    count: 1,
    retries: 0,
    maxRetries: 0,
    attempt: () => failed(503, 'unknown'),
    onRow: (outcome) => shown.push(outcome),
  });
  expect([states, end.reason?.status, shown]).toEqual([['sending'], 503, []]);
});

test('a row of several writes is unknown if one of them may have been carried out', async () => {
  const attempts: Attempt[] = [
    { is: 'done', value: {} },
    failed(503, 'unknown'),
    { is: 'refused', status: 400, error: new EduError('refused', 'no', { status: 400 }) },
  ];
  const verb = verbOf(licenses.assign);
  const { sent, states } = await runAll({
    count: 1,
    verb: { ...verb, plan: async (values) => [...(await verb.plan(values)), ...(await verb.plan(values))] },
    attempt: () => attempts.shift() ?? failed(503, 'undone'),
  });
  expect([sent.length, states]).toEqual([3, ['unknown']]);
});

test('created classes that cannot be listed again are done all the same', async () => {
  const warnings: string[] = [];
  const { states } = await runAll({
    endpoint: classes.create,
    count: 1,
    valuesOf: () => ({ values: { schoolId: 's1', subjectId: '1' }, hasOwnKey: false }),
    client: {
      hasResponded: true,
      async *pages() {
        yield* [];
        throw new EduError('unavailable', 'down');
      },
      attempt: async () => ({ is: 'done', value: { classId: 'c1' } }),
    } as unknown as Client,
    warn: (text) => warnings.push(text),
  });
  expect(states).toEqual(['created']);
  expect(warnings).toEqual(['Cannot check whether another program created equal classes at the same time: down.']);
});

const created = (id: string): KnownRow['outcome'] => ({ state: 'created', id, code: '1' });

test('a row of another job is looked up by its key, and noted only if it is sent', async () => {
  const known: KnownRow = { outcome: created('L20'), job: 'other', isOwn: false };
  const shown: string[] = [];
  const { sent, states, end } = await runAll({
    known: { count: 1, of: (row) => (row === 20 ? known : undefined) },
    snapshot: { call: async () => ({ id: 'L20', code: '20', name: 'A' }) } as unknown as Client,
    onRow: ({ state }) => shown.push(state),
  });
  expect([sent.length, states[19], end.found, shown.length]).toEqual([19, 'exists', 1, 20]);
  expect(events.some((event) => event.startsWith('written {"row":20,"state":"sending"'))).toBe(false);
});

test('a row of another job that cannot be looked up is rejected', async () => {
  const { sent, states } = await runAll({
    count: 1,
    known: { count: 1, of: () => ({ outcome: created('L1'), job: 'j', isOwn: false }) },
    client: { hasResponded: true, call: () => Promise.reject(unreadable) } as unknown as Client,
  });
  expect([sent, states]).toEqual([[], ['rejected']]);
});

const unreadable = new EduError('refused', 'no', { status: 400 });
const outage = new EduError('unavailable', 'down', { status: 503 });
const missing = new EduError('not_found', 'no');
const refused: Attempt = { is: 'refused', status: 400, error: unreadable };
const sentAgain: Attempt = { is: 'done', value: { id: 'L2', code: '1' } };
const other = { id: 'L1', code: '1', name: 'B' };
const item = (id: string) => ({ id, code: '1', name: 'A' });

test.each<[string, Outcome, Attempt | undefined, (EduError | object)[], readonly unknown[]]>([
  ['is shown', created('L1'), undefined, [item('L1')], ['created', 'L1', []]],
  ['is shown, and had no ID', { state: 'created', code: '1' }, undefined, [item('L1')], ['created', 'L1', []]],
  ['is another one', created('L1'), undefined, [item('L2')], ['exists', 'L2', ['exists'], 'found']],
  ['is shown at the second look', created('L1'), undefined, [missing, item('L1')], ['created', 'L1', []]],
  ['has other values', created('L1'), sentAgain, [other], ['created', 'L2', ['created'], 'gone']],
  ['was cancelled', { ...created('L1'), undone: 'cancelled' }, undefined, [], ['created', 'L1', [], 'cancelled']],
  ['cannot be looked up in an outage', created('L1'), undefined, [outage], ['created', 'L1', [], 503]],
  [
    'cannot be looked up',
    created('L1'),
    undefined,
    [unreadable],
    ['created', 'L1', ['Cannot check whether the item of row 1 still exists: no.']],
  ],
  ['is shown once it is refused', created('L1'), refused, [missing, missing, item('L1')], ['created', 'L1', []]],
  ['was deleted', created('L1'), sentAgain, [missing, missing], ['created', 'L2', ['created'], 'gone']],
])('a row that this job created, whose item %s', async (_, done, attempt, looks, expected) => {
  const shown: string[] = [];
  const client = {
    hasResponded: true,
    call: async () => {
      const look = looks.shift();
      if (look instanceof EduError) throw look;
      return look;
    },
    attempt: async () => attempt,
  } as unknown as Client;
  const { states, last, end } = await runAll({
    count: 1,
    done,
    retries: 0,
    maxRetries: 0,
    known: { count: 1, of: () => ({ outcome: done, job: 'j', isOwn: true }) },
    client,
    snapshot: client,
    onRow: ({ state }) => shown.push(state),
    warn: (text) => shown.push(text),
  });
  const counts = (['found', 'gone', 'cancelled'] as const).filter((name) => end[name] > 0);
  expect(looks).toEqual([]);
  expect([...states, last.id, shown, ...counts, ...(end.reason ? [end.reason.status] : [])]).toEqual(expected);
});

test('a created row that is left when the job stops stays created', async () => {
  const known: KnownRow = { outcome: created('L4'), job: 'j', isOwn: true };
  const { states } = await runAll({
    count: 4,
    concurrency: 1,
    done: created('L4'),
    known: { count: 1, of: (row) => (row === 4 ? known : undefined) },
    endsWith: () => ({ by: 'max-errors' }),
  });
  expect(states).toEqual(['created', 'planned', 'planned', 'created']);
});

test('a row whose look-up is given up is left, and the job says why', async () => {
  const settled = () => Promise.reject(outage);
  const { states, end } = await runAll({ count: 1, retries: 0, maxRetries: 0, settled });
  expect([states, end.reason]).toEqual([['planned'], outage]);
});
