/** Cells that spreadsheets and wrong encodings damage. */
import { expect, test } from 'vitest';
import { damageOf } from '../../../../src/core/table/damage.js';

/** In the languages of the service: DE EN ES FR IT NL PT RU. */
const ERRORS = [
  ...['#NV', '#WERT!', '#BEZUG!', '#ZAHL!', '#ÜBERLAUF!', '#KALK!', '#NAME?', '#DIV/0!', '#NULL!', '#DATEN_ABRUFEN'],
  ...['#N/A', '#VALUE!', '#REF!', '#NUM!', '#SPILL!', '#CALC!', '#GETTING_DATA', '#FIELD!', '#BLOCKED!'],
  ...['#¡VALOR!', '#¡REF!', '#¿NOMBRE?', '#¡NOMBRE?', '#¡NUM!', '#¡DIV/0!', '#N/D', '#¡NULO!', '#¡DESBORDAMIENTO!'],
  ...['#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!', '#PROPAGATION!', '#CHARGEMENT_DONNEES'],
  ...['#VALORE!', '#RIF!', '#NOME?', '#NULLO!', '#ESPANSIONE!'],
  ...['#WAARDE!', '#VERW!', '#NAAM?', '#GETAL!', '#DEEL/0!', '#N/B', '#LEEG!', '#OVERLOOP!'],
  ...['#VALOR!', '#NÚM!', '#NOME?', '#EXCEDENTE!'],
  ...['#ЗНАЧ!', '#ССЫЛКА!', '#ИМЯ?', '#ЧИСЛО!', '#ДЕЛ/0!', '#Н/Д', '#ПУСТО!', '#ПЕРЕНОС!'],
  ...['Err:502', 'Fehler:508', 'Erreur :502', 'Ошибка:504'],
];

test.each(ERRORS)('%s is refused as the error of a formula', (cell) => {
  expect(damageOf(cell)).toMatch(/where a formula failed$/);
});

test.each([
  ['9.78E+12', /has cut the number/],
  ['9,78316E+12', /has cut the number/],
  ['1.2345678901234567E+19', /has cut the number/],
  ['#####', /wider than its column/],
  ['#FORMULA!', /never computed/],
  ['Jos\ufffd', /U\+FFFD/],
  ['\u0093Auto\u0094', /U\+0093/],
])('%s is refused', (cell, message) => {
  expect(damageOf(cell)).toMatch(message);
});

test.each([
  '#1',
  '#Team',
  '#5a!',
  'Nr. #7',
  '1e5',
  '1E5',
  'E+',
  '50%',
  'Raum:512',
  '7:30',
  'a#N/A',
  '007',
  '-',
  'x E+12',
])('%s is a text', (cell) => {
  expect(damageOf(cell)).toBeUndefined();
});
