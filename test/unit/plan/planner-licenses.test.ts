import { expect, test } from 'vitest';
import { type ActualLicense, licenseOf } from '../../../src/plan/actual.js';
import type { WantedLicense } from '../../../src/plan/want.js';
import { actual, at, book, license, plan, said } from './small-states.js';

const EXPIRATION = { type: 'Date', date: '2030-01-01' };
const TEACHER = { type: 'Teacher', books: [], expiration: null };
const NEW_TEACHER = { code: 't1', name: 'T', type: 'Teacher', maximumActivations: 1 };
const CATEGORY = { licenseCategory: 'School' };
/** What `maximumActivations` is if the service does not show it. */
const { maximumActivations: NONE } = licenseOf({} as never);
const BOTH = ['mia@s1.example', 'tom@s1.example'];

test.each<[string, Partial<ActualLicense>, Partial<WantedLicense>, readonly string[]]>([
  [
    'with a category, which a change would reset',
    CATEGORY,
    { name: 'Winter' },
    ['! autumn1: shows the category School, which a change may reset: give its ID in the column licenseCategory'],
  ],
  ['whose category is given', CATEGORY, { name: 'Winter', licenseCategory: '7' }, ['update licenses autumn1']],
  ['of which only the category is given', CATEGORY, { licenseCategory: '7' }, []],
  [
    'without a maximum, which no change may guess',
    { maximumActivations: NONE },
    { name: 'Winter' },
    ['! autumn1: shows no maximumActivations, which each change sends: give it in the column maximumActivations'],
  ],
  [
    'without a maximum, with people',
    { maximumActivations: NONE },
    { endUsers: BOTH },
    ['assign holders autumn1  mia@s1.example', 'assign holders autumn1  tom@s1.example'],
  ],
  ['whose maximum is given', { maximumActivations: NONE }, { maximumActivations: 9 }, ['update licenses autumn1']],
  [
    'of another type, organization and code',
    {},
    { id: 'l1', code: 'autumn2', type: 'Teacher', organization: 'Lycée' },
    [
      '! autumn1: code autumn1 → autumn2: the service cannot change it',
      '! autumn1: type Books → Teacher: the service cannot change it',
      '! autumn1: organization s1 → s2: the service cannot change it',
    ],
  ],
  [
    'with a maximum below its use',
    { numberOfActivations: 2 },
    { maximumActivations: 1, name: 'Winter' },
    ['update licenses autumn1', '! autumn1: maximumActivations 3 → 1: 2 are in use'],
  ],
  ['for teachers, with an end', TEACHER, { expiration: EXPIRATION }, ['update licenses autumn1']],
  ['for teachers, with books', TEACHER, { books: ['979'] }, ['update licenses autumn1']],
  [
    'for teachers, with the end that it has',
    { ...TEACHER, expiration: { ...EXPIRATION, days: null } },
    { expiration: EXPIRATION },
    [],
  ],
  ['for teachers, new with an end', {}, { ...NEW_TEACHER, expiration: EXPIRATION }, ['create licenses t1']],
  ['for teachers, new with books', {}, { ...NEW_TEACHER, books: ['979'] }, ['create licenses t1']],
  ['with other books', {}, { books: ['B2'] }, ['update licenses autumn1']],
  [
    'with other books after an activation',
    { numberOfActivations: 1 },
    { books: ['B2'] },
    ['! autumn1: its books cannot change after it was activated'],
  ],
  [
    'with more people than its maximum, and others',
    { maximumActivations: 2, numberOfActivations: 1, holders: ['u9'] },
    { endUsers: BOTH },
    [
      'assign holders autumn1  mia@s1.example',
      '! autumn1  tom@s1.example: all 2 activations are in use',
      '! autumn1: stays with 1 person: the service cannot take it away',
    ],
  ],
  ['that is to be removed', {}, { remove: true }, ['delete licenses autumn1']],
  [
    'that was activated and is to be removed',
    { numberOfActivations: 1 },
    { remove: true },
    ['cancel licenses autumn1'],
  ],
])('plans a licence %s', (_, is, wanted, expected) => {
  const state = { ...actual({ licenses: [license(is)] }), books: [book('B2', '979')] };
  expect(said(plan({ licenses: [{ at, code: 'autumn1', ...wanted }] }, state))).toEqual(expected);
});

const DAYS = 'expiration.days must be one of 30, 90, 365, 455, 820, 1095, 1185, 1550, 3650, not 31';

test.each<[string, Partial<WantedLicense>]>([
  ['maximumActivations must be at least 0, not -1', { maximumActivations: -1 }],
  ['type must be one of Books, Teacher, not "books"', { type: 'books' }],
  [DAYS, { expiration: { type: 'Days', days: 31 } }],
  [
    'expiration.date must be a day of the calendar, which 2026-02-30 is not',
    { expiration: { type: 'Date', date: '2026-02-30' } },
  ],
  ['expiration.date is required', { expiration: { type: 'Date' } }],
  ['expiration.date does not apply to the type Days', { expiration: { type: 'Days', days: 90, date: '2030-01-01' } }],
])('reports a value that neither a new nor an activated licence may have: %s', (message, wanted) => {
  for (const of of [NEW_TEACHER, { code: 'autumn1' }]) {
    const is = actual({ licenses: [license({ numberOfActivations: 2 })] });
    expect(plan({ licenses: [{ at, ...of, ...wanted }] }, is).faults).toMatchObject([{ message }]);
  }
});

test.each([
  [{ type: 'Days', days: 90 }, 'expiration 90 days'],
  [EXPIRATION, 'expiration 2030-01-01'],
])('shows the end of a new licence: %j', (expiration, words) => {
  const { view } = plan({ licenses: [{ at, ...NEW_TEACHER, expiration }] });
  expect(view.steps.map(({ more }) => more)).toEqual([expect.stringContaining(words)]);
});

test('says that an update may reset a category that the service does not show', () => {
  const why = (more: object) =>
    plan({ licenses: [{ at, code: 'autumn1', name: 'Winter', ...more }] }, actual({ licenses: [license()] })).view
      .steps;
  expect(why({}).map((step) => step.why)).toEqual(['a category may be reset: the service shows none']);
  expect(why({ licenseCategory: '7' }).map((step) => step.why)).toEqual(['']);
});

test('sends a book once that a row names twice', () => {
  const is = { ...actual({ licenses: [license()] }), books: [book('B2', '979')] };
  const { steps } = plan({ licenses: [{ at, code: 'autumn1', books: ['B2', '979'] }] }, is);
  expect(steps).toMatchObject([{ after: { books: ['B2'] } }]);
});
