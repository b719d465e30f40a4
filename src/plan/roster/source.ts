/** The source of a roster: a folder, a zip archive or one file. Only files that a reader asks for are opened. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openFile, openInput } from '../../bulk/input/open.js';
import type { Reading } from '../../bulk/input/reading.js';
import type { Rows } from '../../bulk/input/rows.js';
import { openZip, type ZipArchive } from '../../bulk/input/zip.js';
import { usageError } from '../../core/errors.js';
import { describeErrno } from '../../core/fs/disk-errors.js';

export interface RosterSource {
  /** Name in messages. */
  readonly name: string;
  /** By base name in lower case. */
  readonly files: ReadonlyMap<string, () => Promise<Rows>>;
  /** Reads a single file as a table; undefined for folders and archives. */
  readonly table: ((reading: Reading | undefined) => Promise<Rows>) | undefined;
  readonly close: () => void;
}

const unreadable = (path: string, reason: string): Error => usageError(`Cannot read the roster ${path}: ${reason}.`);

function folderSource(path: string): RosterSource {
  const files = new Map<string, () => Promise<Rows>>();
  for (const name of readdirSync(path))
    if (/\.csv$/i.test(name)) files.set(name.toLowerCase(), () => openFile(join(path, name), { name }));
  return { name: path, files, table: undefined, close: () => {} };
}

/** An archive of CSV files; undefined for other archives, such as a workbook. */
function zipSource(path: string, archive: ZipArchive): RosterSource | undefined {
  const files = new Map<string, () => Promise<Rows>>();
  for (const [entry, { read }] of archive.entries) {
    const name = basename(entry);
    // Archives created by macOS contain a metadata file for each file.
    if (!/\.csv$/i.test(name) || entry.startsWith('__MACOSX/')) continue;
    if (files.has(name.toLowerCase())) throw unreadable(path, `it has two files ${name}`);
    files.set(name.toLowerCase(), () => openInput(damaged(path, read()), { name }));
  }
  return files.size === 0 ? undefined : { name: path, files, table: undefined, close: archive.close };
}

async function* damaged(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw unreadable(path, `the archive is damaged (${error instanceof Error ? error.message : error})`);
  }
}

/** Opens a roster. @throws EduError `usage` if it does not exist or is damaged */
export async function openSource(path: string): Promise<RosterSource> {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    throw unreadable(path, describeErrno(error));
  }
  if (stats.isDirectory()) return folderSource(path);
  if (!stats.isFile()) throw unreadable(path, 'it is not a regular file');
  let archive: ZipArchive | undefined;
  try {
    archive = await openZip(path);
  } catch (error) {
    if (/\.zip$/i.test(path))
      throw unreadable(path, `the archive is damaged (${error instanceof Error ? error.message : error})`);
  }
  const found = archive === undefined ? undefined : zipSource(path, archive);
  if (found !== undefined) return found;
  archive?.close();
  const name = basename(path);
  return { name: path, files: new Map(), table: (reading) => openFile(path, { name, reading }), close: () => {} };
}
