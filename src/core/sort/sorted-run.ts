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
const BLOCK = 48 * 1024;

/** Bytes of a number in the head of a block: the number of lines, then the lengths of their keys and of the lines. */
const WORD = 4;

/** Writes all bytes at the end of a file. @param path added to system errors */
export const writeFully = (file: FileHandle, bytes: Buffer, path: string): Promise<void> =>
  file.writeFile(bytes).catch((error: unknown) => {
    throw withPath(error, path);
  });

/** Returns a function that encodes a block. It is valid until the next one: new memory for each would cost as much as all else. */
function blockEncoder(): (items: readonly Item[]) => Buffer {
  let memory = Buffer.alloc(0);
  return (items) => {
    const lines = items.map(({ line }) => String(line));
    // All lines and all keys are encoded in one call each, because a call per line would take as long.
    const [text, keys] = [lines.join(''), items.map(({ key }) => key).join('')];
    const head = WORD * (1 + 2 * items.length);
    const body = head + 2 * keys.length;
    // The most that UTF-8 can need.
    const max = body + 3 * text.length;
    if (max > memory.length) memory = Buffer.allocUnsafeSlow(2 * max);
    // UTF-16 preserves lone surrogates in IDs.
    memory.write(keys, head, 'utf16le');
    const bytes = memory.write(text, body);
    const words = new Uint32Array(memory.buffer, 0, 1 + 2 * items.length);
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
  } catch (error) {
    await writer.end();
    throw error;
  }
  return writer.end();
}

/** Reads items one by one: of a run, or of memory. */
export class RunReader {
  readonly #file: FileHandle | undefined;
  #block: readonly Line[];
  #at = 0;

  private constructor(file: FileHandle | undefined, items: readonly Line[]) {
    this.#file = file;
    this.#block = items;
  }

  static async open({ path }: Run): Promise<RunReader> {
    return new RunReader(await open(path), []);
  }

  static of(items: readonly Item[]): RunReader {
    return new RunReader(
      undefined,
      items.map(({ key, line }) => ({ key, line: Buffer.from(line) })),
    );
  }

  /** The current item; undefined if `load` must be called. Each block has its own memory, so earlier lines stay valid. */
  get item(): Line | undefined {
    return this.#block[this.#at];
  }

  skip(): void {
    this.#at++;
  }

  /** Loads the next block if no item is left. @returns false at the end */
  async load(): Promise<boolean> {
    if (this.#file === undefined) return this.item !== undefined;
    const [count] = await this.#words(1);
    if (count === undefined) return false;
    const lengths = await this.#words(2 * count);
    const keyLengths = lengths.slice(0, count);
    const keys = (await this.#read(2 * sum(keyLengths))).toString('utf16le');
    const bytes = await this.#read(sum(lengths.slice(count)));
    let [from, start] = [0, 0];
    this.#block = Array.from(keyLengths, (length, index) => {
      const end = start + (lengths[count + index] ?? 0);
      const item = { key: keys.slice(from, from + length), line: bytes.subarray(start, end) };
      from += length;
      start = end;
      return item;
    });
    this.#at = 0;
    return true;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** @returns no numbers at the end of the file */
  async #words(count: number): Promise<Uint32Array> {
    const bytes = await this.#read(count * WORD);
    return new Uint32Array(Uint8Array.from(bytes).buffer);
  }

  /** @returns no bytes at the end of the file */
  async #read(length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const bytesRead = (await this.#file?.read(bytes, done, length - done))?.bytesRead ?? 0;
      if (bytesRead === 0 && done === 0) return bytes.subarray(0, 0);
      if (bytesRead === 0) throw new Error('a temporary file ended early');
      done += bytesRead;
    }
    return bytes;
  }
}

const sum = (numbers: Uint32Array): number => numbers.reduce((total, number) => total + number, 0);
