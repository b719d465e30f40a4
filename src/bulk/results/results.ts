/** Formats `--results` and `--failed`: one line per row of the input, in its order. */
import { usageError } from '../../core/errors.js';
import { isIn } from '../../core/shard.js';
import { isOwnColumn, meansColumn } from '../../core/table/headers.js';
import type { Format, InputRow, Rows } from '../../core/table/rows.js';
import { type CsvStyle, csvLine, excelCell } from '../../output/writers/csv-line.js';
import { cellText } from '../../output/writers/records.js';
import type { WorkbookWriter } from '../../output/writers/workbook-writer.js';
import type { ExcelDelimiter } from '../../output/writers/writer.js';
import { openRows, rowsOf } from '../input/row-source.js';
import type { JobFolder } from '../job/job-store.js';
import type { Journal } from '../job/journal.js';
import { equalBefore } from '../job/rows-file.js';
import { isFailed, type Outcome } from '../job/states.js';

export interface ResultShape extends CsvStyle {
  readonly format: Format | 'xlsx';
  readonly marked: boolean;
}

/** True if a line is cells, below a line of column names. */
const hasColumns = ({ format }: Pick<ResultShape, 'format'>): boolean => format === 'csv' || format === 'xlsx';

/** True if a file is to be a workbook. */
export const isWorkbook = (file: string): boolean => /\.xlsx$/i.test(file);

/**
 * The shape of `--results`, by the file's ending.
 * @param excel the delimiter of Excel, to write for it
 * @throws a usage error if the ending does not fit `--excel`
 */
export function shapeFor(file: string, excel?: ExcelDelimiter): ResultShape {
  const isExcel = excel !== undefined;
  if (isExcel && /\.(json|ndjson|jsonl|tsv|tab|xlsx)$/i.test(file))
    throw usageError(`--results ${file}: --excel writes csv.`, 'Name the file .csv, or leave --excel out.');
  const plain = { delimiter: excel ?? ',', marked: isExcel, excel: isExcel } as const;
  if (/\.(ndjson|jsonl)$/i.test(file)) return { ...plain, format: 'ndjson' };
  if (/\.json$/i.test(file)) return { ...plain, format: 'json' };
  if (isWorkbook(file)) return { ...plain, format: 'xlsx' };
  return /\.(tsv|tab)$/i.test(file) ? { ...plain, format: 'csv', delimiter: '\t' } : { ...plain, format: 'csv' };
}

function resultLine(cells: readonly unknown[], shape: ResultShape): string {
  return csvLine(
    cells.map((cell) => (shape.excel ? excelCell(cell, shape.delimiter) : cellText(cell))),
    shape,
  );
}

/**
 * @param withCode also fill the column `code`, so that a retried row keeps its derived code
 * @param equal the number of equal rows before a row, if the job has equal rows
 * @param book the workbook that rows are written to, instead of text
 */
export function resultWriter(
  shape: ResultShape,
  rows: Rows | undefined,
  withCode: boolean,
  equal?: (row: number) => number,
  book?: WorkbookWriter,
) {
  const names = rows?.columns ?? [];
  const places = [...names.keys()].filter((place) => names[place] !== '' && !isOwnColumn(names[place] ?? ''));
  const columns = places.map((place) => names[place] ?? '');
  const codeAt = columns.findIndex((name) => meansColumn(name, 'code', rows?.reading ?? {}));
  let count = 0;

  function own({ number }: InputRow, { state, id, code, error, job }: Outcome) {
    const unsettled = state === 'sending' ? 'sent, but not yet looked up: resume the job' : null;
    return {
      edu_row: number,
      edu_status: state === 'sending' ? 'unknown' : state,
      edu_id: id ?? null,
      edu_code: code ?? null,
      edu_error: error ?? (job === undefined ? unsettled : `created by the job ${job}`),
      ...(equal === undefined ? {} : { edu_equal: equal(number) }),
    };
  }

  function cellsOf(row: InputRow, outcome: Outcome): readonly unknown[] {
    const cells: unknown[] = places.map((place) => row.cells[place]);
    if (withCode && codeAt < 0) cells.push(outcome.code);
    else if (withCode) cells[codeAt] ??= outcome.code;
    return [...cells, ...Object.values(own(row, outcome))];
  }

  function jsonRow(row: InputRow, outcome: Outcome): string {
    const given =
      (row.text === undefined ? row.object : {}) ??
      Object.fromEntries(places.map((place, index) => [columns[index], row.cells[place] ?? null]));
    const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !isOwnColumn(name)));
    const code = withCode && outcome.code !== undefined && !kept.code ? { code: outcome.code } : {};
    const text = row.text === undefined ? {} : { edu_input: row.text };
    return JSON.stringify({ ...kept, ...code, ...text, ...own(row, outcome) });
  }

  return {
    begin(): string {
      if (!hasColumns(shape)) return shape.format === 'json' ? '[' : '';
      const code = withCode && codeAt < 0 ? ['code'] : [];
      const header = [...columns, ...code, 'edu_row', 'edu_status', 'edu_id', 'edu_code', 'edu_error'];
      if (equal !== undefined) header.push('edu_equal');
      book?.sheet(
        rows?.reading?.sheet ?? 'rows',
        header.map((name) => ({ name, type: COUNTS.has(name) ? 'number' : 'text' })),
      );
      if (book !== undefined) return '';
      return `${shape.marked ? '\ufeff' : ''}${resultLine(header, shape)}`;
    },
    row(row: InputRow, outcome: Outcome): string {
      const first = count++ === 0;
      if (hasColumns(shape)) {
        const cells = cellsOf(row, outcome);
        book?.row(cells);
        return book === undefined ? resultLine(cells, shape) : '';
      }
      return shape.format === 'ndjson' ? `${jsonRow(row, outcome)}\n` : `${first ? '' : ','}\n${jsonRow(row, outcome)}`;
    },
    end(): string {
      book?.end();
      return shape.format === 'json' ? `${count === 0 ? '' : '\n'}]\n` : '';
    },
  };
}

/** The columns of `edu` that are numbers. */
const COUNTS = new Set(['edu_row', 'edu_equal']);

export type ResultParts = ReturnType<typeof resultParts>;

export const resultParts = ({ folder, manifest }: JobFolder, journal: Journal) => ({
  rows: () => openRows(folder, manifest),
  count: manifest.rows,
  shard: manifest.shard ?? undefined,
  journal,
  equal: equalBefore({ folder, manifest }),
});

/** The results in chunks. @param failedOnly include only failed rows */
export async function* resultPieces(
  parts: ResultParts,
  shapeOf: (rows: Rows | undefined) => ResultShape,
  failedOnly: boolean,
  withCode: boolean,
): AsyncGenerator<string | Uint8Array> {
  let rows = await parts.rows();
  // A table begins with its columns, and those of a JSON input are known only at its end, so it is read twice.
  if (rows !== undefined && rows.format !== 'csv' && hasColumns(shapeOf(rows))) {
    const { batches, columns } = rows;
    for await (const _ of batches);
    const again = await parts.rows();
    rows = again && { ...again, columns };
  }
  const shape = shapeOf(rows);
  const book =
    shape.format === 'xlsx'
      ? new (await import('../../output/writers/workbook-writer.js')).WorkbookWriter()
      : undefined;
  const writer = resultWriter(shape, rows, withCode, parts.equal, book);
  const pieces = (text: string): readonly (string | Uint8Array)[] =>
    [text, book?.take() ?? ''].filter((piece) => piece.length > 0);
  yield* pieces(writer.begin());
  for await (const batch of rowsOf(rows, parts.count)) {
    let text = '';
    for (const row of batch) {
      if (!isIn(parts.shard, row.number)) continue;
      const state = parts.journal.state(row.number);
      if (failedOnly && !isFailed(state)) continue;
      text += writer.row(row, parts.journal.outcome(row.number));
    }
    yield* pieces(text);
  }
  yield* pieces(writer.end());
}
