/** Switches from environment variables. */
import { expect, test } from 'vitest';
import { isSet } from '../../../src/core/io.js';

test.each([undefined, '', ' ', '0', 'false', 'FALSE', 'no', 'Off'])('%j is off', (value) => {
  expect(isSet(value)).toBe(false);
});

test.each(['1', 'true', 'yes', 'on', '2'])('%j is on', (value) => {
  expect(isSet(value)).toBe(true);
});
