/**
 * The lines of CSV files: RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180) with LF as in Unix tools, or for Excel with
 * CRLF, texts that it would change as formulas, and the delimiter of its language (docs/decisions/0005-output.md).
 */
import { toTextFormula } from '../../core/formula.js';
import { cellText } from './records.js';
import type { ExcelDelimiter } from './writer.js';

/** Excel's delimiter in a language: it follows the decimal separator. */
export const excelDelimiter = (language: string): ExcelDelimiter => (language === 'EN' ? ',' : ';');

/** A cell for Excel. @param isDate the value is a date, which Excel may read as one */
export function excelCell(value: unknown, delimiter: string, isDate = false): string {
  const text = cellText(value);
  if (typeof value === 'boolean' || (isDate && DATE.test(text))) return text;
  if (typeof value === 'number') return delimiter === ';' ? text.replace('.', ',') : text;
  return toTextFormula(text);
}

/** `2026-01-31` and `2026-01-31 08:30:00`, which Excel reads in every language. */
const DATE = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/** Returns a function that makes a line, with its line break. @param columns the number of cells @param excel for Excel */
export function csvLines(delimiter: string, columns: number, excel = false): (cells: readonly string[]) => string {
  // In a file for Excel, the delimiters of other languages are quoted too, since LibreOffice splits at all of them by default.
  const own = delimiter.replace(/[\]\\^-]/, '\\$&');
  const special = `"\\r\\n${excel ? ',;\\t' : own}`;
  const quoted = new RegExp(`[${special}]`);
  const cell = (text: string): string => (quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  // A line of cells without quotes: testing it as a whole takes a fifth of the time of testing its cells.
  const plain = new RegExp(`^[^${special}]*(?:[${own}][^${special}]*){${columns - 1}}$`);
  const end = excel ? '\r\n' : '\n';
  return (cells) => {
    const line = cells.join(delimiter);
    // An empty line, which readers skip, would lose a record whose only cell is empty.
    return `${(plain.test(line) ? line : cells.map(cell).join(delimiter)) || '""'}${end}`;
  };
}
