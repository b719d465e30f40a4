/** Formats `--results` and `--failed`: one record per row of the input, in its order. */
import { number, object, text } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { isIn } from '../../core/shard.js';
import { isOwnColumn, meansColumn } from '../../core/table/headers.js';
import type { Format, InputRow, Rows } from '../../core/table/rows.js';
import { traitsOfFormat } from '../../output/formats.js';
import { type ExcelDelimiter, FILE_LAYOUT, type Text } from '../../output/writers/writer.js';
import { ownCells } from '../input/own-cells.js';
import { openRows, rowsOf } from '../input/row-source.js';
import type { JobFolder } from '../job/job-store.js';
import type { Journal } from '../job/journal.js';
import { equalBefore } from '../job/rows-file.js';
import { errorText, isFailed, type Outcome } from '../job/states.js';

export interface ResultShape {
  readonly format: Format | 'xlsx';
  /** Of the cells of csv (default: a comma). */
  readonly delimiter?: string | undefined;
  /** The delimiter of Excel, to write csv for it. */
  readonly excel?: ExcelDelimiter | undefined;
  /** Begin with a byte order mark, as the input does. */
  readonly marked?: boolean;
}

/** True if a file is to be a workbook. */
export const isWorkbook = (file: string): boolean => /\.xlsx$/i.test(file);

/**
 * The shape of `--results`, by the file's ending.
 * @throws a usage error if the ending does not fit `--excel`
 */
export function shapeFor(file: string, excel?: ExcelDelimiter): ResultShape {
  if (excel !== undefined && /\.(json|ndjson|jsonl|tsv|tab|xlsx)$/i.test(file))
    throw usageError(`--results ${file}: --excel writes csv.`, 'Name the file .csv, or leave --excel out.');
  if (/\.(ndjson|jsonl)$/i.test(file)) return { format: 'ndjson' };
  if (/\.json$/i.test(file)) return { format: 'json' };
  if (isWorkbook(file)) return { format: 'xlsx' };
  return /\.(tsv|tab)$/i.test(file) ? { format: 'csv', delimiter: '\t' } : { format: 'csv', excel };
}

const OWN = {
  edu_row: number(''),
  edu_status: text(''),
  edu_id: text(''),
  edu_code: text(''),
  edu_error: text(''),
};
const EQUAL = { edu_equal: number('') };

/** What the results say of a row without an error. */
function noteOn({ state, job, undone }: Outcome): string | null {
  if (state === 'sending') return 'sent, but not yet looked up: resume the job';
  if (undone !== undefined) return `${undone} by edu jobs undo`;
  return job === undefined ? null : `created by the job ${job}`;
}

/**
 * Returns a function that makes the records of rows, and the shape of their cells.
 * @param isTable records are cells below column names
 * @param withCode also fill the column `code`, so that a retried row keeps its derived code
 * @param equal the number of equal rows before a row, if the job has equal rows
 * @param keepsOwn keep `edu_id` and `edu_code` of the input: they may be all that names one of the two items of an
 *   assignment, while an outcome names only one
 */
export function resultRecords(
  rows: Rows | undefined,
  isTable: boolean,
  withCode: boolean,
  equal?: (row: number) => number,
  keepsOwn = false,
) {
  const names = rows?.columns ?? [];
  const places = [...names.keys()].filter((place) => names[place] !== '' && !isOwnColumn(names[place] ?? ''));
  const columns = places.map((place) => names[place] ?? '');
  const code = columns.find((name) => meansColumn(name, 'code', rows?.reading ?? {})) ?? 'code';
  const shown = withCode && isTable && !columns.includes(code) ? [...columns, code] : columns;
  const fields = { ...Object.fromEntries(shown.map((name) => [name, text('')])), ...OWN, ...(equal && EQUAL) };

  /** The cells of a row by their columns, or the object that it was. */
  function given(row: InputRow): Readonly<Record<string, unknown>> {
    if (!isTable && row.text !== undefined) return { edu_input: row.text };
    if (!isTable && row.object !== undefined)
      return Object.fromEntries(Object.entries(row.object).filter(([name]) => !isOwnColumn(name)));
    return Object.fromEntries(places.map((place) => [names[place], row.cells[place] ?? null]));
  }

  function recordOf(row: InputRow, outcome: Outcome) {
    const { state, id, code: known } = outcome;
    const record = given(row);
    const own = keepsOwn ? ownCells(names, row) : undefined;
    const item = own?.id === undefined && own?.code === undefined ? { id, code: known } : own;
    const isCoded = withCode && known !== undefined && (record[code] ?? '') === '';
    return {
      ...record,
      ...(isCoded ? { [code]: known } : {}),
      edu_row: row.number,
      edu_status: state === 'sending' ? 'unknown' : state,
      edu_id: item.id ?? null,
      edu_code: item.code ?? null,
      edu_error: errorText(outcome) || noteOn(outcome),
      ...(equal === undefined ? {} : { edu_equal: equal(row.number) }),
    };
  }
  return { shape: object(fields, 'a row'), recordOf };
}

export type ResultParts = ReturnType<typeof resultParts>;

export const resultParts = ({ folder, manifest }: JobFolder, journal: Journal) => ({
  rows: () => openRows(folder, manifest),
  count: manifest.rows,
  shard: manifest.shard ?? undefined,
  journal,
  equal: equalBefore({ folder, manifest }),
  keepsOwn: manifest.path.endsWith('assign'),
});

/** The results in chunks. @param failedOnly include only failed rows, with their codes if `withCode` is true */
export async function* resultPieces(
  { rows: open, count, shard, journal, equal, keepsOwn }: ResultParts,
  shapeOf: (rows: Rows | undefined) => ResultShape,
  failedOnly = false,
  withCode = false,
): AsyncGenerator<Text> {
  let rows = await open();
  const { format, delimiter, excel, marked } = shapeOf(rows);
  const isTable = traitsOfFormat(format).cells === true;
  // A table begins with its columns, and those of a JSON input are known only at its end, so it is read twice.
  if (rows !== undefined && rows.format !== 'csv' && isTable) {
    const { batches, columns } = rows;
    for await (const _ of batches);
    const again = await open();
    rows = again && { ...again, columns };
  }
  const { shape, recordOf } = resultRecords(rows, isTable, withCode, equal, keepsOwn);
  const layout = { ...FILE_LAYOUT, title: rows?.reading?.sheet ?? 'rows', excel, delimiter };
  const writer = (await traitsOfFormat(format).load()).list(shape, layout);
  if (marked) yield '\ufeff';
  for await (const batch of rowsOf(rows, count)) {
    const wanted = batch.filter(
      ({ number }) => isIn(shard, number) && (!failedOnly || isFailed(journal.state(number))),
    );
    const piece = writer.page(wanted.map((row) => recordOf(row, journal.outcome(row.number))));
    if (piece.length > 0) yield piece;
  }
  yield writer.end();
}
