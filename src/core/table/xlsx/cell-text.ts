/**
 * Converts cells of a workbook to text: dates as yyyy-MM-dd, percent and scientific numbers as shown, other numbers in
 * full (ECMA-376 part 1, 18.3.1.4 and 18.8.30).
 */
import type { CellKind } from '../rows.js';

export interface NumberStyle {
  readonly shows: 'number' | 'date' | 'time' | 'percent' | 'scientific' | 'fraction';
  /** Decimals of a percentage or mantissa; of a number, the digits of a style such as `00000`, which shows 123 as 00123. */
  readonly digits: number;
}

export interface TextOfCell {
  readonly text: string;
  readonly kind?: CellKind | undefined;
}

const DAY_S = 86_400;
/** Days from the workbook's epoch to 1970. Serial dates count a nonexistent 29 February 1900, so this fits from March 1900. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 } as const;

/** Built-in formats that are not plain numbers (18.8.30); 27 to 36 and 50 to 58 are East Asian dates. */
function builtInStyle(id: number): NumberStyle {
  const is = (...ids: readonly number[]): boolean => ids.includes(id);
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58))
    return { shows: 'date', digits: 0 };
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return { shows: 'time', digits: 0 };
  if (is(9, 10)) return { shows: 'percent', digits: id === 10 ? 2 : 0 };
  if (is(11, 48)) return { shows: 'scientific', digits: id === 11 ? 2 : 1 };
  return { shows: is(12, 13) ? 'fraction' : 'number', digits: 0 };
}

/** The style of a number format. @param code the format code of a custom format */
export function numberStyle(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) return builtInStyle(id);
  const [positive = ''] = code.split(';');
  const unquoted = positive.replace(/"[^"]*"|\\.|_.|\*./g, '');
  // Brackets hold colours and locales, but also elapsed time: [h]:mm.
  const bare = unquoted.replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  if (/general|standard/i.test(bare)) return { shows: 'number', digits: 0 };
  const decimals = /\.(0+)/.exec(bare)?.[1]?.length ?? 0;
  if (/E[+-]/i.test(bare)) return { shows: 'scientific', digits: decimals };
  if (bare.includes('%')) return { shows: 'percent', digits: decimals };
  if (/[yd]/i.test(bare) || (/m/i.test(bare) && !/[hs[]/i.test(bare))) return { shows: 'date', digits: 0 };
  if (/[hs]|\[m/i.test(bare)) return { shows: 'time', digits: 0 };
  if (/\?\//.test(bare)) return { shows: 'fraction', digits: 0 };
  return { shows: 'number', digits: /^0{2,}$/.test(bare) ? bare.length : 0 };
}

/** A serial date as `yyyy-MM-dd`, and its time, if it has one, as in the API: `yyyy-MM-dd HH:mm:ss`. @throws RangeError if it is out of range */
export function dateText(serial: number, is1904: boolean): string {
  const days = serial - DAYS_TO_1970[is1904 ? 1904 : 1900] + (!is1904 && serial < 60 ? 1 : 0);
  const seconds = Math.round(days * DAY_S);
  const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return seconds % DAY_S === 0 ? text.slice(0, 10) : text;
}

/** A part of a day as `07:30` or `07:30:15`; more than a day as hours. */
function timeText(serial: number): string {
  const seconds = Math.round(serial * DAY_S);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = '', minutes = '', rest = ''] = parts.map((part) => String(part).padStart(2, '0'));
  return `${hours}:${minutes}${rest === '00' ? '' : `:${rest}`}`;
}

/** An exponent of at least two digits, as spreadsheets show it: `9.78E+12`. */
function scientificText(number: number, decimals?: number): string {
  const [digits = '', sign = '', power = ''] = number.toExponential(decimals).split(/e([+-])/);
  return `${digits}E${sign}${power.padStart(2, '0')}`;
}

/** A number in full. From 10¹⁵ on spreadsheets drop digits, so those stay in exponential form, which IDs reject. */
function numberText(number: number, digits: number): TextOfCell {
  if (Math.abs(number) >= 1e15) return { text: scientificText(number) };
  const text = String(Number(number.toPrecision(15)));
  if (/^-?\d+\.\d+$/.test(text)) return { text, kind: 'decimal' };
  return { text: /^\d+$/.test(text) ? text.padStart(digits, '0') : text };
}

/** Decodes `_x000D_`, which stands for a character that XML cannot represent. */
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * The text of a cell.
 * @param type the attribute `t` of the cell
 * @param raw its value in the file; shared texts have been looked up
 * @throws Error if a number is invalid
 */
export function cellText(type: string, raw: string, style: NumberStyle | undefined, is1904: boolean): TextOfCell {
  if (type === 's' || type === 'e') return { text: raw };
  if (type === 'str' || type === 'inlineStr') return { text: unescaped(raw) };
  if (type === 'b') return { text: raw.trim() === '1' || raw.trim() === 'true' ? 'true' : 'false' };
  if (type === 'd') return { text: raw.replace(/T00:00(:00(\.0+)?)?Z?$/, ''), kind: 'date' };
  const number = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(number))
    throw new Error(`${JSON.stringify(raw.slice(0, 40))} is not a number`);
  const { shows, digits } = style ?? { shows: 'number', digits: 0 };
  if (shows === 'date') return { text: dateText(number, is1904), kind: 'date' };
  if (shows === 'time') return { text: timeText(number), kind: 'time' };
  if (shows === 'percent') return { text: `${Number((number * 100).toPrecision(15)).toFixed(digits)}%` };
  if (shows === 'scientific') return { text: scientificText(number, digits) };
  if (shows === 'fraction' && !Number.isInteger(number)) return { text: String(number), kind: 'fraction' };
  return numberText(number, digits);
}
