/** Writes a wanted state as files of a folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../core/errors.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { writeOutput } from '../core/fs/output-file.js';
import { FORMATS, type Format, fileFormat, fileName } from '../export/files/file-format.js';
import { shapeOf } from '../output/writers/records.js';
import type { WantRows } from './as-want.js';
import { PLANNABLE } from './want-columns.js';

function* linesOf(rows: WantRows[keyof WantRows], format: Format): Generator<string> {
  const { line, before, separator, after } = fileFormat(format, shapeOf(rows));
  yield before;
  for (const [index, row] of rows.entries()) yield `${index === 0 ? '' : `${separator}\n`}${line(row).slice(0, -1)}`;
  yield after === '' ? '\n' : after;
}

/** @throws EduError `usage` if the folder already contains a wanted state, which may have been edited */
export function checkFree(folder: string): void {
  const names = PLANNABLE.flatMap((resource) => FORMATS.map((format) => fileName(resource, format, false)));
  const taken = names.find((name) => existsSync(join(folder, name)));
  if (taken !== undefined)
    throw usageError(`Cannot write to ${folder}: it already contains ${taken}.`, 'Name another folder with --to.');
}

/** Writes the resources that have rows; an empty file would not be valid. @returns the files */
export async function writeWant(rows: WantRows, resources: ReadonlySet<string>, folder: string, format: Format) {
  ensureFolder(folder);
  const written = PLANNABLE.filter((resource) => resources.has(resource) && rows[resource].length > 0);
  const files = written.map((resource) => ({
    resource,
    items: rows[resource].length,
    file: fileName(resource, format, false),
  }));
  for (const { resource, file } of files) await writeOutput(join(folder, file), linesOf(rows[resource], format));
  return files;
}
