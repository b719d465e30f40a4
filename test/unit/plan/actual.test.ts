import { expect, test } from 'vitest';
import { rolesOf } from '../../../src/plan/actual.js';

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
