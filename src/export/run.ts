/**
 * Sorted runs on disk: the lines of items in the order of their keys, in one file as they will stand in the export, and
 * beside it a file with each line's key and length. A run is written once and read once, front to back.
 */
import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** A finished run. */
export interface Run {
  /** The lines, one behind the other, each with its line break. */
  readonly lines: string;
  readonly keys: string;
  readonly count: number;
  readonly bytes: number;
  /** Of the lines, in hex. */
  readonly sha256: string;
}

/** Bytes that are collected before they are written. */
const CHUNK = 256 * 1024;

/** Bytes of a key's record before the key: the lengths of key and line. */
const HEAD = 8;

/** A growing piece of memory that text is put into. */
class Chunk {
  #bytes = Buffer.allocUnsafeSlow(CHUNK);
  used = 0;

  room(bytes: number): void {
    if (this.used + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.used + bytes));
    this.#bytes.copy(larger, 0, 0, this.used);
    this.#bytes = larger;
  }

  /** @returns the bytes that the text takes */
  put(text: string, encoding: 'utf8' | 'utf16le'): number {
    this.room(text.length * 3);
    const length = this.#bytes.write(text, this.used, encoding);
    this.used += length;
    return length;
  }

  putLength(length: number, at: number): void {
    this.#bytes.writeUInt32LE(length, at);
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.used);
  }

  clear(): void {
    this.used = 0;
    if (this.#bytes.length > 8 * CHUNK) this.#bytes = Buffer.allocUnsafeSlow(CHUNK);
  }
}

/** Writes all bytes at the end of a file. */
export async function writeFully(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
}

export class RunWriter {
  readonly #path: string;
  readonly #files: readonly [lines: FileHandle, keys: FileHandle];
  readonly #hash: Hash;
  readonly #lines = new Chunk();
  readonly #keys = new Chunk();
  #count = 0;
  #bytes = 0;

  private constructor(path: string, files: readonly [FileHandle, FileHandle], hash: Hash) {
    this.#path = path;
    this.#files = files;
    this.#hash = hash;
  }

  /** @param path of the lines; the keys are beside it */
  static async open(path: string): Promise<RunWriter> {
    const { open } = await import('node:fs/promises');
    const { createHash } = await import('node:crypto');
    const lines = await open(path, 'w');
    return new RunWriter(path, [lines, await open(`${path}.keys`, 'w')], createHash('sha256'));
  }

  /** Adds a line with its line break. Keys must come in order. */
  add(key: string, line: string): void {
    const length = this.#lines.put(line, 'utf8');
    this.#keys.room(HEAD);
    const head = this.#keys.used;
    this.#keys.used += HEAD;
    // UTF-16: whatever a service uses as an id survives, also halves of surrogate pairs.
    this.#keys.putLength(this.#keys.put(key, 'utf16le'), head);
    this.#keys.putLength(length, head + 4);
    this.#count++;
    this.#bytes += length;
  }

  get isFull(): boolean {
    return this.#lines.used >= CHUNK;
  }

  async flush(): Promise<void> {
    const [lines, keys] = this.#files;
    this.#hash.update(this.#lines.bytes);
    await writeFully(lines, this.#lines.bytes);
    await writeFully(keys, this.#keys.bytes);
    this.#lines.clear();
    this.#keys.clear();
  }

  async end(): Promise<Run> {
    try {
      await this.flush();
    } finally {
      await this.close();
    }
    const sha256 = this.#hash.digest('hex');
    return { lines: this.#path, keys: `${this.#path}.keys`, count: this.#count, bytes: this.#bytes, sha256 };
  }

  /** Closes the files as they are. */
  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}

/** Reads a file front to back in large pieces; what is asked for at once may be larger. */
class Blocks {
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  has(length: number): boolean {
    return this.#at + length <= this.#bytes.length;
  }

  peek(at: number): number {
    return this.#bytes.readUInt32LE(this.#at + at);
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  /** Reads more, until `length` bytes are there or the file ends. What was taken before stays as it is. */
  async fill(length: number): Promise<void> {
    const rest = this.#bytes.subarray(this.#at);
    const bytes = Buffer.allocUnsafeSlow(Math.max(CHUNK, length));
    rest.copy(bytes);
    let used = rest.length;
    while (used < bytes.length) {
      const { bytesRead } = await this.#file.read(bytes, used, bytes.length - used);
      if (bytesRead === 0) break;
      used += bytesRead;
    }
    this.#bytes = bytes.subarray(0, used);
    this.#at = 0;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** A run being read: one item at a time. */
export class RunReader {
  readonly #lines: Blocks;
  readonly #keys: Blocks;
  #left: number;
  key = '';
  line: Buffer = Buffer.alloc(0);

  private constructor(lines: Blocks, keys: Blocks, count: number) {
    this.#lines = lines;
    this.#keys = keys;
    this.#left = count;
  }

  static async open(run: Run): Promise<RunReader> {
    const { open } = await import('node:fs/promises');
    return new RunReader(new Blocks(await open(run.lines)), new Blocks(await open(run.keys)), run.count);
  }

  /** Goes to the next item. @returns false at the end; a promise when the disk has to be asked first */
  next(): boolean | Promise<boolean> {
    if (this.#left === 0) return false;
    const keys = this.#keys;
    if (keys.has(HEAD) && keys.has(HEAD + keys.peek(0)) && this.#lines.has(keys.peek(4))) return this.#take();
    return this.#fill();
  }

  #take(): boolean {
    const [keyLength, lineLength] = [this.#keys.peek(0), this.#keys.peek(4)];
    this.#keys.take(HEAD);
    this.key = this.#keys.take(keyLength).toString('utf16le');
    this.line = this.#lines.take(lineLength);
    this.#left--;
    return true;
  }

  async #fill(): Promise<boolean> {
    const [keys, lines] = [this.#keys, this.#lines];
    if (!keys.has(HEAD)) await keys.fill(HEAD);
    if (!keys.has(HEAD + keys.peek(0))) await keys.fill(HEAD + keys.peek(0));
    if (!lines.has(keys.peek(4))) await lines.fill(keys.peek(4));
    return this.#take();
  }

  async close(): Promise<void> {
    await this.#lines.close();
    await this.#keys.close();
  }
}
