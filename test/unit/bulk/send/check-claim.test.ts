/** What the claim of a results file, that a row was created, becomes by what the service shows. */
import { expect, test } from 'vitest';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import { type Claim, claimChecker } from '../../../../src/bulk/send/check-claim.js';
import { snapshotOf } from '../../../../src/bulk/send/listed-before.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { schools } from '../../../../src/contract/schools.js';
import { subscriptions } from '../../../../src/contract/subscriptions.js';
import { bench } from '../../client/support.js';

/** What the service shows, by path; anything else is not found. */
type Shown = Readonly<Record<string, unknown>>;

async function checked(write: RowWrite, claims: readonly Claim[], shown: Shown, knownId?: string) {
  const { client, lines } = bench(({ path }) => {
    const body = { '/v1/account': { id: 'me' }, ...shown }[path.replace(/\?.*/, '')];
    return typeof body === 'number' ? { status: body } : body === undefined ? { status: 404 } : { body };
  });
  const check = claimChecker(client, snapshotOf(client));
  const outcomes = [];
  for (const claim of claims) outcomes.push(await check(write, claim, knownId));
  return { outcomes, lines: lines() };
}

const licence = (more: Partial<RowWrite> = {}): RowWrite => ({
  endpoint: licenses.create,
  input: { body: { name: 'A', code: 'abc', type: 'Teacher', maximumActivations: 1 } },
  ...more,
});
const derived = licence({ hasOwnKey: true });
const school: RowWrite = { endpoint: schools.create, input: { body: { name: 'A', city: 'X' } } };
const subscription: RowWrite = { endpoint: subscriptions.create, input: { body: { maximumActivations: 7 } } };
const schoolClass: RowWrite = {
  endpoint: classes.create,
  input: { body: { name: 'A', schoolId: 's1', subjectId: '1' } },
};
const stored = { id: '7', name: 'A', code: 'abc', type: 'Teacher', maximumActivations: 1 };
const inClass = { classId: '7', className: 'A', schoolId: 's1', subjectId: '1' };

const oneLicence = (body: unknown): Shown => ({ '/v1/licenses/7': body });
const oneSchool = (body: unknown): Shown => ({ '/v1/schools/7': body });
const listed = (...all: readonly unknown[]): Shown => ({ '/v1/schools/s1/classes': { classes: all } });
const EMPTY = 'Empty its edu_ cells to create it.';
const other = (noun: string, what: string): string => `edu_id 7 is a ${noun} with other values: ${what}. ${EMPTY}`;
const UNSHOWN = `cannot check edu_id 7: the service does not show that subscription. ${EMPTY}`;

test.each<[string, RowWrite, Shown, string | undefined, { readonly code?: string; readonly knownId?: string }]>([
  ['a licence as it says', licence(), oneLicence(stored), 'exists 7 abc', {}],
  ['a licence that is gone', licence(), {}, 'gone', {}],
  ['another licence', licence(), oneLicence({ ...stored, name: 'B' }), other('licence', 'name is "B", not "A"'), {}],
  ['another code', licence(), oneLicence({ ...stored, code: 'd' }), other('licence', 'code is "d", not "abc"'), {}],
  ['a code in capitals', licence(), oneLicence({ ...stored, code: 'ABC' }), 'exists 7 ABC', {}],
  ['a derived code of another machine', derived, oneLicence({ ...stored, code: 'd' }), 'exists 7 d', {}],
  [
    'an edu_code of another licence',
    derived,
    oneLicence(stored),
    other('licence', 'code is "abc", not "d"'),
    { code: 'd' },
  ],
  ['a licence without its code', licence(), oneLicence({ ...stored, code: null }), 'exists 7 abc', { code: 'abc' }],
  ['a licence that is not shown', licence(), oneLicence(403), undefined, {}],
  ['an answer that shows no value', licence(), oneLicence({ id: '7' }), undefined, {}],
  ['a school as it says', school, oneSchool({ id: '7', name: 'A', city: 'X' }), 'exists 7', {}],
  ['another school', school, oneSchool({ id: '7', name: 'B' }), other('school', 'name is "B", not "A"'), {}],
  ['a name in capitals', school, oneSchool({ id: '7', name: 'a' }), other('school', 'name is "a", not "A"'), {}],
  ['a hidden thing without a key', subscription, { '/v1/subscriptions/7': 403 }, UNSHOWN, {}],
  ['one that this machine made', subscription, { '/v1/subscriptions/7': 403 }, undefined, { knownId: '7' }],
  ['one that this machine did not make', subscription, { '/v1/subscriptions/7': 403 }, UNSHOWN, { knownId: '8' }],
  ['a class of the school', schoolClass, listed(inClass), 'exists 7', {}],
  ['a deleted class', schoolClass, listed({ ...inClass, deactivationDate: '2026-01-01' }), 'gone', {}],
  [
    'a class of another school',
    schoolClass,
    { ...listed(), '/v1/classes/7': { classId: '7', className: 'A', subjectId: '1' } },
    other('class', 'schoolId is "another", not "s1"'),
    {},
  ],
  [
    'a class in a hidden list',
    schoolClass,
    { '/v1/schools/s1/classes': 403, '/v1/classes/7': inClass },
    'exists 7',
    {},
  ],
])('%s', async (_, write, shown, expected, { code, knownId }) => {
  const { outcomes } = await checked(write, [{ id: '7', code }], shown, knownId);
  const [outcome] = outcomes;
  if (typeof outcome !== 'object') return expect(outcome).toBe(expected);
  const { state, id, code: given, error, claimed } = outcome;
  // An item that belongs to another thing is not named, and what a file claims is not recorded as seen.
  expect([error ?? [state, id, given].filter(Boolean).join(' '), error === undefined ? claimed : id]).toEqual([
    expected,
    error === undefined ? true : undefined,
  ]);
});

test('without an ID only the key decides', async () => {
  const claim = { id: undefined, code: 'abc' };
  const keyed = await checked(licence(), [claim], {});
  const unkeyed = await checked(subscription, [claim], {});
  expect([keyed.outcomes, keyed.lines, unkeyed.outcomes]).toEqual([
    [undefined],
    [],
    [{ state: 'conflict', error: `edu_status says that it was created, without an edu_id. ${EMPTY}` }],
  ]);
});

test('of more than fifty claims, the others are read from a list, once', async () => {
  const claims = Array.from({ length: 53 }, (_, index) => ({ id: `x${index}`, code: undefined }));
  const all = claims.map(({ id }) => ({ ...stored, id }));
  const shown = {
    '/v1/licenses': { licenses: all },
    ...Object.fromEntries(all.map((one) => [`/v1/licenses/${one.id}`, one])),
  };
  const { outcomes, lines } = await checked(licence(), claims, shown);
  expect(outcomes.every((outcome) => typeof outcome === 'object' && outcome.state === 'exists')).toBe(true);
  expect(lines.slice(0, 50)).toEqual(claims.slice(0, 50).map(({ id }) => `GET /v1/licenses/${id}`));
  expect(lines).toHaveLength(51);
});
