import { expect, test } from 'vitest';
import { isSet, readBoolean } from '../../../src/core/boolean.js';

test.each([
  [true, ['true', 'TRUE', ' Yes ', '1', 'on', 'WAHR', 'VRAI', 'VERDADERO', 'VERO', 'WAAR', 'VERDADEIRO', 'ИСТИНА']],
  [false, ['false', 'No', '0', 'off', 'FALSCH', 'FAUX', 'FALSO', 'ONWAAR', 'ЛОЖЬ']],
  [undefined, ['', 'maybe', '2', 'truely', 'wahrlich']],
])('reads %s in the languages of spreadsheets', (expected, texts) => {
  for (const text of texts) expect(readBoolean(text), text).toBe(expected);
});

test.each([
  [false, [undefined, '', ' ', '0', 'FALSE', 'no', 'Off']],
  [true, ['1', 'true', 'yes', '2', 'woodpecker']],
])('a variable of another program is on: %j', (expected, values) => {
  for (const value of values) expect(isSet(value), value).toBe(expected);
});
