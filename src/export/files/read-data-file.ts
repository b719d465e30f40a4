/** Reads the data files of exports in constant memory. */
import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import { parseJson } from '../../core/exact-json.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { NO_FOLLOW, openRegularFile, streamRegularFile } from '../../core/fs/regular-file.js';
import { inOneBuffer } from '../../core/fs/stream-input.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { csvSplitter } from '../../core/table/csv-rows.js';
import { keyReader, type Resource } from '../collect/resources.js';
import type { Format } from './file-format.js';
import { type FileFacts, filesOf, type Manifest, type ResourceFacts } from './manifest.js';

export interface Entry {
  readonly key: string;
  /** The item's line in the file, without line break and comma. */
  readonly line: string;
  /** Parsed when it is first read, as the key is. @throws a usage error for a line that is no item */
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
}

export const fileOf = (resource: Resource, file: Omit<RecordFile, 'keyOf'>): RecordFile => ({
  ...file,
  keyOf: keyReader(resource),
});

/** The file with all items of a resource in an export; undefined if it has none. */
export function recordFile(
  { folder, manifest }: { readonly folder: string; readonly manifest: Pick<Manifest, 'format' | 'resources'> },
  resource: Resource,
  signal?: AbortSignal,
): RecordFile | undefined {
  const facts = manifest.resources[resource];
  const [file] = facts === undefined || facts.changes !== undefined ? [] : filesOf(facts);
  return file && fileOf(resource, { folder, facts: file, format: manifest.format, signal });
}

/** SHA-256 of a file in hex, and its size; undefined if it cannot be read. @param signal aborts with its reason */
export async function digest(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<{ readonly sha256: string; readonly bytes: number } | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const { handle } = openRegularFile(path, NO_FOLLOW);
    try {
      for await (const chunk of inOneBuffer(handle, maxBytes)) {
        signal?.throwIfAborted();
        hash.update(chunk);
        bytes += chunk.length;
      }
    } finally {
      closeSync(handle);
    }
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** True if a file is as its export wrote it. @param facts undefined if no export describes it */
export const isAsWritten = async (
  path: string,
  facts: Pick<ResourceFacts, 'bytes' | 'sha256'> | undefined,
): Promise<boolean> => facts !== undefined && (await digest(path, facts.bytes + 1))?.sha256 === facts.sha256;

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
  if (hash.digest('hex') !== facts.sha256) throw changed(file);
  if (restBytes > 0) yield recordsOf([Buffer.concat(rest).toString()]);
}

function parseJsonLine(line: string): JsonObject {
  const value = parseJson(line);
  return isObject(value) ? value : { id: value };
}

/** Returns a function that parses records below a header. */
function csvParser(header: string): (record: string) => JsonObject {
  const cellsOf = csvSplitter(',');
  const names = cellsOf(header);
  return (record) => {
    const cells = cellsOf(record);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  };
}

/**
 * An entry that is parsed when it is first needed: most lines are only compared. Not an object with getters, which would
 * take twice the time of a comparison.
 */
class LazyEntry implements Entry {
  readonly line: string;
  readonly #file: RecordFile;
  readonly #parse: (record: string) => JsonObject;
  #item: JsonObject | undefined;
  #key: string | undefined;

  constructor(line: string, file: RecordFile, parse: (record: string) => JsonObject) {
    this.line = line;
    this.#file = file;
    this.#parse = parse;
  }

  get item(): JsonObject {
    try {
      this.#item ??= this.#parse(this.line);
      return this.#item;
    } catch (error) {
      throw unreadable(this.#file, error instanceof Error ? error.message : String(error));
    }
  }

  get key(): string {
    this.#key ??= this.#file.keyOf(this.item);
    return this.#key;
  }
}

/** The lines around the items of a JSON document, and blank ones. */
const AROUND = new Set(['', '[', ']', '[]']);

/**
 * The items of a data file in order, by chunks.
 * @param file undefined for no items
 * @throws a usage error if the file does not match the manifest
 */
export async function* readDataFile(file: RecordFile | undefined): AsyncGenerator<readonly Entry[]> {
  if (file === undefined) return;
  let parse = file.format === 'csv' ? undefined : parseJsonLine;
  let count = 0;
  for await (const records of recordsIn(file)) {
    const entries: Entry[] = [];
    for (const record of records) {
      if (parse === undefined) parse = csvParser(record);
      else if (file.format === 'csv') entries.push(new LazyEntry(record, file, parse));
      else if (!AROUND.has(record)) entries.push(new LazyEntry(record.replace(/,$/, ''), file, parse));
    }
    count += entries.length;
    if (entries.length > 0) yield entries;
  }
  if (count !== file.facts.count) throw changed(file);
}
