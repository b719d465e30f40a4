/** Merges sorted runs into one stream of lines. */
import { compareText } from './compare-text.js';
import { type Run, RunReader, RunWriter } from './sorted-run.js';

/** Max runs merged at a time, which limits open files and memory. */
const MAX_RUNS = 64;

/** Orders by key, then by line, so that the result does not depend on the order of the input. */
function before(a: RunReader, b: RunReader, order: KeyOrder): boolean {
  const difference = a.key === b.key ? 0 : order(a.key, b.key);
  return difference === 0 ? a.line.compare(b.line) < 0 : difference < 0;
}

/** Moves the reader at an index down to its place in the heap. */
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
  /** Drop repeated lines with the same key. */
  readonly unique: boolean;
  /** By code point by default. */
  readonly order?: KeyOrder;
}

/** Returns a negative number, 0 or a positive number: the order of two keys. */
export type KeyOrder = (a: string, b: string) => number;

/** Called with each line, in the order of keys. The merge waits for a returned promise. */
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
 * Merges any number of runs.
 * @param newPath returns the path of a new intermediate run
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
  while (waiting.length > MAX_RUNS) {
    const some = waiting.splice(0, MAX_RUNS);
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
