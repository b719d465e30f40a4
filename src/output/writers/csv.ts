/** Prints CSV: a header and a line for each record, escaped on a terminal. */
import type { Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { forPeople } from '../sanitize.js';
import { csvLines, excelCell } from './csv-line.js';
import { cellText, type RecordColumn, recordColumns, rowWriter } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

/** @throws EduError for a lone surrogate, which UTF-8 cannot represent, so that writing it would change the text */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  const line = text.split('\n').find((one) => !one.isWellFormed()) ?? '';
  const message = `a text with half of a surrogate pair, which csv cannot contain: ${excerpt(line, 80)}`;
  throw new EduError('invalid_response', message, { hint: 'Write it as ndjson or json, which keep it.' });
}

function csvWriter(shape: Field, { fields, header, excel, terminal, delimiter = ',' }: Layout): ListWriter {
  const columns = recordColumns(shape, fields);
  const lineOf = csvLines(excel ?? delimiter, columns.length, excel !== undefined);
  const line = (cells: readonly string[]): string => lineOf(terminal ? cells.map(forPeople) : cells);
  const written = (value: unknown, isDate?: boolean): string =>
    excel === undefined ? cellText(value) : excelCell(value, excel, isDate);
  const cell = ({ read, kind }: RecordColumn, item: unknown): string =>
    written(read(item), kind === 'date' || kind === 'timestamp');
  const { page, end } = rowWriter(
    // The byte order mark tells Excel that the file is UTF-8.
    () =>
      (excel === undefined ? '' : '\ufeff') +
      (header === false ? '' : line(columns.map(({ name }) => written(name || 'value')))),
    (item) => line(columns.map((column) => cell(column, item))),
  );
  return { page: (items) => wellFormed(page(items)), end: () => wellFormed(end()) };
}

export const csv: Writer = { list: csvWriter };
