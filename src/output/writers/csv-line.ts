/**
 * The lines of CSV files: RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180) with LF as in Unix tools, or for Excel with
 * CRLF, texts that it would change as formulas, and the delimiter of its language (docs/decisions/0005-output.md).
 */
import { toTextFormula } from '../../core/formula.js';
import { cellText } from './records.js';
import type { ExcelDelimiter } from './writer.js';

/** Excel's delimiter in a language: it follows the decimal separator. */
export const excelDelimiter = (language: string): ExcelDelimiter => (language === 'EN' ? ',' : ';');

export interface CsvStyle {
  readonly delimiter: string;
  readonly excel: boolean;
}

/** The byte order mark tells Excel that the file is UTF-8. */
export const csvStart = ({ excel }: Pick<CsvStyle, 'excel'>): string => (excel ? '\ufeff' : '');

/** In a file for Excel, the delimiters of other languages are quoted too, since LibreOffice splits at all of them by default. */
const needsQuotes = (text: string, { delimiter, excel }: CsvStyle): boolean =>
  /["\r\n]/.test(text) || text.includes(delimiter) || (excel && /[,;\t]/.test(text));

/** A cell for Excel. @param isDate the value is a date, which Excel may read as one */
export function excelCell(value: unknown, delimiter: string, isDate = false): string {
  const text = cellText(value);
  if (typeof value === 'boolean' || (isDate && DATE.test(text))) return text;
  if (typeof value === 'number') return delimiter === ';' ? text.replace('.', ',') : text;
  return toTextFormula(text);
}

/** `2026-01-31` and `2026-01-31 08:30:00`, which Excel reads in every language. */
const DATE = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/** A line with its line break. */
export function csvLine(cells: readonly string[], style: CsvStyle): string {
  const quoted = cells.map((text) => (needsQuotes(text, style) ? `"${text.replaceAll('"', '""')}"` : text));
  // An empty line, which readers skip, would lose a record whose only cell is empty.
  return `${quoted.join(style.delimiter) || '""'}${style.excel ? '\r\n' : '\n'}`;
}
