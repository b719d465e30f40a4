/** Sorted runs on disk: files of blocks that hold keys and lines. A run is written once and read once, front to back. */
import { type FileHandle, open } from 'node:fs/promises';
import { withPath } from '../fs/disk-errors.js';
import { openNew } from '../fs/write-file.js';

export interface Run {
  readonly path: string;
}

export interface Item {
  readonly key: string;
  /** With its line break. */
  readonly line: string | Buffer;
}

/** An item that was read. */
export interface Line extends Item {
  readonly line: Buffer;
}

/** UTF-16 units of the lines of a block. Each reader of a merge holds one block. */
const BLOCK = 96 * 1024;

const NOTHING: Buffer = Buffer.alloc(0);

/** Bytes of a number. A block is its size, the number of its lines, the lengths of their keys and of the lines, the keys and the lines. */
const WORD = 4;

/** Writes all bytes at the end of a file. @param path added to system errors */
export const writeFully = (file: FileHandle, bytes: Buffer, path: string): Promise<void> =>
  file.writeFile(bytes).catch((error: unknown) => {
    throw withPath(error, path);
  });

/** Returns a function that encodes a block. It is valid until the next one: new memory for each would cost as much as all else. */
function blockEncoder(): (items: readonly Item[]) => Buffer {
  let memory = NOTHING;
  return (items) => {
    const lines = items.map(({ line }) => String(line));
    // All lines and all keys are encoded in one call each, because a call per line would take as long.
    const text = lines.join('');
    const keys = items.map(({ key }) => key).join('');
    const head = WORD * (2 + 2 * items.length);
    const body = head + 2 * keys.length;
    const size = body + Buffer.byteLength(text);
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(2 * size);
    // UTF-16 preserves lone surrogates in IDs.
    memory.write(keys, head, 'utf16le');
    const bytes = memory.write(text, body);
    memory.writeUInt32LE(body - WORD + bytes);
    const words = new Uint32Array(memory.buffer, WORD, 1 + 2 * items.length);
    words[0] = items.length;
    for (const [index, { key }] of items.entries()) {
      const line = lines[index] ?? '';
      words[1 + index] = key.length;
      words[1 + items.length + index] = bytes === text.length ? line.length : Buffer.byteLength(line);
    }
    return memory.subarray(0, body + bytes);
  };
}

export type RunWriter = Awaited<ReturnType<typeof createRun>>;

export async function createRun(path: string) {
  const file = await openNew(path);
  const blockOf = blockEncoder();
  return {
    /** Appends items, which must be in order. */
    async write(items: readonly Item[]): Promise<void> {
      for (let from = 0; from < items.length; ) {
        let to = from;
        for (let units = 0; to < items.length && units < BLOCK; to++) units += items[to]?.line.length ?? 0;
        await writeFully(file, blockOf(items.slice(from, to)), path);
        from = to;
      }
    },
    async end(): Promise<Run> {
      await file.close();
      return { path };
    },
  };
}

/** Writes a run of items in order. */
export async function writeRun(
  path: string,
  batches: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>,
): Promise<Run> {
  const writer = await createRun(path);
  try {
    for await (const batch of batches) await writer.write(batch);
  } finally {
    await writer.end();
  }
  return { path };
}

/** Reads up to `length` bytes; fewer at the end of the file. @param memory used if it is large enough */
async function readUpTo(file: FileHandle, length: number, memory: Buffer): Promise<Buffer> {
  // With room for most later blocks.
  const bytes = length <= memory.length ? memory : Buffer.allocUnsafeSlow(length + BLOCK / 16);
  let done = 0;
  for (let read = 1; read > 0; done += read) read = (await file.read(bytes, done, length - done)).bytesRead;
  return bytes.subarray(0, done);
}

/** Reads items one by one: of a run, or of memory. */
export class RunReader {
  /** The memory of the current block, which its lines share. */
  memory = NOTHING;
  readonly #file: FileHandle | undefined;
  #block: readonly Line[];
  #at = 0;
  /** Bytes of the next block, which are read with the block before it: one read a block. */
  #size: number;

  private constructor(file: FileHandle | undefined, items: readonly Line[], size = 0) {
    this.#file = file;
    this.#block = items;
    this.#size = size;
  }

  static async open({ path }: Run): Promise<RunReader> {
    const file = await open(path);
    return new RunReader(file, [], sizeAt(await readUpTo(file, WORD, NOTHING), 0));
  }

  static of(items: readonly Item[]): RunReader {
    return new RunReader(
      undefined,
      items.map(({ key, line }) => ({ key, line: Buffer.from(line) })),
    );
  }

  /** The current item; undefined if `load` must be called. */
  get item(): Line | undefined {
    return this.#block[this.#at];
  }

  skip(): void {
    this.#at++;
  }

  /** Loads the next block if no item is left. @param memory of a block whose lines are no longer used @returns false at the end */
  async load(memory = NOTHING): Promise<boolean> {
    if (this.#file === undefined) return this.item !== undefined;
    const size = this.#size;
    if (size === 0) return false;
    const bytes = await readUpTo(this.#file, size + WORD, memory);
    this.#size = sizeAt(bytes, size);
    this.#block = itemsOf(bytes.subarray(0, size));
    this.#at = 0;
    this.memory = Buffer.from(bytes.buffer);
    return true;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

/** The size of the block that follows the first `end` bytes; 0 if none does. */
function sizeAt(bytes: Buffer, end: number): number {
  if (bytes.length === end) return 0;
  if (bytes.length !== end + WORD) throw new Error('a temporary file ended early');
  return bytes.readUInt32LE(end);
}

/** Decodes a block without its size. */
function itemsOf(block: Buffer): Line[] {
  const [count = 0] = new Uint32Array(block.buffer, 0, 1);
  const lengths = new Uint32Array(block.buffer, WORD, 2 * count);
  const head = WORD * (1 + 2 * count);
  let start = head + 2 * lengths.subarray(0, count).reduce((sum, length) => sum + length, 0);
  const keys = block.toString('utf16le', head, start);
  let from = 0;
  return Array.from(lengths.subarray(0, count), (length, index) => {
    const end = start + (lengths[count + index] ?? 0);
    const item = { key: keys.slice(from, from + length), line: block.subarray(start, end) };
    from += length;
    start = end;
    return item;
  });
}
