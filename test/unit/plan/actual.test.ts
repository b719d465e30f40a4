import { expect, test } from 'vitest';
import { licenseOf, publicationOf, rolesOf, stateOf, userOf, writableOf } from '../../../src/plan/actual.js';
import { actual, license, user } from './small-states.js';

test.each([
  [
    [{ id: 'r1', name: 'Teacher' }, null, 'r2', { name: null }],
    [
      { id: 'r1', name: 'Teacher' },
      { id: '', name: '' },
    ],
  ],
  ['', []],
  [null, []],
])('reads roles in the response %j', (has, roles) => {
  expect(rolesOf(has)).toEqual(roles);
});

test('reads items without organization, and lists that contain null', () => {
  const own = { id: 's1', type: 'School' } as const;
  expect(userOf({ id: 'u1' } as never, own)).toMatchObject({ id: 'u1', organization: own });
  const books = [null, { id: 'b2' }, { id: 'b1' }];
  const license = { id: 'l1', code: 'a', organization: null, books, endUsers: [null, { id: 'u1' }] };
  expect(licenseOf(license as never, own)).toMatchObject({
    ...{ organization: own, holders: ['u1'] },
    // An update sends them as they are: after an activation the service refuses others.
    books: [
      { id: 'b2', ean: '' },
      { id: 'b1', ean: '' },
    ],
  });
  expect(publicationOf({ id: 'b1', organization: null } as never)).toMatchObject({ organization: { id: '' } });
});

test('reads numbers that are texts, and blanks that are not null', () => {
  const expiration = { type: 'Days', days: '365', date: '' };
  expect(licenseOf({ id: 'l1', expiration } as never)).toMatchObject({
    expiration: { type: 'Days', days: 365, date: null },
  });
  const settings = { indexPageNumber: '3', pageNumberOffset: '' };
  expect(publicationOf({ id: 'b1', year: '5', level: '', series: '', settings } as never)).toMatchObject({
    ...{ year: 5, level: null, series: null },
    settings: { indexPageNumber: 3, pageNumberOffset: null },
  });
});

test('knows how much an item is used, which no update can write', () => {
  const used = license({ numberOfActivations: 3 });
  expect(stateOf('licenses', used)).toMatchObject({ name: 'Autumn', numberOfActivations: 3 });
  expect(writableOf('licenses', used)).not.toHaveProperty('numberOfActivations');
  const [one] = actual().classes;
  if (one === undefined) throw new Error('no class');
  expect([stateOf('classes', one), writableOf('classes', one)]).toEqual([
    { name: '5a', subjectId: '01', users: 2 },
    { name: '5a', subjectId: '01' },
  ]);
  expect(stateOf('users', user('mia'))).not.toHaveProperty('numberOfActivations');
});
