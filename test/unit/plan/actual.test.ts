import { expect, test } from 'vitest';
import { licenseOf, publicationOf, stateOf, userOf, writableOf } from '../../../src/plan/actual.js';
import { actual, license, user } from './small-states.js';

test('reads items without organization', () => {
  const own = { id: 's1', type: 'School' } as const;
  expect(userOf({ id: 'u1' } as never, own)).toMatchObject({ id: 'u1', organization: own });
  const license = { id: 'l1', organization: null, books: [{ id: 'b2' }, { id: 'b1' }] };
  // An update sends the books as they are: after an activation the service refuses others.
  const books = [
    { id: 'b2', ean: '' },
    { id: 'b1', ean: '' },
  ];
  expect(licenseOf(license as never, own)).toMatchObject({ organization: own, books });
  expect(publicationOf({ id: 'b1', organization: null } as never)).toMatchObject({ organization: { id: '' } });
});

test('reads numbers that are texts, and blanks that are not null', () => {
  const expiration = { type: 'Days', days: '365', date: '' };
  expect(licenseOf({ id: 'l1', expiration } as never)).toMatchObject({
    expiration: { type: 'Days', days: 365, date: null },
  });
  const settings = { indexPageNumber: '3', pageNumberOffset: '' };
  expect(publicationOf({ id: 'b1', year: '5', level: '', series: '', settings } as never)).toMatchObject({
    year: 5,
    level: null,
    series: null,
    settings: { indexPageNumber: 3, pageNumberOffset: null },
  });
});

test('knows what an update keeps, and how much an item is used, which it cannot write', () => {
  const used = license({ numberOfActivations: 3 });
  expect(stateOf('licenses', used)).toMatchObject({ name: 'Autumn', numberOfActivations: 3 });
  expect(writableOf('licenses', used)).not.toHaveProperty('numberOfActivations');
  const { books, expiration } = license();
  const teacher = (has: object) => Object.keys(writableOf('licenses', license({ type: 'Teacher', ...has })));
  expect(teacher({ books, expiration })).toEqual(expect.arrayContaining(['books', 'expiration']));
  expect(teacher({ books: [], expiration: null })).toEqual(['name', 'maximumActivations', 'type']);
  const [one] = actual().classes;
  if (one === undefined) throw new Error('no class');
  expect([stateOf('classes', one), writableOf('classes', one)]).toEqual([
    { name: '5a', subjectId: '01', users: 2 },
    { name: '5a', subjectId: '01' },
  ]);
  expect(stateOf('users', user('mia'))).not.toHaveProperty('numberOfActivations');
});
