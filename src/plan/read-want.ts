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
import { ColumnMap } from '../core/table/columns.js';
import { misplacedHeader } from '../core/table/misplaced-header.js';
import { type Input, openFile, openInput } from '../core/table/open-table.js';
import { type Cell, hiddenNotes, type InputRow, placeOf, placesText, type Reading } from '../core/table/rows.js';
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

/** Takes a problem. @param line of the row, if it is a row's */
type Report = (where: string, message: string, line?: number) => void;

/** Maps the columns of a file and reads the fields of its rows. */
class WantReader {
  readonly #map: ColumnMap<WantColumn>;
  readonly #input: Input;
  readonly #report: Report;
  /** The places of managed columns, in their order of precedence. */
  #order: readonly number[] = [];
  /** The problem of a header below a title. */
  misplaced: string | undefined;

  /** @param isExported the file belongs to an export, whose JSON also has fields that the API document does not name */
  constructor(resource: Plannable, input: Input, isExported: boolean, report: Report) {
    const unknown =
      isExported && input.format !== 'csv'
        ? (name: string): WantColumn => ({ name, rank: 0, isUnmanaged: true })
        : undefined;
    this.#map = new ColumnMap(columnsOf(resource), input.reading, { unknown });
    this.#input = input;
    this.#report = report;
    this.learn();
  }

  /** Maps the columns that are new: a JSON file gains some while it is read. @param rows that the header may be among */
  learn(rows: readonly InputRow[] = []): void {
    const { columns } = this.#input;
    for (const { message } of this.#map.learn(columns)) this.#report('header', message);
    const rank = (place: number): number => this.#map.at(place)?.rank ?? 0;
    this.#order = [...columns.keys()].filter((place) => this.isRead(place)).sort((a, b) => rank(a) - rank(b));
    this.misplaced ??= misplacedHeader(this.#input, rows, this.#map);
  }

  isRead(place: number): boolean {
    return this.#map.at(place)?.read !== undefined;
  }

  placeOf(line: number, place: number): string {
    return placesText([line], 1, { place, name: this.#input.columns[place] }, this.#input.isSheet);
  }

  /** The fields of a row. Problems are reported. */
  fieldsOf(row: InputRow): Readonly<Record<string, unknown>> {
    const { line, cells, object } = row;
    const values = this.#order.flatMap((place): readonly (readonly [WantColumn, Cell])[] => {
      const column = this.#map.at(place);
      // An object manages only the members that it has, whatever those of other rows are; a blank cell is a value.
      if (column === undefined || (object !== undefined && !Object.hasOwn(cells, place))) return [];
      const read = cells[place] === undefined ? { cell: undefined } : this.#map.read(row, place, column);
      if ('cell' in read) return [[column, read.cell]];
      this.#report(this.placeOf(line, place), read.wrong, line);
      return [];
    });
    const { fields, problems } = readFields(values);
    for (const [column, message] of problems)
      this.#report(this.placeOf(line, this.#map.placeOf(column.name)), message, line);
    return fields;
  }

  /** The fields of the file that are not managed. */
  get unmanaged(): readonly string[] {
    const columns = this.#input.columns.flatMap((_, place) => this.#map.at(place) ?? []);
    return [...new Set(columns.flatMap(({ name, isUnmanaged }) => (isUnmanaged === true ? outerOf(name) : [])))];
  }

  /** Problems of the file as a whole, which was read to its end. */
  finish(): void {
    for (const { message } of this.#map.unmet(this.#input.columns)) this.#report('header', message);
  }
}

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
  /** True if the row that is being read has a problem. */
  let isBad = false;
  const add: Report = (where, message, line) => {
    const problem = { where: `${name} ${where}`, message };
    isBad ||= line !== undefined;
    if (line !== undefined && left !== undefined) left.push(problem);
    else problems.push(problem);
  };
  const items: Item[] = [];
  const keys = new Map<string, string>();
  const counts = { rows: 0, hidden: 0 };

  function take(fields: Readonly<Record<string, unknown>>, line: number): void {
    const where = `line ${line}`;
    // A deleted class of an export cannot be restored.
    if (fields.deactivationDate !== undefined) return;
    const item = { ...fields, at: `${name} ${where}` } as Item;
    const key = keyOf(resource, item);
    const before = keys.get(key ?? '');
    if (key === undefined) add(where, `has neither ${KEYS[resource]} nor id`, line);
    else if (before !== undefined) add(where, `has the key of ${before}: ${key}`);
    else {
      keys.set(key, where);
      items.push(item);
    }
  }

  const input = await openWant(path, reading);
  const isExported = existsSync(join(dirname(path), 'manifest.json'));
  const reader = new WantReader(resource, input, isExported, add);
  for await (const batch of input.batches) {
    counts.rows += batch.rows.length;
    counts.hidden += batch.rows.filter(({ isHidden }) => isHidden).length;
    reader.learn(batch.rows);
    for (const problem of batch.problems) add(placeOf(problem), problem.message);
    for (const row of batch.rows) {
      isBad = false;
      for (const problem of row.problems ?? []) {
        const { line, cell, message } = problem;
        if (cell === undefined) add(placeOf(problem), message, row.line);
        else if (reader.isRead(cell)) add(reader.placeOf(line, cell), message, row.line);
      }
      const fields = isBad ? {} : reader.fieldsOf(row);
      if (!isBad) take(fields, row.line);
    }
  }
  reader.finish();
  if (reader.misplaced !== undefined)
    problems.splice(0, problems.length, { where: `${name} header`, message: reader.misplaced });
  if (reader.unmanaged.length > 0) notes.push(`${UNMANAGED}${reader.unmanaged.join(', ')} in ${name}`);
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
