/** Converts dates and numbers of spreadsheets to the form of flags. */
import { isDay } from '../day.js';
import { usageError } from '../errors.js';
import { dateText } from './xlsx/cell-text.js';

type DatePart = 'y' | 'm' | 'd';

const PATTERNS: Readonly<Record<string, string>> = { yyyy: '(\\d{4})', yy: '(\\d{2})' };

/** Midnight, which spreadsheets, databases and services append to a date. Another time may be midnight in another zone. */
const MIDNIGHT = '(?:[ T]0?0:00(?::00(?:\\.0+)?)?(?:Z|[+-]00:?00)?)?';

/**
 * Reads days written in a format such as `dd.MM.yyyy`: `yyyy` or `yy` (2000 to 2099), `MM` or `M`, `dd` or `d`.
 * @returns a function from a text to `yyyy-MM-dd`, or undefined if it has another form; whether the day exists is not checked
 * @throws a usage error for a format without year, month and day
 */
export function dateReader(format: string): (text: string) => string | undefined {
  const order: DatePart[] = [];
  const pattern = format.trim().replace(/y+|m+|d+|./gis, (piece) => {
    if (!/^(?:yyyy|yy|mm?|dd?)$/i.test(piece)) return piece.replace(/[^\p{L}\p{N}]/gu, '\\$&');
    order.push(piece.charAt(0).toLowerCase() as DatePart);
    return PATTERNS[piece.toLowerCase()] ?? '(\\d{1,2})';
  });
  const isWhole = order.length === 3 && new Set(order).size === 3;
  if (!isWhole || /[\p{L}\p{N}]/u.test(format.replace(/[ymd]/gi, '')))
    throw usageError(
      `--date-format ${JSON.stringify(format)} must contain a year, a month and a day.`,
      'Write it as dd.MM.yyyy, d/M/yy, MM/dd/yyyy or yyyyMMdd.',
    );
  // Without separators, 1112026 would be ambiguous, so days and months need two digits.
  const strict = /[a-z]{2,}/i.test(format.replace(/y+|m+|d+/gi, 'x'));
  const expression = new RegExp(`^${strict ? pattern.replaceAll('{1,2}', '{2}') : pattern}${MIDNIGHT}$`);
  return (text) => {
    const match = expression.exec(text.trim());
    if (match === null) return undefined;
    const [year = '', month = '', day = ''] = (['y', 'm', 'd'] as const).map((part) => match[order.indexOf(part) + 1]);
    return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  };
}

/** Values of `--date-format` by which a text is a day, for hints: two if day and month cannot be told apart. */
export function formatsFor(text: string): readonly string[] {
  const [, first = '', separator = '', last = ''] = /^(\d{1,4})([./-])\d{1,2}\2(\d{2,4})$/.exec(text.trim()) ?? [];
  if (separator === '') return [];
  const year = last.length === 4 ? 'yyyy' : 'yy';
  const orders = first.length > 2 ? ['yyyy MM dd'] : [`dd MM ${year}`, ...(separator === '.' ? [] : [`MM dd ${year}`])];
  return orders
    .map((order) => order.replaceAll(' ', separator))
    .filter((format) => isDay(dateReader(format)(text) ?? ''));
}

/**
 * The day that a spreadsheet shows for a number, from 1954 to 2119; undefined for other texts.
 * @param is1904 count from 1904, as workbooks of old Excel for Mac do
 */
export function serialDay(text: string, is1904: boolean): string | undefined {
  return /^[2-7]\d{4}$/.test(text) ? dateText(Number(text), is1904) : undefined;
}

/**
 * A whole number, maybe in groups of three digits with the same separator (1.000, 1,000, 1 000, 1'000; the first has no leading
 * zero), maybe with zero decimals: 365,0 and 365.00.
 */
const WHOLE = /^[+-]?(?:\d+|[1-9]\d{0,2}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*)(?:[.,]0{1,2})?$/;

/** Removes thousands separators and zero decimals from a whole number; other texts are returned unchanged. */
export function wholeText(text: string): string {
  const trimmed = text.trim();
  return !WHOLE.test(trimmed) ? text : trimmed.replace(/[.,]0{1,2}$/, '').replace(/[^\d+-]/g, '');
}
