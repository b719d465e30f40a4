import { expect, test } from 'vitest';
import { readBoolean } from '../../../src/core/boolean.js';

test.each([
  [true, ['true', 'TRUE', ' Yes ', '1', 'on', 'WAHR', 'VRAI', 'VERDADERO', 'VERO', 'WAAR', 'VERDADEIRO', 'ИСТИНА']],
  [false, ['false', 'No', '0', 'off', 'FALSCH', 'FAUX', 'FALSO', 'ONWAAR', 'ЛОЖЬ']],
  [undefined, ['', 'maybe', '2', 'truely', 'wahrlich']],
])('reads %s in the languages of spreadsheets', (expected, texts) => {
  for (const text of texts) expect(readBoolean(text), text).toBe(expected);
});
