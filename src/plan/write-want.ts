/** Writes a wanted state as files of a folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../core/errors.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { isObject } from '../core/json.js';
import { FORMATS, type Format } from '../export/files/file-format.js';
import type { WantRows } from './as-want.js';
import { PLANNABLE, type Plannable } from './want-columns.js';
import { csvCell, writeLines } from './write-lines.js';

type Row = Readonly<Record<string, unknown>>;

const cell = (value: unknown): string => csvCell(Array.isArray(value) ? value.join(';') : String(value ?? ''));

/** Flattens nested objects to columns: `expiration.days`. */
const flat = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      isObject(value) ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, part]) : [[name, value]],
    ),
  );

function* linesOf(rows: readonly Row[], format: Format): Generator<string> {
  if (format === 'csv') {
    const all = rows.map(flat);
    const names = [...new Set(all.flatMap((row) => Object.keys(row)))];
    yield `${names.map(cell).join(',')}\n`;
    for (const row of all) yield `${names.map((name) => cell(row[name])).join(',')}\n`;
    return;
  }
  if (format === 'ndjson') {
    for (const row of rows) yield `${JSON.stringify(row)}\n`;
    return;
  }
  for (const [index, row] of rows.entries()) yield `${index === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`;
  yield '\n]\n';
}

const fileOf = (resource: Plannable, format: Format): string => `${resource}.${format}`;

/** @throws EduError `usage` if the folder already contains a wanted state, which may have been edited */
export function checkFree(folder: string): void {
  for (const resource of PLANNABLE)
    for (const format of FORMATS) {
      const file = join(folder, fileOf(resource, format));
      if (existsSync(file))
        throw usageError(
          `Cannot write to ${folder}: it already contains ${fileOf(resource, format)}.`,
          'Name another folder with --to.',
        );
    }
}

/** Writes the resources that have rows; an empty file would not be valid. @returns the files */
export function writeWant(
  rows: WantRows,
  resources: ReadonlySet<string>,
  folder: string,
  format: Format,
  unique: string,
) {
  ensureFolder(folder);
  return PLANNABLE.filter((resource) => resources.has(resource) && rows[resource].length > 0).map((resource) => {
    const file = fileOf(resource, format);
    writeLines(join(folder, file), linesOf(rows[resource], format), unique);
    return { resource, items: rows[resource].length, file };
  });
}
