/** Dates and numbers as spreadsheets write them. */
import { describe, expect, test } from 'vitest';
import { dateReader, formatsFor, serialDay, wholeText } from '../../../../src/core/table/cell-forms.js';

describe('--date-format', () => {
  test.each([
    ['dd.MM.yyyy', '31.07.2026', '2026-07-31'],
    ['dd.MM.yyyy', '1.8.2026', '2026-08-01'],
    ['dd.MM.yyyy', '31.07.2026 00:00:00', '2026-07-31'],
    ['DD.MM.YYYY', '31.07.2026', '2026-07-31'],
    ['d/M/yy', '1/8/26', '2026-08-01'],
    ['MM/dd/yyyy', '07/31/2026', '2026-07-31'],
    ['yyyyMMdd', '20260731', '2026-07-31'],
    ['yyyyMd', '2026111', undefined],
    ['dd.MM.yyyy', '2026-07-31', undefined],
    ['dd.MM.yyyy', '31.07.26', undefined],
    ['dd.MM.yyyy', '31.07.2026 12:30', undefined],
    ['yyyy-MM-dd', '2026-07-31T00:00:00.000Z', '2026-07-31'],
    ['yyyy-MM-dd', '2026-07-31T00:00:00+0000', '2026-07-31'],
    ['yyyy-MM-dd', '2026-07-30T22:00:00Z', undefined],
    ['yyyy-MM-dd', '2026-07-31T00:00:00+02:00', undefined],
  ])('%s reads %s as %s', (format, text, day) => {
    expect(dateReader(format)(text)).toBe(day);
  });

  test.each(['', 'dd.MM', 'dd.MM.yyy', 'yyyy-MM-ddTHH:mm', 'date', 'dd.dd.yyyy'])('refuses %j', (format) => {
    expect(() => dateReader(format)).toThrow('must contain a year, a month and a day');
  });

  test.each([
    ['31.7.2026', ['dd.MM.yyyy']],
    ['31/07/26', ['dd/MM/yy']],
    ['07/31/2026', ['MM/dd/yyyy']],
    ['01/02/2026', ['dd/MM/yyyy', 'MM/dd/yyyy']],
    ['2026/07/31', ['yyyy/MM/dd']],
    ['2027-02-29', []],
    ['31/31/2026', []],
    ['tomorrow', []],
  ])('is suggested for %s', (text, formats) => {
    expect(formatsFor(text)).toEqual(formats);
  });
});

test.each([
  ['46234', false, '2026-07-31'],
  ['44772', true, '2026-07-31'],
  ['20000', false, '1954-10-03'],
  ['79999', false, '2119-01-10'],
  ['4711', false, undefined],
  ['12345', false, undefined],
  ['462345', false, undefined],
])('the number %s (from 1904: %s) is the day %s in a spreadsheet', (text, is1904, day) => {
  expect(serialDay(text, is1904)).toBe(day);
});

test.each([
  ['1.000', '1000'],
  ['1,000', '1000'],
  ['1 000', '1000'],
  ['1\u202f000', '1000'],
  ["1'234'567", '1234567'],
  ['1.000,00', '1000'],
  ['365,0', '365'],
  ['365.00', '365'],
  ['365', '365'],
  ['1.00.000', '1.00.000'],
  ['1.000,000', '1.000,000'],
  ['12.5', '12.5'],
  ['0,365', '0,365'],
  ['001.000', '001.000'],
  ['1e3', '1e3'],
  ['30 Tage', '30 Tage'],
])('reads the whole number %s as %s', (text, plain) => {
  expect(wholeText(text)).toBe(plain);
});
