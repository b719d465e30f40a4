/**
 * Sorted runs on disk: one file with the lines in order, and one with each line's key and length. A run is written
 * once and read once, front to back.
 */
import type { FileHandle } from 'node:fs/promises';
import { withPath } from '../fs/disk-errors.js';

export interface Run {
  /** Path of the file of lines. */
  readonly lines: string;
  readonly keys: string;
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly keyBytes: number;
  readonly keySha256: string;
  /** True if two lines have the same key. */
  readonly hasRepeats: boolean;
}

/** UTF-16 units of lines per write, and per read of a merge. */
const CHUNK = 32 * 1024;

/** Bytes of a number in the file of keys. */
const WORD = 4;

/** Writes all bytes at the end of a file. @param path added to system errors */
export async function writeFully(file: FileHandle, bytes: Buffer, path: string): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
  } catch (error) {
    throw withPath(error, path);
  }
}

/** Encodes keys and lengths of lines: their number, the lengths of keys and lines, then the keys. */
function keyBlock(keys: readonly string[], lengths: readonly number[]): Buffer {
  const text = keys.join('');
  const head = WORD * (2 + 2 * keys.length);
  const block = Buffer.allocUnsafe(head + 2 * text.length);
  const words = new Uint32Array(head / WORD);
  words[0] = keys.length;
  words[1] = text.length;
  for (const [index, key] of keys.entries()) {
    words[2 + index] = key.length;
    words[2 + keys.length + index] = lengths[index] ?? 0;
  }
  block.set(new Uint8Array(words.buffer), 0);
  // UTF-16 preserves lone surrogates in IDs.
  block.write(text, head, 'utf16le');
  return block;
}

export type RunWriter = Awaited<ReturnType<typeof writeRun>>;

/**
 * Creates a run.
 * @param path the file of lines; the keys are in a file beside it
 * @param chunk UTF-16 units of lines per write
 */
export async function writeRun(path: string, chunk = CHUNK) {
  const { openNew } = await import('../fs/write-file.js');
  const { createHash } = await import('node:crypto');
  const keyPath = `${path}.keys`;
  const hash = createHash('sha256');
  const keyHash = createHash('sha256');
  const lineFile = await openNew(path);
  const keyFile = await openNew(keyPath);
  let memory = Buffer.alloc(0);
  let lines: string[] = [];
  let keys: string[] = [];
  let [waiting, count, bytes, keyBytes] = [0, 0, 0, 0];
  let lastKey = '';
  let hasRepeats = false;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const [written, writtenKeys, units] = [lines, keys, waiting];
    [lines, keys, waiting] = [[], [], 0];
    // Encodes all lines in one call, into a reused buffer: a call per line, or a new buffer per write, would take as long
    // as everything else.
    const text = written.join('');
    // Room for the most that UTF-8 can need: memory that is not written to takes no room.
    if (3 * text.length > memory.length) memory = Buffer.allocUnsafeSlow(6 * text.length);
    const encoded = memory.subarray(0, memory.write(text));
    const isPlain = encoded.length === units;
    const lengths = written.map((line) => (isPlain ? line.length : Buffer.byteLength(line)));
    count += written.length;
    bytes += encoded.length;
    hash.update(encoded);
    await writeFully(lineFile, encoded, path);
    const block = keyBlock(writtenKeys, lengths);
    keyBytes += block.length;
    keyHash.update(block);
    await writeFully(keyFile, block, keyPath);
  };
  const close = async (): Promise<void> => {
    await lineFile.close();
    await keyFile.close();
  };
  return {
    /** Adds a line with its line break. Keys must be in order. */
    add(key: string, line: string): void {
      if (key === lastKey && key !== '') hasRepeats = true;
      lastKey = key;
      keys.push(key);
      lines.push(line);
      waiting += line.length;
    },
    isFull: (): boolean => waiting >= chunk,
    flush,
    close,
    async end(): Promise<Run> {
      try {
        await flush();
      } finally {
        await close();
      }
      const digests = { sha256: hash.digest('hex'), keySha256: keyHash.digest('hex') };
      return { lines: path, keys: keyPath, count, bytes, keyBytes, ...digests, hasRepeats };
    },
  };
}

interface Item {
  readonly key: string;
  /** With its line break. */
  readonly line: string | Buffer;
}

/** Writes a run of items in order. */
export async function writeItems(
  path: string,
  batches: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>,
): Promise<Run> {
  const writer = await writeRun(path);
  try {
    for await (const batch of batches) {
      for (const { key, line } of batch) {
        writer.add(key, String(line));
        if (writer.isFull()) await writer.flush();
      }
    }
  } catch (error) {
    await writer.close();
    throw error;
  }
  return writer.end();
}

async function readFully(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done);
    if (bytesRead === 0) throw new Error('a temporary file of the export ended early');
    done += bytesRead;
  }
  return bytes;
}

export class RunReader {
  readonly #lines: FileHandle;
  readonly #keys: FileHandle;
  /** Items that are in no block read so far. */
  #left: number;
  #block: readonly { readonly key: string; readonly end: number }[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #start = 0;
  key = '';
  line: Buffer = Buffer.alloc(0);

  private constructor(lines: FileHandle, keys: FileHandle, count: number) {
    this.#lines = lines;
    this.#keys = keys;
    this.#left = count;
  }

  static async open(run: Run): Promise<RunReader> {
    const { open } = await import('node:fs/promises');
    const lines = await open(run.lines);
    return new RunReader(lines, await open(run.keys), run.count);
  }

  /** Advances to the next item. @returns false at the end */
  async next(): Promise<boolean> {
    const entry = this.#block[this.#at];
    if (entry === undefined) return this.#left > 0 && this.#fill();
    this.#at++;
    this.key = entry.key;
    // Each block has its own memory, so earlier lines stay valid.
    this.line = this.#bytes.subarray(this.#start, entry.end);
    this.#start = entry.end;
    return true;
  }

  async #fill(): Promise<boolean> {
    const head = await readFully(this.#keys, 2 * WORD);
    const [count, units] = [head.readUInt32LE(0), head.readUInt32LE(WORD)];
    const lengths = await readFully(this.#keys, 2 * count * WORD);
    const text = (await readFully(this.#keys, 2 * units)).toString('utf16le');
    const block: { key: string; end: number }[] = [];
    let from = 0;
    let end = 0;
    for (let index = 0; index < count; index++) {
      const to = from + lengths.readUInt32LE(index * WORD);
      end += lengths.readUInt32LE((count + index) * WORD);
      block.push({ key: text.slice(from, to), end });
      from = to;
    }
    this.#bytes = await readFully(this.#lines, end);
    this.#block = block;
    this.#at = 0;
    this.#start = 0;
    this.#left -= count;
    return this.next();
  }

  async close(): Promise<void> {
    await this.#lines.close();
    await this.#keys.close();
  }
}
