/** The source of a roster: a folder, a zip archive or one file. Only files that a reader asks for are opened. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { codeOf, describeErrno } from '../../core/fs/disk-errors.js';
import { openFile, openInput } from '../../core/table/open-table.js';
import type { Reading, Rows } from '../../core/table/rows.js';
import { openZip, type ZipArchive } from '../../core/table/zip.js';

export interface RosterSource {
  /** By base name in lower case. */
  readonly files: ReadonlyMap<string, (reading?: Reading) => Promise<Rows>>;
  /** Reads the only file as a table; undefined for folders and archives of several. */
  readonly table?: ((reading?: Reading) => Promise<Rows>) | undefined;
  readonly close: () => void;
}

/** The map, and files that macOS and Office write beside those of the user. */
const BESIDE = /^(\.|~\$)|^roster-map\.csv$/i;

/** The only name of a table among names; undefined for none or several. */
function onlyTable(names: readonly string[], forms: RegExp): string | undefined {
  const [only, ...others] = names.filter((name) => forms.test(name) && !BESIDE.test(name));
  return others.length === 0 ? only : undefined;
}

const unreadable = (path: string, reason: string): Error => usageError(`Cannot read the roster ${path}: ${reason}.`);
const damaged = (path: string, error: unknown): Error =>
  unreadable(path, `the archive is damaged (${error instanceof Error ? error.message : error})`);

async function* contentOf(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw damaged(path, error);
  }
}

/** Opens a roster. @throws EduError `usage` if it does not exist or is damaged */
export async function openSource(path: string): Promise<RosterSource> {
  const files = new Map<string, (reading?: Reading) => Promise<Rows>>();
  const fileOf = (file: string) => (reading?: Reading) => openFile(file, { name: basename(file), reading });
  const list = { files, close: () => {}, table: fileOf(path) };
  let archive: ZipArchive | undefined;
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      const names = readdirSync(path);
      for (const name of names.filter((one) => /\.csv$/i.test(one)))
        files.set(name.toLowerCase(), fileOf(join(path, name)));
      const only = onlyTable(names, /\.(csv|tsv|xlsx)$/i);
      return { ...list, table: only === undefined ? undefined : fileOf(join(path, only)) };
    }
    if (!stats.isFile()) throw unreadable(path, 'it is not a regular file');
  } catch (error) {
    throw codeOf(error) === undefined ? error : unreadable(path, describeErrno(error));
  }
  try {
    archive = await openZip(path);
  } catch (error) {
    if (/\.zip$/i.test(path)) throw damaged(path, error);
    return list;
  }
  for (const [entry, { read }] of archive.entries) {
    const name = basename(entry);
    // Archives created by macOS contain a metadata file for each file.
    if (!/\.csv$/i.test(name) || entry.startsWith('__MACOSX/')) continue;
    if (files.has(name.toLowerCase())) throw unreadable(path, `it has two files ${name}`);
    files.set(name.toLowerCase(), (reading) => openInput(contentOf(path, read()), { name, reading }));
  }
  const table = files.get(onlyTable([...files.keys()], /\.csv$/) ?? '');
  if (files.size > 0) return { files, close: archive.close, table };
  // A workbook is an archive too.
  archive.close();
  return list;
}
