/**
 * Converts cells of a workbook to text: numbers in full, dates as yyyy-MM-dd (ECMA-376 part 1, 18.3.1.4 and 18.8.30).
 */

export interface NumberStyle {
  readonly isDate: boolean;
  /** Digits of a style such as `00000`, which shows 123 as 00123; 0 for none. */
  readonly digits: number;
}

/** The text of a cell whose formula no spreadsheet program has computed. */
export const UNCOMPUTED = '#FORMULA!';

const DAY_MS = 86_400_000;
/** Days from the workbook's epoch to 1970. Serial dates count a nonexistent 29 February 1900, so this fits from March 1900. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 } as const;

/** Built-in formats that show dates, including the East Asian ones, but not formats of times alone. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || id >= 50;

/** The style of a number format. @param code the format code of a custom format */
export function numberStyle(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) return { isDate: id <= 58 && isBuiltInDate(id), digits: 0 };
  const [positive = ''] = code.split(';');
  const bare = positive.replace(/"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g, '');
  return { isDate: /[yd]/i.test(bare) && !/general/i.test(bare), digits: /^0{2,}$/.test(bare) ? bare.length : 0 };
}

/** A serial date as `yyyy-MM-dd`, with its time if it has one. @throws RangeError if it is out of range */
function dateText(serial: number, is1904: boolean): string {
  const days = serial - DAYS_TO_1970[is1904 ? 1904 : 1900] + (!is1904 && serial < 60 ? 1 : 0);
  const text = new Date(Math.round(days * 86_400) * 1000).toISOString();
  return serial % 1 === 0 || Math.round(days * DAY_MS) % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 19);
}

/** A number in full. From 10¹⁵ on spreadsheets drop digits, so those stay in exponential form, which IDs reject. */
function numberText(number: number): string {
  if (Math.abs(number) < 1e15) return String(Number(number.toPrecision(15)));
  const [digits = '', power = ''] = number.toExponential().split('e+');
  return `${digits}E+${power.padStart(2, '0')}`;
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
export function cellText(type: string, raw: string, style: NumberStyle | undefined, is1904: boolean): string {
  if (type === 's' || type === 'e') return raw;
  if (type === 'str' || type === 'inlineStr') return unescaped(raw);
  if (type === 'b') return raw.trim() === '1' || raw.trim() === 'true' ? 'true' : 'false';
  if (type === 'd') return raw.replace(/T00:00(:00(\.0+)?)?Z?$/, '');
  const number = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(number))
    throw new Error(`${JSON.stringify(raw.slice(0, 40))} is not a number`);
  if (style?.isDate === true) return dateText(number, is1904);
  const text = numberText(number);
  return style !== undefined && /^\d+$/.test(text) ? text.padStart(style.digits, '0') : text;
}
