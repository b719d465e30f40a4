/** Parses the records of data files: lines of JSON, or records of a csv. */
import { parseJson } from '../../core/exact-json.js';
import { fromTextFormula } from '../../core/formula.js';
import { isObject, type JsonObject } from '../../core/json.js';
import type { Format } from './file-format.js';

/** Parses a record; undefined for one that is not an item. */
type Parse = (record: string) => JsonObject | undefined;

/** The first character of a csv for Excel, which has CRLF, texts as formulas, and the delimiter of its language. */
const BYTE_ORDER_MARK = '\ufeff';

/** The cells of one record (RFC 4180). */
function cellsOf(record: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= record.length; ) {
    if (record[at] !== '"') {
      const comma = record.indexOf(delimiter, at);
      const end = comma < 0 ? record.length : comma;
      cells.push(record.slice(at, end));
      at = end + 1;
      continue;
    }
    let cell = '';
    for (let from = at + 1; ; ) {
      const quote = record.indexOf('"', from);
      const end = quote < 0 ? record.length : quote;
      cell += record.slice(from, end);
      if (record[end + 1] !== '"') {
        at = end + 2;
        break;
      }
      cell += '"';
      from = end + 2;
    }
    cells.push(cell);
  }
  return cells;
}

function parseLine(line: string): JsonObject | undefined {
  if (line === '' || line === '[' || line === ']' || line === '[]') return undefined;
  const value = parseJson(line);
  return isObject(value) ? value : { id: value };
}

function csvParser(): Parse {
  let names: readonly string[] | undefined;
  let isExcel = false;
  let delimiter = ',';
  return (record) => {
    if (names === undefined) {
      isExcel = record.startsWith(BYTE_ORDER_MARK);
      // The names of fields contain no delimiter.
      delimiter = record.includes(';') ? ';' : ',';
      names = cellsOf(isExcel ? record.slice(1).trimEnd() : record, delimiter);
      return undefined;
    }
    const cells = cellsOf(isExcel ? record.replace(/\r$/, '') : record, delimiter);
    if (isExcel) for (const [index, cell] of cells.entries()) cells[index] = fromTextFormula(cell);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  };
}

/** A parser for the records of one file. */
export const parserOf = (format: Format): Parse => (format === 'csv' ? csvParser() : parseLine);
