/** Reads a wanted state from a folder in the format of an export, or from one of its files: CSV, NDJSON or JSON. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openInput } from '../bulk/input/open.js';
import { type InputRow, placeOf } from '../bulk/input/rows.js';
import { limitYoungSpace } from '../client/request/young-space.js';
import { EXPORTABLE } from '../contract/index.js';
import { type EduError, firstProblems, type Problem, usageError } from '../core/errors.js';
import { describeErrno } from '../core/fs/disk-errors.js';
import { streamRegularFile } from '../core/fs/regular-file.js';
import { getOrSet } from '../core/maps.js';
import { plural } from '../core/plural.js';
import { didYouMean } from '../core/suggest.js';
import { NOTHING_WANTED, type Want } from './want.js';
import { columnNames, KEYS, keyOf, PLANNABLE, type Plannable, rowReader } from './want-columns.js';

type Item = Want[Plannable][number];

const FILE = /^([\w-]+)\.(csv|tsv|ndjson|jsonl|json)(\.gz)?$/i;
/** Files that are not data: those of an export, and the map of a roster. */
const BESIDE = /^(manifest|run|schema)\b|^\.|^roster-map\.csv$/i;
const MAX_PROBLEMS = 20;

const isPlannable = (name: string): name is Plannable => (PLANNABLE as readonly string[]).includes(name);

const FIX = 'Fix the input and run the command again. See: edu plan --help';
const fault = (message: string, hint = FIX, problems: readonly Problem[] = []): EduError =>
  usageError(message, hint, problems);

const namesHint = (word: string): string =>
  `${didYouMean(word, PLANNABLE) ?? ''} Files are called ${PLANNABLE.join(', ')}, ending in .csv, .ndjson or .json.`.trim();

function resourceOf(name: string): string {
  const word = (FILE.exec(name)?.[1] ?? '').toLowerCase().replace('licence', 'license');
  return [word, `${word}s`, `${word}es`].find(isPlannable) ?? word;
}

/**
 * The files of a wanted state, and the names of those of an export with resources that cannot be planned.
 * @throws EduError `usage` for a file that is not named after a resource
 */
function filesIn(path: string) {
  let paths = [path];
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
    if (isFolder)
      paths = readdirSync(path)
        .sort()
        .map((name) => join(path, name));
  } catch (error) {
    throw fault(`Cannot read ${path}: ${describeErrno(error)}.`);
  }
  const files = new Map<Plannable, string>();
  const skipped: string[] = [];
  for (const file of paths) {
    const name = basename(file);
    if (isFolder && (!FILE.test(name) || BESIDE.test(name))) continue;
    const resource = resourceOf(name);
    if (!isPlannable(resource)) {
      if (!isFolder || !(EXPORTABLE as readonly string[]).includes(resource))
        throw fault(`Cannot plan ${file}: its name is not that of a resource.`, namesHint(resource));
      skipped.push(name);
    } else if (files.has(resource)) throw fault(`Cannot plan ${path}: two files hold ${resource}.`);
    else files.set(resource, file);
  }
  if (files.size === 0) throw fault(`Cannot plan ${path}: it has no file for ${PLANNABLE.join(', ')}.`, namesHint(''));
  return { files, skipped };
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  let file: Readable;
  try {
    file = streamRegularFile(path);
  } catch (error) {
    throw fault(`Cannot read ${path}: ${describeErrno(error)}.`);
  }
  if (!path.toLowerCase().endsWith('.gz')) return yield* file;
  try {
    yield* file.pipe(createGunzip());
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw fault(`Cannot read ${path}: the compressed file is damaged (${error.message}).`);
    throw error;
  }
}

/** Reads the rows of one file. @throws EduError `usage` with its problems */
async function readWantFile(resource: Plannable, path: string): Promise<readonly Item[]> {
  const name = basename(path);
  const problems: Problem[] = [];
  const add = (where: string, message: string): void => void problems.push({ where: `${name} ${where}`, message });
  const items: Item[] = [];
  const keys = new Map<string, string>();
  const readers = new Map<string, ReturnType<typeof rowReader>>();
  let rows = 0;

  function readerOf(names: readonly string[], where: string): ReturnType<typeof rowReader> {
    return getOrSet(readers, names.join('\n'), () => {
      const reader = rowReader(resource, names);
      const twice = new Set(names.filter((column, index) => names.indexOf(column) < index));
      for (const column of twice) add(where, `has two columns ${JSON.stringify(column)}`);
      for (const column of reader.unknown) {
        const known = columnNames(resource);
        const columns = `Columns: ${known.filter((one) => !one.includes('.')).join(', ')}.`;
        const meant = didYouMean(column, known) ?? columns;
        add(where, `unknown column for ${resource}: ${JSON.stringify(column)}. ${meant}`);
      }
      return reader;
    });
  }

  function take(row: InputRow, columns: readonly string[]): void {
    const where = `line ${row.line}`;
    // Members of a JSON row are not flattened.
    const { object } = row;
    const reader = object === undefined ? readerOf(columns, 'header') : readerOf(Object.keys(object), where);
    const { fields, problems: wrong } = reader.read(object === undefined ? row.cells : Object.values(object));
    for (const message of wrong) add(where, message);
    const { deactivationDate, ...rest } = fields;
    // A deleted class of an export cannot be restored.
    if (deactivationDate !== undefined) return;
    const item = { ...rest, at: `${name} ${where}` } as Item;
    const key = keyOf(resource, item);
    if (key === undefined) {
      add(where, `has neither ${KEYS[resource]} nor id`);
      return;
    }
    const before = keys.get(key);
    if (before !== undefined) add(where, `has the key of ${before}: ${key}`);
    keys.set(key, where);
    items.push(item);
  }

  const input = await openInput(bytesOf(path), { name: name.replace(/\.gz$/i, '') });
  if (input.format === 'csv') readerOf(input.columns, 'header');
  for await (const batch of input.batches) {
    rows += batch.rows.length;
    const lines = new Set(batch.rows.map(({ line }) => line));
    // Bulk jobs report lists of objects as problems; here they are valid.
    for (const problem of batch.problems)
      if (input.format === 'csv' || !lines.has(problem.line)) add(placeOf(problem), problem.message);
    for (const row of batch.rows) take(row, input.columns);
  }
  if (problems.length > 0) {
    const count = plural(problems.length, 'problem');
    throw fault(`Cannot plan ${path}: ${count}.`, undefined, firstProblems(problems, MAX_PROBLEMS));
  }
  if (rows === 0)
    throw fault(
      `Cannot plan ${path}: it has no rows.`,
      'An empty file removes nothing. Leave the file out, or add rows.',
    );
  return items;
}

/**
 * Reads a wanted state.
 * @param path a folder, or a single file named like a resource
 * @returns also the names of files of an export with resources that cannot be planned
 * @throws EduError `usage` if there are no rows, or any row is invalid
 */
export async function readWant(path: string): Promise<{ readonly want: Want; readonly skipped: readonly string[] }> {
  limitYoungSpace(0);
  const { files, skipped } = filesIn(path);
  const want: Record<Plannable, readonly Item[]> = { ...NOTHING_WANTED };
  for (const [resource, file] of files) want[resource] = await readWantFile(resource, file);
  return { want: want as unknown as Want, skipped };
}
