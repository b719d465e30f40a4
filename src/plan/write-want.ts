/** Writes a wanted state as files of a folder. */
import { join } from 'node:path';
import { ensureFolder } from '../core/fs/mkdir.js';
import { writeOutput } from '../core/fs/output-file.js';
import { FORMATS, type Format, fileFormat } from '../export/files/file-format.js';
import { shapeOf } from '../output/writers/records.js';
import { FILE_LAYOUT } from '../output/writers/writer.js';
import type { WantRows } from './as-want.js';
import { PLANNABLE } from './want-columns.js';

export type WantFormat = Format | 'xlsx';

/** Rows as the content of a file. @param title of the sheet of a workbook */
export async function* piecesOf(title: string, rows: readonly object[], format: WantFormat, shape = shapeOf(rows)) {
  if (format === 'xlsx') {
    const { xlsx } = await import('../output/writers/xlsx.js');
    const book = xlsx.list(shape, { ...FILE_LAYOUT, title });
    yield book.page(rows);
    yield book.end();
    return;
  }
  const { line, before, separator, after } = fileFormat(format, shape);
  yield before;
  for (const [index, row] of rows.entries()) yield `${index === 0 ? '' : `${separator}\n`}${line(row).slice(0, -1)}`;
  yield after === '' ? '\n' : after;
}

/** The files that a wanted state may have. */
export const WANT_FILES = PLANNABLE.flatMap((resource) =>
  [...FORMATS, 'xlsx'].map((ending) => `${resource}.${ending}`),
);

/** Writes the resources that have rows; an empty file would not be valid. @returns the files */
export async function writeWant(rows: WantRows, resources: ReadonlySet<string>, folder: string, format: WantFormat) {
  ensureFolder(folder);
  const written = PLANNABLE.filter((resource) => resources.has(resource) && rows[resource].length > 0);
  const files = written.map((resource) => ({
    resource,
    items: rows[resource].length,
    file: `${resource}.${format}`,
  }));
  for (const { resource, file } of files)
    await writeOutput(join(folder, file), piecesOf(resource, rows[resource], format));
  return files;
}
