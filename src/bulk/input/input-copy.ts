/**
 * The rows of an input in the folder of a job, so that a pipe can be read twice and a file may change meanwhile: a line
 * of JSON for each row. Columns that `--ignore` or `--ignore-unknown` leaves out are kept nowhere.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type EduError, usageError } from '../../core/errors.js';
import { writing } from '../../core/fs/disk-errors.js';
import { streamRegularFile } from '../../core/fs/regular-file.js';
import { streamInput } from '../../core/fs/stream-input.js';
import { writeAll } from '../../core/fs/write-file.js';
import type { In } from '../../core/io.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { objectReader } from '../../core/table/json-rows.js';
import { type Input, isBinaryTable, openFile, openInput, type TableOptions } from '../../core/table/open-table.js';
import type { Batch, InputRow, Reading, Rows } from '../../core/table/rows.js';

export const INPUT = 'input';

/** Stops endless inputs. A million rows of 1 KiB take a quarter of it. */
const MAX_INPUT_BYTES = 4 * 1024 ** 3;
const BLOCK = 64 * 1024;
/** Rows that are worked on together. What they need is copied by each collection of garbage until they are done. */
export const AT_ONCE = 128;

const tooLarge = (from: string): EduError =>
  usageError(
    `--from: ${JSON.stringify(from)} is larger than 4 GiB.`,
    'Split it into several files, and give each one to --from.',
  );

/** Chunks of a pipe that the caller may keep, up to the limit. */
async function* chunksOf(from: string, stdin: In, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of streamInput('--from', from, stdin, signal)) {
    length += chunk.length;
    if (length > MAX_INPUT_BYTES) throw tooLarge(from);
    yield Buffer.from(chunk);
  }
}

/**
 * Opens the input of a command line. A workbook from a pipe, which cannot be read in order, is written to the folder.
 * @param from a file's name, or `-` for stdin
 * @param options of the table; the folder, such as that of the draft of a job
 * @returns also a function that removes what was written
 */
export async function openSource(
  from: string,
  { folder, ...given }: Omit<TableOptions, 'name'> & { readonly folder: () => string },
  stdin: In,
  signal: AbortSignal,
): Promise<{ readonly input: Input; readonly close: () => void }> {
  const options = { name: from, ...given };
  const known = from === '-' ? undefined : statSync(from, { throwIfNoEntry: false });
  if (known?.isFile()) {
    if (known.size > MAX_INPUT_BYTES) throw tooLarge(from);
    return { input: await openFile(from, options), close: () => {} };
  }
  const chunks = chunksOf(from, stdin, signal);
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 8) {
    const next = await chunks.next();
    if (next.done) break;
    length += next.value.length;
    first.push(next.value);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* first;
    yield* chunks;
  }
  if (!isBinaryTable(Buffer.concat(first))) return { input: await openInput(whole(), options), close: () => {} };
  const path = folder();
  const file = join(path, 'workbook');
  const handle = writing(path, () => openSync(file, 'wx', 0o600));
  try {
    for await (const chunk of whole()) writing(path, () => writeAll(handle, chunk));
  } finally {
    closeSync(handle);
  }
  return { input: await openFile(file, options), close: () => rmSync(file, { force: true }) };
}

/** An object without the members of these dotted names. */
function without(object: JsonObject, names: ReadonlySet<string>, prefix = ''): JsonObject {
  const kept = Object.entries(object).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (names.has(path)) return [];
    return [[name, isObject(value) ? without(value, names, `${path}.`) : value] as const];
  });
  return Object.fromEntries(kept);
}

/** Which columns of an input are kept. */
interface Kept {
  /** Grows while a JSON input is read. */
  readonly columns: readonly string[];
  readonly keeps: (place: number) => boolean;
  /** True if a flag leaves out columns. */
  readonly hasDropped: boolean;
}

/** A row without dropped columns. One that cannot be read is left blank if there are any, because they may be anywhere. */
function keptRow(row: InputRow, { columns, keeps, hasDropped }: Kept) {
  const { number, line, cells, kinds = {}, object, isBroken } = row;
  if (!hasDropped) return object === undefined ? row : { number, line, object };
  if (isBroken) return { number, line };
  if (object !== undefined)
    return { number, line, object: without(object, new Set(columns.filter((_, place) => !keeps(place)))) };
  const places = [...columns.keys()].filter(keeps);
  const kept = Object.fromEntries(places.map((place, index) => [index, kinds[place]]));
  return { number, line, cells: places.map((place) => cells[place]), kinds: kept };
}

export class InputCopy {
  readonly #folder: string;
  readonly #handle: number;
  readonly #hash = createHash('sha256');
  #pending = '';
  #kept: Kept = { columns: [], keeps: () => true, hasDropped: false };

  /** @param folder the draft of a job */
  constructor(folder: string) {
    this.#folder = folder;
    this.#handle = writing(folder, () => openSync(join(folder, INPUT), 'wx', 0o600));
  }

  #put(line: unknown): void {
    this.#pending += `${JSON.stringify(line)}\n`;
    if (this.#pending.length >= BLOCK) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    this.#hash.update(bytes);
    writing(this.#folder, () => writeAll(this.#handle, bytes));
  }

  /** Writes what all rows have in common, before the first one. */
  begin({ format, columns, headerLine, delimiter, isSheet, reading = {} }: Rows, keeps: Kept['keeps']): void {
    const hasDropped = reading.ignoreUnknown === true || (reading.ignore ?? []).length > 0;
    this.#kept = { columns, keeps, hasDropped };
    const places = format === 'csv' ? [...columns.keys()].filter(keeps) : [];
    const names = places.map((place) => columns[place]);
    this.#put({ format, columns: names, ...(hasDropped ? { places } : {}), headerLine, delimiter, isSheet });
  }

  /** Writes the rows of a batch, in order. */
  add({ rows }: Batch): void {
    for (const row of rows) {
      try {
        const { copies = 1 } = row;
        const kept = keptRow(row, this.#kept);
        if (copies === 1) this.#put(kept);
        else for (let at = 0; at < copies; at++) this.#put({ ...kept, number: row.number + at, copies: undefined });
      } catch (error) {
        // Objects that JSON.parse reads may be nested deeper than JSON.stringify writes.
        throw error instanceof RangeError ? usageError(`Line ${row.line} is nested too deeply.`) : error;
      }
    }
  }

  /** @returns sha256 of the copy, in hex */
  end(): string {
    this.#flush();
    writing(this.#folder, () => fsyncSync(this.#handle));
    return this.#hash.digest('hex');
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** Lines of a file, in groups. */
async function* linesOf(file: string): AsyncGenerator<readonly string[]> {
  let pending = '';
  const chunks = streamRegularFile(file);
  chunks.setEncoding('utf8');
  for await (const chunk of chunks as AsyncIterable<string>) {
    const lines = chunk.split('\n');
    lines[0] = pending + (lines[0] ?? '');
    pending = lines.pop() ?? '';
    for (let at = 0; at < lines.length; at += AT_ONCE) yield lines.slice(at, at + AT_ONCE);
  }
}

/** Opens the copy in the folder of a job, whose checksum was checked. */
export async function openCopy(file: string, reading: Reading | undefined): Promise<Rows> {
  const source = linesOf(file);
  const [first = '', ...rest] = (await source.next()).value ?? [];
  const head = JSON.parse(first) as Omit<Rows, 'batches' | 'reading'>;
  const columns = [...head.columns];
  const read = objectReader(columns);
  function rowOf(line: string): InputRow {
    const row = JSON.parse(line) as InputRow;
    const { cells = [], kinds } = row.object === undefined ? (row as Partial<InputRow>) : read(row.object, row.line);
    // Not a copy: a member after a spread gives each object a hidden class of its own in V8 11.
    return Object.assign(row, { cells: cells.map((cell) => cell ?? undefined), kinds });
  }
  async function* batches(): AsyncGenerator<Batch> {
    if (rest.length > 0) yield { rows: rest.map(rowOf), problems: [] };
    for await (const lines of source) yield { rows: lines.map(rowOf), problems: [] };
  }
  return { ...head, columns, reading, batches: batches() };
}
