/** Reads a wanted state from a folder in the format of an export, or from one of its files: CSV, NDJSON or JSON. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { EXPORTABLE } from '../contract/index.js';
import { type EduError, firstProblems, type Problem, usageError } from '../core/errors.js';
import { describeErrno } from '../core/fs/disk-errors.js';
import { streamRegularFile } from '../core/fs/regular-file.js';
import { plural } from '../core/plural.js';
import { didYouMean } from '../core/suggest.js';
import { type Input, openFile, openInput } from '../core/table/open-table.js';
import { hiddenNotes, type Reading } from '../core/table/rows.js';
import { cellPlace, cellRecords, type Report } from '../core/table/text-records.js';
import { keepHeapSmall } from '../core/v8-flags.js';
import { findManifest } from '../export/files/manifest.js';
import { isAsWritten } from '../export/files/read-data-file.js';
import { NOTHING_WANTED, type Want } from './want.js';
import {
  columnsOf,
  KEYS,
  keyOf,
  outerOf,
  PLANNABLE,
  type Plannable,
  readFields,
  type WantColumn,
} from './want-columns.js';

type Item = Want[Plannable][number];

const FILE = /^([\w-]+)\.(?:xlsx|(?:csv|tsv|ndjson|jsonl|json)(?:\.gz)?)$/i;
/** Files that are not data: those of an export, and the map of a roster. */
const BESIDE = /^(manifest|run|schema)\b|^\.|^roster-map\.csv$|^export\.xlsx$/i;
const MAX_PROBLEMS = 20;
const UNMANAGED = 'not managed by a plan: ';

const isPlannable = (name: string): name is Plannable => (PLANNABLE as readonly string[]).includes(name);

const FIX = 'Fix the input and run the command again. See: edu plan --help';
const fault = (message: string, hint = FIX, problems: readonly Problem[] = []): EduError =>
  usageError(message, hint, problems);

const namesHint = (word: string): string =>
  `${didYouMean(word, PLANNABLE) ?? ''} Files are called ${PLANNABLE.join(', ')}, ending in .csv, .xlsx, .ndjson or .json.`.trim();

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
    } else if (files.has(resource)) throw fault(`Cannot plan ${path}: two files contain ${resource}.`);
    else files.set(resource, file);
  }
  if (files.size === 0) throw fault(`Cannot plan ${path}: it has no file for ${PLANNABLE.join(', ')}.`, namesHint(''));
  return { files, skipped };
}

async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  let file: Readable;
  try {
    file = streamRegularFile(path);
  } catch (error) {
    throw fault(`Cannot read ${path}: ${describeErrno(error)}.`);
  }
  try {
    yield* file.pipe(createGunzip());
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw fault(`Cannot read ${path}: the compressed file is damaged (${error.message}).`);
    throw error;
  }
}

/** Opens a file, which may be compressed. */
const openWant = (path: string, reading: Reading | undefined): Promise<Input> => {
  const name = basename(path);
  return path.toLowerCase().endsWith('.gz')
    ? openInput(unpacked(path), { name: name.slice(0, -3), reading })
    : openFile(path, { name, reading });
};

/** Reads the rows of one file. @param left gets the problems of rows, which are left out @param notes get what the user should know @throws EduError `usage` with its problems */
async function readWantFile(
  resource: Plannable,
  path: string,
  reading: Reading | undefined,
  left: Problem[] | undefined,
  notes: string[],
): Promise<readonly Item[]> {
  const name = basename(path);
  const problems: Problem[] = [];
  const report: Report = (where, message, at) =>
    void (at === undefined ? problems : (left ?? problems)).push({ where, message });
  const items: Item[] = [];
  const keys = new Map<string, string>();
  const counts = { rows: 0, hidden: 0 };

  function take(fields: Readonly<Record<string, unknown>>, at: string): void {
    // A deleted class of an export cannot be restored.
    if (fields.deactivationDate !== undefined) return;
    const item = { ...fields, at } as Item;
    const key = keyOf(resource, item);
    const before = keys.get(key ?? '');
    if (key === undefined) report(at, `has neither ${KEYS[resource]} nor id`, at);
    else if (before !== undefined) report(at, `has the key of ${before}: ${key}`);
    else {
      keys.set(key, at);
      items.push(item);
    }
  }

  const input = await openWant(path, reading);
  // The JSON of an export also has fields that the API document does not name.
  const isExported = input.format !== 'csv' && existsSync(join(dirname(path), 'manifest.json'));
  const unknown = (other: string): WantColumn => ({ name: other, rank: 0, isUnmanaged: true });
  const { map, rows } = cellRecords(input, name, columnsOf(resource), report, {
    unknown: isExported ? unknown : undefined,
    isRead: ({ read }) => read !== undefined,
  });
  for await (const { at, line, cells, isBad, isHidden } of rows) {
    counts.rows++;
    if (isHidden) counts.hidden++;
    if (isBad) continue;
    const { fields, problems: wrong } = readFields(cells.toSorted(([a], [b]) => a.rank - b.rank));
    for (const [column, message] of wrong) report(cellPlace(name, input, line, map.placeOf(column.name)), message, at);
    if (wrong.length === 0) take(fields, at);
  }
  const known = input.columns.flatMap((_, place) => map.at(place) ?? []);
  const unmanaged = new Set(known.flatMap((column) => (column.isUnmanaged === true ? outerOf(column.name) : [])));
  if (unmanaged.size > 0) notes.push(`${UNMANAGED}${[...unmanaged].join(', ')} in ${name}`);
  const count = plural(problems.length, 'problem');
  if (problems.length > 0)
    throw fault(`Cannot plan ${path}: ${count}.`, undefined, firstProblems(problems, MAX_PROBLEMS));
  notes.push(...hiddenNotes(counts.hidden));
  if (counts.rows === 0)
    throw fault(
      `Cannot plan ${path}: it has no rows.`,
      'An empty file removes nothing. Leave the file out, or add rows.',
    );
  return items;
}

/** A date format is for the files with dates of a folder. */
function readingFor(reading: Reading | undefined, resource: Plannable, count: number): Reading | undefined {
  const { dateFormat, ...others } = reading ?? {};
  const hasDates = count === 1 || columnsOf(resource).some(({ form }) => form === 'date');
  return hasDates ? reading : others;
}

/** Flags for one table, which do not say which of several files they mean. @throws EduError `usage` */
function checkSingle(path: string, count: number, reading: Reading): void {
  const { map, ignore, where, sheet, headerRow } = reading;
  const flags = { '--map': map, '--ignore': ignore, '--where': where, '--sheet': sheet, '--header-row': headerRow };
  const flag = Object.entries(flags).find(([, value]) => value !== undefined)?.[0];
  if (count > 1 && flag !== undefined)
    throw fault(`${flag} is for one file, and ${path} has ${count}.`, `Name the file: ${path}/FILE`);
}

/**
 * Reads a wanted state.
 * @param path a folder, or a single file named like a resource
 * @param skipsInvalid leave out invalid rows, whose problems are errors otherwise
 * @returns also the problems of rows that are left out, and what the user should know: hidden rows, and what files that were edited have that cannot be planned
 * @throws EduError `usage` if there are no rows, or any row is invalid that is not left out
 */
export async function readWant(path: string, reading?: Reading, skipsInvalid = false) {
  keepHeapSmall();
  const { files, skipped } = filesIn(path);
  const left: Problem[] = [];
  const notes = skipped.length === 0 ? [] : [`${UNMANAGED}${skipped.join(', ')}`];
  if (reading !== undefined) checkSingle(path, files.size, reading);
  const want: Record<Plannable, readonly Item[]> = { ...NOTHING_WANTED };
  const exported = await findManifest(path);
  for (const [resource, file] of files) {
    // A list that was empty when it was exported, and is so still, wants nothing. Any other empty file is a fault.
    const facts = exported?.manifest.resources[resource];
    const isUnedited = await isAsWritten(file, facts);
    if (isUnedited && facts?.count === 0) continue;
    const readingOf = readingFor(reading, resource, files.size);
    want[resource] = await readWantFile(
      resource,
      file,
      readingOf,
      skipsInvalid ? left : undefined,
      isUnedited ? [] : notes,
    );
  }
  return { want: want as unknown as Want, left, notes };
}
