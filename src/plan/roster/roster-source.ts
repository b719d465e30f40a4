/** The source of a roster: a folder, a zip archive or one file. Only files that a reader asks for are opened. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { codeOf, describeErrno } from '../../core/fs/disk-errors.js';
import { type Input, openFile, openInput } from '../../core/table/open-table.js';
import type { Reading } from '../../core/table/rows.js';
import { openZip } from '../../core/table/zip.js';

export interface RosterFile {
  /** Without folders. */
  readonly name: string;
  readonly open: (reading?: Reading) => Promise<Input>;
}

export interface RosterSource {
  /** The CSV files of a folder or archive, by name in lower case, without `.csv`. */
  readonly files: ReadonlyMap<string, RosterFile>;
  /** The only file; undefined for folders and archives of several. */
  readonly table: RosterFile | undefined;
  readonly close: () => void;
}

/** A file of a folder or archive, by its path within. */
type Entry = readonly [path: string, open: RosterFile['open']];

/** The map, and files that macOS and Office write beside those of the user. */
const BESIDE = /^(\.|~\$|__MACOSX$)|^roster-map\.csv$/i;

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

/** The tables of a folder or archive, else those of the only folder in it that has any. @param forms of tables */
function tablesOf(path: string, entries: readonly Entry[], forms: RegExp): RosterFile[] {
  const folders = new Map<string, RosterFile[]>();
  for (const [file, open] of entries) {
    const parts = file.split('/');
    const name = parts.pop() ?? '';
    if ([...parts, name].some((part) => BESIDE.test(part)) || !forms.test(name)) continue;
    const folder = parts.join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), { name, open }]);
  }
  const top = folders.get('');
  if (top !== undefined) return top;
  const [first, ...others] = [...folders];
  if (others.length > 0)
    throw unreadable(path, `it has tables in several folders: ${[...folders.keys()].sort().join(', ')}`);
  return first?.[1] ?? [];
}

function sourceOf(path: string, entries: readonly Entry[], forms: RegExp, close: () => void): RosterSource {
  const tables = tablesOf(path, entries, forms);
  const files = new Map<string, RosterFile>();
  for (const table of tables) {
    const name = table.name.toLowerCase();
    if (!name.endsWith('.csv')) continue;
    if (files.has(name.slice(0, -4))) throw unreadable(path, `it has two files ${table.name}`);
    files.set(name.slice(0, -4), table);
  }
  return { files, table: tables.length === 1 ? tables[0] : undefined, close };
}

const fileOf =
  (file: string): RosterFile['open'] =>
  (reading) =>
    openFile(file, { name: basename(file), reading });

/** The files of a folder and of the folders in it. */
function entriesOf(path: string): readonly Entry[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry): readonly Entry[] => {
    const inner = join(path, entry.name);
    if (!entry.isDirectory()) return [[entry.name, fileOf(inner)]];
    if (BESIDE.test(entry.name)) return [];
    return readdirSync(inner).map((name) => [`${entry.name}/${name}`, fileOf(join(inner, name))]);
  });
}

/** Opens a roster. @throws EduError `usage` if it does not exist or is damaged */
export async function openSource(path: string): Promise<RosterSource> {
  const only = { name: basename(path), open: fileOf(path) };
  const list: RosterSource = { files: new Map(), table: only, close: () => {} };
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return sourceOf(path, entriesOf(path), /\.(csv|tsv|xlsx)$/i, list.close);
    if (!stats.isFile()) throw unreadable(path, 'it is not a regular file');
  } catch (error) {
    throw codeOf(error) === undefined ? error : unreadable(path, describeErrno(error));
  }
  const archive = await openZip(path).catch((error: unknown) => {
    if (/\.zip$/i.test(path)) throw damaged(path, error);
    return undefined;
  });
  if (archive === undefined) return list;
  try {
    const entries = [...archive.entries].map(([entry, { read }]): Entry => {
      const name = basename(entry);
      return [entry, (reading) => openInput(contentOf(path, read()), { name, reading })];
    });
    const source = sourceOf(path, entries, /\.csv$/i, archive.close);
    if (source.table !== undefined || source.files.size > 0) return source;
    if (/\.zip$/i.test(path)) throw unreadable(path, 'the archive has no CSV files');
    // A workbook is an archive too.
    archive.close();
  } catch (error) {
    archive.close();
    throw error;
  }
  return list;
}
