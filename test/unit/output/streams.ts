/** Streams in memory, as a terminal or a pipe, that record what was written. */
import { vi } from 'vitest';
import type { Io, Out } from '../../../src/core/io.js';

export interface Kept extends Out {
  /** Everything written so far. */
  readonly text: string;
  /** Each write separately. */
  readonly writes: readonly string[];
}

export function memoryOut({ columns, rows }: { columns?: number; rows?: number } = {}): Kept {
  const writes: string[] = [];
  return {
    isTTY: columns !== undefined,
    columns,
    rows,
    writes,
    get text() {
      return writes.join('');
    },
    async write(text) {
      writes.push(typeof text === 'string' ? text : Buffer.from(text).toString());
    },
  };
}

export interface MemoryIo extends Io {
  readonly stdout: Kept;
  readonly stderr: Kept;
}

const noInput = {
  isTTY: false,
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {},
};

/** A terminal of a given number of columns, on both streams. */
export const terminal = (columns: number, rows?: number): MemoryIo => {
  const size = rows === undefined ? { columns } : { columns, rows };
  return { stdin: noInput, stdout: memoryOut(size), stderr: memoryOut(size) };
};

/** Both streams are pipes. */
export const pipe = (): MemoryIo => ({ stdin: noInput, stdout: memoryOut(), stderr: memoryOut() });

/** A list that arrives in these pages. */
export async function* inPages<T>(...pages: readonly (readonly T[])[]): AsyncGenerator<readonly T[]> {
  for (const page of pages) yield page;
}

/** Lets the module of a spinner load, and its timers run. */
export async function pass(time: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
}
