/** Reads the records of a data file as bytes; parses records on demand. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import type { FileFacts } from '../files/data-file.js';
import type { Format } from '../files/file-format.js';
import { bytesOf, type Entry, MAX_LINE_BYTES, type Parse, parserOf } from '../files/read-data-file.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const NOTHING = Buffer.alloc(0);

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
  readonly keyOf: (item: Entry['item']) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a data file one record at a time. */
export class RecordReader {
  readonly #file: RecordFile;
  readonly #path: string;
  readonly #chunks: AsyncGenerator<Buffer>;
  readonly #hash = createHash('sha256');
  readonly #parse: Parse;
  /** Bytes read but not consumed. */
  #window: Buffer = NOTHING;
  #isEnded = false;
  /** The length of the record at the start of the window, with its line break. */
  #length = 0;
  #entry: Entry | undefined;

  /** @param file undefined for an empty reader */
  constructor(file: RecordFile | undefined) {
    this.#file = file as RecordFile;
    this.#path = file === undefined ? '' : join(file.folder, file.facts.file);
    this.#parse = parserOf(file?.format ?? 'ndjson');
    this.#isEnded = file === undefined;
    this.#chunks = bytesOf(this.#path, (file?.facts.bytes ?? 0) + 1, (bytes) => this.#hash.update(bytes), file?.signal);
  }

  /** Reads more of the file. @returns false at its end @throws usage error if it does not match the manifest */
  async #fill(): Promise<boolean> {
    if (this.#isEnded) return false;
    try {
      const { done, value } = await this.#chunks.next();
      if (done !== true) {
        if (this.#window.length > MAX_LINE_BYTES) throw new Error(`a line has more than ${MAX_LINE_BYTES} bytes`);
        this.#window = this.#window.length === 0 ? value : Buffer.concat([this.#window, value]);
        return true;
      }
    } catch (error) {
      this.#file.signal?.throwIfAborted();
      throw usageError(`Cannot read ${this.#path}: ${describeErrno(error)}.`);
    }
    this.#isEnded = true;
    if (this.#hash.digest('hex') !== this.#file.facts.sha256) {
      throw usageError(
        `${this.#path} is not the file that the manifest describes.`,
        `Check the export: edu export --verify ${this.#file.folder}`,
      );
    }
    return false;
  }

  /** The end of the last complete record in the first bytes of the window. */
  #boundary(length: number): number {
    if (this.#file?.format !== 'csv') return this.#window.lastIndexOf(NEWLINE, length - 1) + 1;
    let boundary = 0;
    let isQuoted = false;
    for (let at = 0; at < length; at++) {
      const byte = this.#window[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) boundary = at + 1;
    }
    return boundary;
  }

  /** The end of the first record of the window; 0 if more must be read. */
  #firstEnd(): number {
    if (this.#file?.format !== 'csv') return this.#window.indexOf(NEWLINE) + 1;
    let isQuoted = false;
    for (let at = 0; at < this.#window.length; at++) {
      const byte = this.#window[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) return at + 1;
    }
    return 0;
  }

  /** The current record; undefined at the end. A promise only if the disk must be read, which is faster than always. */
  peek(): Entry | undefined | Promise<Entry | undefined> {
    if (this.#entry !== undefined) return this.#entry;
    while (this.#window.length > 0) {
      let end = this.#firstEnd();
      if (end === 0) {
        if (!this.#isEnded) return this.#peekMore();
        end = this.#window.length;
      }
      const entry = this.#read(end);
      if (entry !== undefined) return entry;
      this.#window = this.#window.subarray(end);
    }
    return this.#isEnded ? undefined : this.#peekMore();
  }

  async #peekMore(): Promise<Entry | undefined> {
    await this.#fill();
    return this.peek();
  }

  #read(end: number): Entry | undefined {
    let to = this.#window[end - 1] === NEWLINE ? end - 1 : end;
    if (this.#file.format === 'json' && this.#window[to - 1] === COMMA) to--;
    const line = this.#window.toString('utf8', 0, to);
    try {
      const item = this.#parse(line);
      if (item !== undefined) this.#entry = { key: this.#file.keyOf(item), line, item };
    } catch (error) {
      throw usageError(`Cannot read ${this.#path}: ${error instanceof Error ? error.message : error}.`);
    }
    this.#length = end;
    return this.#entry;
  }

  #consume(length: number): void {
    this.#window = this.#window.subarray(length);
    this.#entry = undefined;
  }

  /** Skips the record that `peek` returned. */
  skip(): void {
    this.#consume(this.#length);
  }

  /** Skips records that are equal in both files, without parsing them. Both readers must be at the start of a record. */
  static async skipEqual(one: RecordReader, other: RecordReader): Promise<void> {
    if (one.#file?.format !== other.#file?.format) return;
    for (;;) {
      if (one.#window.length === 0 && !(await one.#fill())) return;
      if (other.#window.length === 0 && !(await other.#fill())) return;
      const length = commonLength(one.#window, other.#window);
      const shorter = Math.min(one.#window.length, other.#window.length);
      const exhausted = [one, other].filter((reader) => reader.#window.length === shorter);
      const end = one.#boundary(length);
      if (end > 0) for (const reader of [one, other]) reader.#consume(end);
      if (length < shorter) return;
      for (const reader of exhausted) if (!(await reader.#fill())) return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }
}
