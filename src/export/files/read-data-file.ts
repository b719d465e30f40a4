/** Reads the data files of exports in constant memory. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type EduError, usageError } from '../../core/errors.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { NO_FOLLOW, streamRegularFile } from '../../core/fs/regular-file.js';
import type { JsonObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { EXPORTED, keyReader, type Resource } from '../collect/resources.js';
import type { Format } from './file-format.js';
import { type FileFacts, filesOf, type Manifest } from './manifest.js';
import { parserOf } from './parse-record.js';

export interface Entry {
  readonly key: string;
  /** The item's line in the file, without line break and comma. */
  readonly line: string;
  readonly item: JsonObject;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const NOTHING = Buffer.alloc(0);

/** Limits memory for a file without line breaks; items of the service have kilobytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The decompressed bytes of a file. @param digest called with the stored bytes */
export async function* bytesOf(
  path: string,
  maxBytes: number,
  digest: (bytes: Buffer) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const raw = streamRegularFile(path, { flags: NO_FOLLOW, maxBytes, highWaterMark: 512 * 1024, signal });
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

/** Bytes compared in the first step of the search for a difference; each step doubles it. */
const FIRST_STEP = 512;

/** The number of equal bytes at the beginning of two buffers. */
function commonLength(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  const equal = (from: number, to: number): boolean => a.compare(b, from, to, from, to) === 0;
  let start = 0;
  let step = FIRST_STEP;
  for (; start < length && equal(start, Math.min(length, start + step)); step *= 2) start += step;
  if (start >= length) return length;
  let end = Math.min(length, start + step);
  while (end - start > 1) {
    const middle = (start + end) >> 1;
    if (equal(start, middle)) start = middle;
    else end = middle;
  }
  return start;
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

/** Reads a data file one record at a time. All throw a usage error if the file does not match the manifest. */
export class RecordReader {
  readonly #file: RecordFile | undefined;
  readonly #chunks: AsyncGenerator<Buffer> | undefined;
  readonly #hash = createHash('sha256');
  readonly #parse: ReturnType<typeof parserOf>;
  /** Bytes read, and the number of them that were consumed. */
  #window: Buffer = NOTHING;
  #at = 0;
  #isEnded: boolean;
  /** The current record, and its length with its line break. */
  #entry: Entry | undefined;
  #length = 0;

  /** @param file undefined for an empty reader */
  constructor(file: RecordFile | undefined) {
    this.#file = file;
    this.#parse = parserOf(file?.format ?? 'ndjson');
    this.#isEnded = file === undefined;
    if (file === undefined) return;
    const update = (bytes: Buffer): void => {
      if (file.isOwn !== true) this.#hash.update(bytes);
    };
    this.#chunks = bytesOf(join(file.folder, file.facts.file), file.facts.bytes + 1, update, file.signal);
  }

  get #rest(): Buffer {
    return this.#window.subarray(this.#at);
  }

  #unreadable(reason: string): EduError {
    const { folder = '', facts } = this.#file ?? {};
    return usageError(`Cannot read ${join(folder, facts?.file ?? '')}: ${reason}.`);
  }

  /** Reads more of the file. @returns false at its end */
  async #fill(): Promise<boolean> {
    const file = this.#file;
    if (this.#isEnded || this.#chunks === undefined || file === undefined) return false;
    if (this.#window.length - this.#at > MAX_LINE_BYTES)
      throw this.#unreadable(`a line has more than ${MAX_LINE_BYTES} bytes`);
    const { done, value } = await this.#chunks.next().catch((error: unknown) => {
      file.signal?.throwIfAborted();
      throw this.#unreadable(describeErrno(error));
    });
    if (done !== true) {
      this.#window = this.#at === this.#window.length ? value : Buffer.concat([this.#rest, value]);
      this.#at = 0;
      return true;
    }
    this.#isEnded = true;
    if (file.isOwn !== true && this.#hash.digest('hex') !== file.facts.sha256) throw changed(file);
    return false;
  }

  /** The end of the first or last complete record in the window up to `to`; at most the current place if there is none. */
  #boundary(which: 'first' | 'last', to = this.#window.length): number {
    const window = this.#window;
    if (this.#file?.format !== 'csv')
      return (which === 'first' ? window.indexOf(NEWLINE, this.#at) : window.lastIndexOf(NEWLINE, to - 1)) + 1;
    let boundary = 0;
    let isQuoted = false;
    for (let at = this.#at; at < to; at++) {
      const byte = window[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) {
        boundary = at + 1;
        if (which === 'first') break;
      }
    }
    return boundary;
  }

  #parsed(record: string): Entry | undefined {
    const line = this.#file?.format === 'json' && record.endsWith(',') ? record.slice(0, -1) : record;
    try {
      const item = this.#parse(line);
      return item && { key: this.#file?.keyOf(item) ?? '', line, item };
    } catch (error) {
      throw this.#unreadable(error instanceof Error ? error.message : String(error));
    }
  }

  #next(): Entry | undefined {
    while (this.#entry === undefined && this.#at < this.#window.length) {
      let end = this.#boundary('first');
      if (end <= this.#at) {
        if (!this.#isEnded) return undefined;
        end = this.#window.length;
      }
      const isBroken = this.#window[end - 1] === NEWLINE;
      this.#length = end - this.#at;
      this.#entry = this.#parsed(this.#window.toString('utf8', this.#at, isBroken ? end - 1 : end));
      if (this.#entry === undefined) this.skip();
    }
    return this.#entry;
  }

  /** The current record; undefined at the end. A promise only if the disk must be read, which is faster than always. */
  peek(): Entry | undefined | Promise<Entry | undefined> {
    const entry = this.#next();
    return entry !== undefined || this.#isEnded ? entry : this.#fill().then(() => this.peek());
  }

  /** Skips the record that `peek` returned, or the bytes of several. */
  skip(length = this.#length): void {
    this.#at += length;
    this.#entry = undefined;
  }

  /** The items from the current record on that were read together; none at the end. */
  async batch(): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (let entry = await this.peek(); entry !== undefined; entry = this.#next()) {
      entries.push(entry);
      this.skip();
      if (this.#file?.format === 'csv') continue;
      // Splitting all lines at once is faster.
      const end = this.#isEnded ? this.#window.length : Math.max(this.#at, this.#boundary('last'));
      for (const line of this.#window.toString('utf8', this.#at, end).split('\n')) {
        const further = this.#parsed(line);
        if (further !== undefined) entries.push(further);
      }
      this.#at = end;
    }
    return entries;
  }

  /** Skips records that are equal in both files, without parsing them. Both readers must be at the start of a record. */
  static async skipEqual(one: RecordReader, other: RecordReader): Promise<void> {
    if (one.#file?.format !== other.#file?.format) return;
    for (;;) {
      if (one.#rest.length === 0 && !(await one.#fill())) return;
      if (other.#rest.length === 0 && !(await other.#fill())) return;
      const [left, right] = [one.#rest, other.#rest];
      const length = commonLength(left, right);
      const shorter = Math.min(left.length, right.length);
      const exhausted = [one, other].filter((reader) => reader.#rest.length === shorter);
      const equal = one.#boundary('last', one.#at + length) - one.#at;
      if (equal > 0) for (const reader of [one, other]) reader.skip(equal);
      if (length < shorter) return;
      for (const reader of exhausted) if (!(await reader.#fill())) return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
  }
}

const changed = ({ folder, facts }: RecordFile): EduError =>
  usageError(
    `${join(folder, facts.file)} is not the file that the manifest describes.`,
    `See what is wrong: ${shellLine('edu', 'export', '--verify', folder)}`,
  );

/** The items of a data file in order, by chunks. @throws usage error if the file does not match the manifest */
export async function* readDataFile(file: RecordFile): AsyncGenerator<readonly Entry[]> {
  const reader = new RecordReader(file);
  let count = 0;
  try {
    for (let entries = await reader.batch(); entries.length > 0; entries = await reader.batch()) {
      count += entries.length;
      yield entries;
    }
  } finally {
    await reader.close();
  }
  if (count !== file.facts.count) throw changed(file);
}
