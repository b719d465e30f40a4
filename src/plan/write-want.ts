/** Writes a wanted state as files of a folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../core/errors.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import type { Format } from '../export/files/file-format.js';
import { FORMATS } from '../export/files/file-format.js';
import type { WantRows } from './as-want.js';
import { PLANNABLE, type Plannable } from './want.js';
import { writeLines } from './write-lines.js';

type Row = Readonly<Record<string, unknown>>;

const cell = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(';') : value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Flattens nested objects to columns: `expiration.days`. */
const flat = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, part] as const)
        : [[name, value] as const],
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

export interface WrittenFile {
  readonly resource: Plannable;
  readonly items: number;
  readonly file: string;
}

/** Writes the resources that have rows; an empty file would not be valid. */
export function writeWant(
  rows: WantRows,
  resources: ReadonlySet<string>,
  folder: string,
  format: Format,
  unique: string,
): readonly WrittenFile[] {
  ensureFolder(folder);
  return PLANNABLE.filter((resource) => resources.has(resource) && rows[resource].length > 0).map((resource) => {
    const file = fileOf(resource, format);
    writeLines(join(folder, file), linesOf(rows[resource], format), unique);
    return { resource, items: rows[resource].length, file };
  });
}
