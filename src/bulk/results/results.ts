/** Formats `--results` and `--failed`: one line per row, in input order. */
import { usageError } from '../../core/errors.js';
import { isOwnColumn, meansColumn } from '../../core/table/headers.js';
import type { Format, InputRow, Rows } from '../../core/table/rows.js';
import { type CsvStyle, csvLine, excelCell } from '../../output/writers/csv-line.js';
import { cellText } from '../../output/writers/records.js';
import type { ExcelDelimiter } from '../../output/writers/writer.js';
import { openRows, rowsOf } from '../input/row-source.js';
import { equalBefore } from '../job/equal-rows.js';
import type { JobFolder } from '../job/job-store.js';
import type { Journal } from '../job/journal.js';
import { isIn } from '../job/shard.js';
import { isFailed, type Outcome } from '../job/states.js';

export interface ResultShape extends CsvStyle {
  readonly format: Format;
  readonly marked: boolean;
}

/**
 * The shape of `--results`, by the file's ending.
 * @param excel the delimiter of Excel, to write for it
 * @throws a usage error if the ending does not fit `--excel`
 */
export function shapeFor(file: string, excel?: ExcelDelimiter): ResultShape {
  const isExcel = excel !== undefined;
  if (isExcel && /\.(json|ndjson|jsonl|tsv|tab)$/i.test(file))
    throw usageError(`--results ${file}: --excel writes csv.`, 'Name the file .csv, or leave --excel out.');
  const plain = { delimiter: excel ?? ',', marked: isExcel, excel: isExcel } as const;
  if (/\.(ndjson|jsonl)$/i.test(file)) return { ...plain, format: 'ndjson' };
  if (/\.json$/i.test(file)) return { ...plain, format: 'json' };
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
 */
export function resultWriter(
  shape: ResultShape,
  rows: Rows | undefined,
  withCode: boolean,
  equal?: (row: number) => number,
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

  function csvRow(row: InputRow, outcome: Outcome): string {
    const cells: unknown[] = places.map((place) => row.cells[place]);
    if (withCode && codeAt < 0) cells.push(outcome.code);
    else if (withCode) cells[codeAt] ??= outcome.code;
    return resultLine([...cells, ...Object.values(own(row, outcome))], shape);
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
      if (shape.format === 'json') return '[';
      if (shape.format === 'ndjson') return '';
      const code = withCode && codeAt < 0 ? ['code'] : [];
      const header = [...columns, ...code, 'edu_row', 'edu_status', 'edu_id', 'edu_code', 'edu_error'];
      if (equal !== undefined) header.push('edu_equal');
      return `${shape.marked ? '\ufeff' : ''}${resultLine(header, shape)}`;
    },
    row(row: InputRow, outcome: Outcome): string {
      const first = count++ === 0;
      if (shape.format === 'csv') return csvRow(row, outcome);
      return shape.format === 'ndjson' ? `${jsonRow(row, outcome)}\n` : `${first ? '' : ','}\n${jsonRow(row, outcome)}`;
    },
    end: () => (shape.format === 'json' ? `${count === 0 ? '' : '\n'}]\n` : ''),
  };
}

export type ResultParts = ReturnType<typeof resultParts>;

export const resultParts = ({ folder, manifest }: JobFolder, journal: Journal) => ({
  rows: () => openRows(folder, manifest),
  count: manifest.rows,
  shard: manifest.shard ?? undefined,
  journal,
  equal: equalBefore({ folder, manifest }),
});

/** The text of the results in chunks. @param failedOnly include only failed rows */
export async function* resultText(
  parts: ResultParts,
  shapeOf: (rows: Rows | undefined) => ResultShape,
  failedOnly: boolean,
  withCode: boolean,
): AsyncGenerator<string> {
  let rows = await parts.rows();
  // A CSV begins with its columns, and those of a JSON input are known only at its end, so it is read twice.
  if (rows !== undefined && rows.format !== 'csv' && shapeOf(rows).format === 'csv') {
    const { batches, columns } = rows;
    for await (const _ of batches);
    const again = await parts.rows();
    rows = again && { ...again, columns };
  }
  const writer = resultWriter(shapeOf(rows), rows, withCode, parts.equal);
  yield writer.begin();
  for await (const batch of rowsOf(rows, parts.count)) {
    let text = '';
    for (const row of batch) {
      if (!isIn(parts.shard, row.number)) continue;
      const state = parts.journal.state(row.number);
      if (failedOnly && !isFailed(state)) continue;
      text += writer.row(row, parts.journal.outcome(row.number));
    }
    if (text !== '') yield text;
  }
  yield writer.end();
}
