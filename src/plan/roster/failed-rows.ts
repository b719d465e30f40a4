/** Writes the rows of a roster that cannot be used, each with the reason, in the form of the roster's own files. */
import { join } from 'node:path';
import { writing } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { ColumnMap } from '../../core/table/columns.js';
import { encoder } from '../../core/table/encoding.js';
import type { Cell, Format, Reading } from '../../core/table/rows.js';
import { numberIn, rowPlace } from '../../core/table/text-records.js';
import { csvLines } from '../../output/writers/csv-line.js';
import { cellText, shapeOf } from '../../output/writers/records.js';
import { piecesOf } from '../write-want.js';
import { type RosterTableFile, rosterTables } from './read-roster.js';

/** Why rows cannot be used, by file and line. */
export type Reasons = ReadonlyMap<string, readonly string[]>;

/** The failed rows of a table as the content of a file. Columns that the reader does not know, such as passwords, are left out. */
async function failedPieces({ name, rows, columns }: RosterTableFile, reasons: Reasons, format: Format | 'xlsx') {
  const map = new ColumnMap(columns, rows.reading, { skipsUnknown: true });
  const failed: (readonly [cells: readonly Cell[], reason: string])[] = [];
  for await (const batch of rows.batches)
    for (const row of batch.rows) {
      const found = reasons.get(rowPlace(name, row.line, numberIn(rows, row)));
      if (found !== undefined) failed.push([row.cells, [...new Set(found)].join('; ')]);
    }
  map.learn(rows.columns);
  const places = [...rows.columns.keys()].filter((place) => map.at(place) !== undefined);
  const header = [...places.map((place) => rows.columns[place] ?? ''), 'edu_error'];
  const records = failed.map(([cells, reason]) => [...places.map((place) => cells[place]), reason]);
  if (format === 'csv') {
    const line = csvLines(rows.delimiter ?? ',', header.length);
    const text = [header, ...records].map((cells) => line(cells.map(cellText))).join('');
    return [encoder(rows.encoding ?? 'utf-8')(text)];
  }
  const objectOf = (cells: readonly Cell[]) =>
    Object.fromEntries(header.map((column, index) => [column, cells[index] ?? null]));
  return piecesOf('Rows', records.map(objectOf), format, shapeOf([objectOf(header)]));
}

/**
 * Writes failed rows: of a plain list to a file, which is a workbook if its name ends so, else to a folder with a file for each table.
 * @throws EduError `usage` if it cannot be written
 */
export async function writeFailed(
  path: string,
  reading: Reading | undefined,
  reasons: Reasons,
  target: string,
): Promise<void> {
  for await (const table of rosterTables(path, reading)) {
    const isWorkbook = table.isPlain && /\.xlsx$/i.test(target);
    const pieces = await failedPieces(table, reasons, isWorkbook ? 'xlsx' : table.rows.format);
    if (!table.isPlain) writing(target, () => ensureFolder(target), 'Name a folder.');
    await writeOutput(table.isPlain ? target : join(target, table.name), pieces);
  }
}
