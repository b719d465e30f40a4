import { expect, test } from 'vitest';
import { seatsOf } from '../../../../src/commands/kinds/list-filter.js';

test.each([
  [
    'free seats',
    { maximumActivations: 3, numberOfActivations: 2 },
    { seats: 3, used: 2, isFull: false, isUnused: false },
  ],
  ['full', { maximumActivations: 3, numberOfActivations: 4 }, { seats: 3, used: 4, isFull: true, isUnused: false }],
  ['no seats', { maximumActivations: 0, numberOfActivations: 0 }, { seats: 0, used: 0, isFull: false, isUnused: true }],
  [
    'text',
    { maximumActivations: '30', numberOfActivations: '30' },
    { seats: 30, used: 30, isFull: true, isUnused: false },
  ],
  ['not shown', { maximumActivations: null, numberOfActivations: 'x' }, { isFull: false, isUnused: false }],
])('%s', (_, item, seats) => {
  expect(seatsOf(item)).toEqual(seats);
});
