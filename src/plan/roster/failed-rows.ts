/** Writes the rows of a roster that cannot be used, each with the reason, in the form of the roster's own files. */
import { join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { ColumnMap } from '../../core/table/columns.js';
import { encoder } from '../../core/table/encoding.js';
import type { Cell } from '../../core/table/rows.js';
import { csvLine } from '../../output/writers/csv-line.js';
import { cellText } from '../../output/writers/records.js';
import { type RosterTableFile, rosterTables } from './read-roster.js';
import type { RosterOptions } from './roster.js';

/** Why rows cannot be used, by file and line. */
export type Reasons = ReadonlyMap<string, readonly string[]>;

/** The failed rows of a table as text. Columns that the reader does not know, such as passwords, are left out. */
async function failedText({ name, rows, columns }: RosterTableFile, reasons: Reasons): Promise<string> {
  const map = new ColumnMap(columns, rows.reading, { skipsUnknown: true });
  const failed: (readonly [cells: readonly Cell[], reason: string])[] = [];
  for await (const { rows: whole, broken = [] } of rows.batches)
    for (const { line, cells } of [...whole, ...broken].sort((a, b) => a.line - b.line)) {
      const found = reasons.get(`${name} line ${line}`);
      if (found !== undefined) failed.push([cells, [...new Set(found)].join('; ')]);
    }
  map.learn(rows.columns);
  const places = [...rows.columns.keys()].filter((place) => map.at(place) !== undefined);
  const header = [...places.map((place) => rows.columns[place] ?? ''), 'edu_error'];
  const records = failed.map(([cells, reason]) => [...places.map((place) => cells[place]), reason]);
  if (rows.format === 'csv') {
    const style = { delimiter: rows.delimiter ?? ',', excel: false };
    return [header, ...records].map((cells) => csvLine(cells.map(cellText), style)).join('');
  }
  const objects = records.map((cells) =>
    JSON.stringify(Object.fromEntries(header.map((column, index) => [column, cells[index] ?? null]))),
  );
  return rows.format === 'ndjson' ? objects.map((one) => `${one}\n`).join('') : `[\n${objects.join(',\n')}\n]\n`;
}

/**
 * Writes failed rows: of a plain list to a file, else to a folder with a file for each table.
 * @throws EduError `usage` if it cannot be written
 */
export async function writeFailed(
  path: string,
  options: Pick<RosterOptions, 'reading' | 'school'>,
  reasons: Reasons,
  target: string,
): Promise<void> {
  for await (const table of rosterTables(path, options)) {
    const bytes = encoder(table.rows.encoding ?? 'utf-8')(await failedText(table, reasons));
    if (!table.isPlain)
      try {
        ensureFolder(target);
      } catch (error) {
        throw usageError(`Cannot write ${target}: ${describeErrno(error)}.`, 'Name a folder.');
      }
    await writeOutput(table.isPlain ? target : join(target, table.name), [bytes]);
  }
}
