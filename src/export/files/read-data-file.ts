/** Reads the data files of exports in constant memory. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import { parseJson } from '../../core/exact-json.js';
import { fromTextFormula } from '../../core/formula.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { NO_FOLLOW, streamRegularFile } from '../../core/fs/regular-file.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { EXPORTED, keyReader, type Resource } from '../collect/resources.js';
import type { Format } from './file-format.js';
import { type FileFacts, filesOf, type Manifest } from './manifest.js';

/** Parses a record; undefined for one that is not an item. */
type Parse = (record: string) => JsonObject | undefined;

/** The first character of a csv for Excel, which has CRLF, texts as formulas, and the delimiter of its language. */
const BYTE_ORDER_MARK = '\ufeff';

/** The cells of one record (RFC 4180). */
function cellsOf(record: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= record.length; ) {
    if (record[at] !== '"') {
      const comma = record.indexOf(delimiter, at);
      const end = comma < 0 ? record.length : comma;
      cells.push(record.slice(at, end));
      at = end + 1;
      continue;
    }
    let cell = '';
    for (let from = at + 1; ; ) {
      const quote = record.indexOf('"', from);
      const end = quote < 0 ? record.length : quote;
      cell += record.slice(from, end);
      if (record[end + 1] !== '"') {
        at = end + 2;
        break;
      }
      cell += '"';
      from = end + 2;
    }
    cells.push(cell);
  }
  return cells;
}

function parseLine(line: string): JsonObject | undefined {
  if (line === '' || line === '[' || line === ']' || line === '[]') return undefined;
  const value = parseJson(line);
  return isObject(value) ? value : { id: value };
}

function csvParser(): Parse {
  let names: readonly string[] | undefined;
  let isExcel = false;
  let delimiter = ',';
  return (record) => {
    if (names === undefined) {
      isExcel = record.startsWith(BYTE_ORDER_MARK);
      // The names of fields contain no delimiter.
      delimiter = record.includes(';') ? ';' : ',';
      names = cellsOf(isExcel ? record.slice(1).trimEnd() : record, delimiter);
      return undefined;
    }
    const cells = cellsOf(isExcel ? record.replace(/\r$/, '') : record, delimiter);
    if (isExcel) for (const [index, cell] of cells.entries()) cells[index] = fromTextFormula(cell);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  };
}

/** A parser for the records of one file. */
const parserOf = (format: Format): Parse => (format === 'csv' ? csvParser() : parseLine);

export interface Entry {
  readonly key: string;
  /** The item's line in the file, without line break and comma. */
  readonly line: string;
  readonly item: JsonObject;
}

const NEWLINE = 0x0a;

/** Limits memory for a file without line breaks; items of the service have kilobytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The decompressed bytes of a file. @param digest called with the stored bytes */
export async function* bytesOf(
  path: string,
  maxBytes: number,
  digest: (bytes: Buffer) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const raw = streamRegularFile(path, { flags: NO_FOLLOW, maxBytes, highWaterMark: 64 * 1024, signal });
  raw.on('data', (chunk) => digest(chunk as Buffer));
  if (!/\.gz(\.partial)?$/.test(path)) {
    yield* raw as AsyncIterable<Buffer>;
    return;
  }
  const [{ createGunzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  const unpacked = createGunzip();
  pipeline(raw, unpacked, () => {});
  yield* unpacked as AsyncIterable<Buffer>;
}

export interface RecordFile {
  readonly folder: string;
  readonly facts: FileFacts;
  readonly format: Format;
  /** The sort key of an item. */
  readonly keyOf: (item: JsonObject) => string;
  readonly signal?: AbortSignal | undefined;
  /** Written by this run, so that its digest need not be checked. */
  readonly isOwn?: true;
}

/** The file with all items of a resource in an export; undefined if it has none. */
export function recordFile(
  { folder, manifest }: { readonly folder: string; readonly manifest: Pick<Manifest, 'format' | 'resources'> },
  resource: Resource,
  signal?: AbortSignal,
): RecordFile | undefined {
  const facts = manifest.resources[resource];
  const [file] = facts === undefined || facts.changes !== undefined ? [] : filesOf(facts);
  return file && { folder, facts: file, format: manifest.format, keyOf: keyReader(EXPORTED[resource]), signal };
}

const unreadable = ({ folder, facts }: RecordFile, reason: string): EduError =>
  usageError(`Cannot read ${join(folder, facts.file)}: ${reason}.`);

const changed = ({ folder, facts }: RecordFile): EduError =>
  usageError(
    `${join(folder, facts.file)} is not the file that the manifest describes.`,
    `See what is wrong: ${shellLine('edu', 'export', '--verify', folder)}`,
  );

/** Returns a function that joins the lines of a csv whose line breaks are within quotes. */
function csvRecords(file: RecordFile): (lines: readonly string[]) => readonly string[] {
  let open: string | undefined;
  return (lines) =>
    lines.flatMap((line) => {
      const isEnd = (line.split('"').length % 2 === 1) === (open === undefined);
      const record = open === undefined ? line : `${open}\n${line}`;
      open = isEnd ? undefined : record;
      if (record.length > MAX_LINE_BYTES) throw unreadable(file, `a record has more than ${MAX_LINE_BYTES} characters`);
      return isEnd ? [record] : [];
    });
}

/** The records of a file without line breaks, by chunks. @throws a usage error if it is not as the manifest describes it */
async function* recordsIn(file: RecordFile): AsyncGenerator<readonly string[]> {
  const { folder, facts, format, signal } = file;
  const hash = createHash('sha256');
  const recordsOf = format === 'csv' ? csvRecords(file) : (lines: readonly string[]) => lines;
  const rest: Buffer[] = [];
  let restBytes = 0;
  try {
    for await (const chunk of bytesOf(join(folder, facts.file), facts.bytes + 1, (raw) => hash.update(raw), signal)) {
      const end = chunk.lastIndexOf(NEWLINE);
      // Joined once: copying a long line with each chunk would take quadratic time.
      const lines = end < 0 ? undefined : Buffer.concat([...rest.splice(0), chunk.subarray(0, end)]);
      restBytes = end < 0 ? restBytes + chunk.length : chunk.length - end - 1;
      if (restBytes > MAX_LINE_BYTES) throw unreadable(file, `a line has more than ${MAX_LINE_BYTES} bytes`);
      rest.push(chunk.subarray(end + 1));
      if (lines !== undefined) yield recordsOf(lines.toString().split('\n'));
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof EduError ? error : unreadable(file, describeErrno(error));
  }
  if (file.isOwn !== true && hash.digest('hex') !== facts.sha256) throw changed(file);
  if (restBytes > 0) yield recordsOf([Buffer.concat(rest).toString()]);
}

/** Returns a function that parses the records of one file; undefined for one that is no item. */
function entryReader(file: RecordFile): (record: string) => Entry | undefined {
  const parse = parserOf(file.format);
  return (record) => {
    const line = file.format === 'json' && record.endsWith(',') ? record.slice(0, -1) : record;
    try {
      const item = parse(line);
      return item && { key: file.keyOf(item), line, item };
    } catch (error) {
      throw unreadable(file, error instanceof Error ? error.message : String(error));
    }
  };
}

/** Reads a data file one record at a time, and parses only those that `peek` returns. */
export class RecordReader {
  readonly #chunks: AsyncGenerator<readonly string[]> | undefined;
  readonly #entryOf: ((record: string) => Entry | undefined) | undefined;
  #records: readonly string[] = [];
  #at = 0;

  /** @param file undefined for an empty reader */
  constructor(file: RecordFile | undefined) {
    this.#chunks = file && recordsIn(file);
    this.#entryOf = file && entryReader(file);
  }

  /** The text of the current record; undefined if more must be loaded. */
  get record(): string | undefined {
    return this.#records[this.#at];
  }

  /** Loads further records if none is left. @returns false at the end of the file */
  async load(): Promise<boolean> {
    while (this.record === undefined) {
      const next = await this.#chunks?.next();
      if (next === undefined || next.done === true) return false;
      this.#records = next.value;
      this.#at = 0;
    }
    return true;
  }

  /** The current item; undefined at the end. */
  async peek(): Promise<Entry | undefined> {
    while (await this.load()) {
      const entry = this.#entryOf?.(this.record ?? '');
      if (entry !== undefined) return entry;
      this.skip();
    }
    return undefined;
  }

  skip(): void {
    this.#at++;
  }

  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
  }
}

/** The items of a data file in order, by chunks. @throws a usage error if the file does not match the manifest */
export async function* readDataFile(file: RecordFile): AsyncGenerator<readonly Entry[]> {
  const entryOf = entryReader(file);
  let count = 0;
  for await (const records of recordsIn(file)) {
    const entries = records.flatMap((record) => entryOf(record) ?? []);
    count += entries.length;
    if (entries.length > 0) yield entries;
  }
  if (count !== file.facts.count) throw changed(file);
}
