/** Whether items of rows that were created before still exist, and which codes of a plan are looked up one by one. */
import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/bulk/job/states.js';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import { codeProbe, presence } from '../../../../src/bulk/send/known-row.js';
import { snapshotOf } from '../../../../src/bulk/send/listed-before.js';
import type { Client } from '../../../../src/client/request/client.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { subscriptions } from '../../../../src/contract/subscriptions.js';
import { bench, failure } from '../../client/support.js';

const write = (code: string, hasOwnKey = false, type = 'Teacher'): RowWrite => ({
  endpoint: licenses.create,
  input: { body: { type, code } },
  hasOwnKey,
});

/** A client whose lists of each type show a code. */
const client = {
  async *pages(_: unknown, { query }: { query: { type: string; language: unknown } }) {
    yield [{ code: `${query.type} ${query.language}` }];
  },
} as unknown as Client;

test.each([
  ['a code of 51 rows that a user gave', 51, write('a'), true],
  ['a derived code of 50 rows', 50, write('a', true), true],
  ['a listed derived code of 51 rows', 51, write('TEACHER undefined', true), true],
  ['a derived code of 51 rows that is listed for another type', 51, write('BOOKS undefined', true), false],
  ['a listed derived code of books', 51, write('BOOKS undefined', true, 'Books'), true],
  ['another derived code of 51 rows', 51, write('a', true), false],
])('%s may be taken or not', async (_, rows, one, mayBeTaken) => {
  expect(await codeProbe(client, rows)(one)).toBe(mayBeTaken);
});

const licence = write('abc');
const subscription: RowWrite = { endpoint: subscriptions.create, input: { body: { maximumActivations: 7 } } };
const schoolClass: RowWrite = { endpoint: classes.create, input: { body: { name: 'A', schoolId: 's1' } } };
const known = (...outcomes: readonly Partial<Outcome>[]) => {
  const [first, ...others] = outcomes.map((one) => ({
    outcome: { state: 'created', ...one } as Outcome,
    job: one.id ?? '',
  }));
  if (first === undefined) throw new TypeError('no outcome');
  return { ...first, isOwn: false, others };
};
const deactivated = { id: '7', classId: '7', deactivationDate: '2026-01-01' };

/** What the service shows at each look, by path; anything else is not found. */
type Looks = readonly Readonly<Record<string, unknown>>[];
const list = (...all: readonly unknown[]) => ({ '/v1/schools/s1/classes': { classes: all } });
const hiddenList = { '/v1/schools/s1/classes': 403, '/v1/classes/7': { classId: '7' } };
const read = (body: unknown) => ({ '/v1/subscriptions/7': body });
const listed = (...ids: readonly string[]) => ({ '/v1/subscriptions': { subscriptions: ids.map((id) => ({ id })) } });

/** @param settle `stopped`: the run ends during the wait; `never`: a dry run */
async function present(one: RowWrite, row: ReturnType<typeof known>, looks: Looks, rows = 1, settle = '') {
  let look = 0;
  const { client: service, lines } = bench(({ path }) => {
    const body = { '/v1/account': { id: 'me' }, ...looks[look] }[path.replace(/\?.*/, '')];
    return typeof body === 'number' ? { status: body } : body === undefined ? { status: 404 } : { body };
  });
  const next = async (): Promise<boolean> => {
    look++;
    return settle !== 'stopped';
  };
  const find = presence(service, snapshotOf(service), rows, settle === 'never' ? undefined : next);
  const found = await find(one, row);
  return `${found.is} ${found.job} ${found.outcome.id} (${look}, ${lines().filter((line) => !line.includes('account')).length})`;
}

test.each<[string, RowWrite, ReturnType<typeof known>, Looks, string, ...[rows?: number, settle?: string]]>([
  ['a class in the list', schoolClass, known({ id: '7' }), [list({ classId: '7' })], 'there 7 7 (0, 1)'],
  ['a class that appears late', schoolClass, known({ id: '7' }), [list(), list({ classId: '7' })], 'there 7 7 (1, 2)'],
  ['a deleted class', schoolClass, known({ id: '7' }), [list(deactivated), list(deactivated)], 'gone 7 7 (1, 2)'],
  ['a class that an undo deleted', schoolClass, known({ id: '7', undone: 'deleted' }), [list()], 'gone 7 7 (0, 1)'],
  [
    'a class, in a dry run',
    schoolClass,
    known({ id: '7' }),
    [list(), list({ classId: '7' })],
    'gone 7 7 (0, 1)',
    1,
    'never',
  ],
  [
    'a later class of the row',
    schoolClass,
    known({ id: '7' }, { id: '8' }),
    [list({ classId: '8' })],
    'there 8 8 (0, 1)',
  ],
  ['a subscription', subscription, known({ id: '7' }), [read({ id: '7' })], 'there 7 7 (0, 1)'],
  ['a class in a hidden list', schoolClass, known({ id: '7' }), [hiddenList], 'there 7 7 (0, 2)'],
  ['a deleted subscription', subscription, known({ id: '7' }), [{}, {}], 'gone 7 7 (1, 2)'],
  [
    'an inactive subscription',
    subscription,
    known({ id: '7' }),
    [read(deactivated), read(deactivated)],
    'gone 7 7 (1, 2)',
  ],
  ['a hidden subscription', subscription, known({ id: '7' }), [read(403)], 'there 7 7 (0, 1)'],
  ['an item without an ID', subscription, known({}), [], 'there  undefined (0, 0)'],
  ['an item that an undo cancelled', subscription, known({ id: '7', undone: 'cancelled' }), [], 'there 7 7 (0, 0)'],
  ['a licence, found by its code', licence, known({ id: '7', code: 'abc' }), [], 'keyed 7 7 (0, 0)'],
  ['a licence that an undo deleted', licence, known({ id: '7', undone: 'deleted' }), [], 'gone 7 7 (0, 0)'],
  ['one of 51 in the list', subscription, known({ id: '7' }), [listed('6', '7')], 'there 7 7 (0, 1)', 51],
  [
    'one of 51 that is not in it',
    subscription,
    known({ id: '7' }),
    [{ ...listed('6'), ...read({}) }],
    'there 7 7 (0, 2)',
    51,
  ],
])('%s', async (_, one, row, looks, expected, rows, settle) => {
  expect(await present(one, row, looks, rows, settle)).toBe(expected);
});

test('a run that ends before the second look says nothing about the item', async () => {
  const looked = present(schoolClass, known({ id: '7' }), [list(), list()], 1, 'stopped');
  expect(await failure(looked)).toMatchObject({ kind: 'interrupted' });
});

test('each school has its own list of classes', async () => {
  const { client: service } = bench(({ path }) => ({
    body: { classes: path.includes('s1') ? [{ classId: '7' }] : [] },
  }));
  const find = presence(service, snapshotOf(service), 1);
  const there = { endpoint: classes.create, input: { body: { name: 'A', schoolId: 's2' } } };
  expect([(await find(schoolClass, known({ id: '7' }))).is, (await find(there, known({ id: '7' }))).is]).toEqual([
    'there',
    'gone',
  ]);
});
