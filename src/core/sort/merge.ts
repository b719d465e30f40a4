/** Merges sorted runs into one stream of lines. */
import { compareText } from './compare-text.js';
import { type Run, RunReader, RunWriter } from './sorted-run.js';

/** Runs that are read at a time: as many open files, and as many pieces of memory. */
const MOST_AT_ONCE = 64;

/** By key, and equal keys by line: the order does not depend on the order of the input. */
function before(a: RunReader, b: RunReader, order: KeyOrder): boolean {
  const difference = a.key === b.key ? 0 : order(a.key, b.key);
  return difference === 0 ? a.line.compare(b.line) < 0 : difference < 0;
}

/** Moves the reader at `at` down to its place in the heap. */
function sink(heap: RunReader[], at: number, order: KeyOrder): void {
  const moving = heap[at] as RunReader;
  let place = at;
  for (;;) {
    const left = 2 * place + 1;
    const right = left + 1;
    if (left >= heap.length) break;
    const child =
      right < heap.length && before(heap[right] as RunReader, heap[left] as RunReader, order) ? right : left;
    if (!before(heap[child] as RunReader, moving, order)) break;
    heap[place] = heap[child] as RunReader;
    place = child;
  }
  heap[place] = moving;
}

export interface MergeOptions {
  /** Items with the same key and the same line are one item that was met twice. */
  readonly unique: boolean;
  /** By code point if left out. */
  readonly order?: KeyOrder;
}

/** Returns a negative number, 0 or a positive number: the order of two keys. */
export type KeyOrder = (a: string, b: string) => number;

/** Takes one line, in the order of the keys. A promise makes the merge wait. */
type Take = (key: string, line: Buffer) => void | Promise<void>;

async function mergeFew(
  runs: readonly Run[],
  { unique, order = compareText }: MergeOptions,
  take: Take,
): Promise<void> {
  const open: RunReader[] = [];
  try {
    const heap: RunReader[] = [];
    for (const run of runs) {
      const reader = await RunReader.open(run);
      open.push(reader);
      if (await reader.next()) heap.push(reader);
    }
    for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, order);
    let lastKey: string | undefined;
    let lastLine: Buffer | undefined;
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      const { key, line } = first;
      const again = unique && key !== '' && key === lastKey && lastLine?.equals(line) === true;
      if (!again) {
        const taken = take(key, line);
        if (taken !== undefined) await taken;
      }
      lastKey = key;
      lastLine = line;
      const next = first.next();
      const more = typeof next === 'boolean' ? next : await next;
      if (!more) {
        const last = heap.pop() as RunReader;
        if (heap.length === 0) return;
        heap[0] = last;
      }
      sink(heap, 0, order);
    }
  } finally {
    for (const reader of open) await reader.close();
  }
}

/**
 * Merges runs, however many.
 * @param newPath names a file for a run in between
 * @param remove called with each run that is no longer needed
 */
export async function merge(
  runs: readonly Run[],
  options: MergeOptions,
  newPath: () => string,
  remove: (run: Run) => Promise<void>,
  take: Take,
): Promise<void> {
  const waiting = [...runs];
  while (waiting.length > MOST_AT_ONCE) {
    const some = waiting.splice(0, MOST_AT_ONCE);
    const writer = await RunWriter.open(newPath());
    try {
      await mergeFew(some, options, (key, line) => {
        writer.add(key, line.toString('utf8'));
        return writer.isFull ? writer.flush() : undefined;
      });
    } catch (error) {
      await writer.close();
      throw error;
    }
    waiting.push(await writer.end());
    for (const run of some) await remove(run);
  }
  await mergeFew(waiting, options, take);
}
