/** Merges sorted runs into one stream of lines. */
import { compareText } from './compare-text.js';
import { type Item, type Line, type Run, RunReader, writeRun } from './sorted-run.js';

/** Max runs merged at a time, which limits open files and memory. */
const MAX_RUNS = 128;

/** Returns a negative number, 0 or a positive number: the order of two keys. */
export type KeyOrder = (a: string, b: string) => number;

export interface MergeOptions {
  /** Drop repeated lines with the same key. */
  readonly unique: boolean;
  readonly order?: KeyOrder;
}

/** Orders by key, then by line, so that the result does not depend on the order of the input. */
function before(a: RunReader, b: RunReader, order: KeyOrder): boolean {
  const [one, other] = [a.item as Line, b.item as Line];
  const difference = one.key === other.key ? 0 : order(one.key, other.key);
  return (difference || one.line.compare(other.line)) < 0;
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

/** Lines per batch, because a step of a generator costs more than the merge of a line. */
const BATCH = 1000;

async function* mergeFew(
  runs: readonly Run[],
  memory: readonly Item[],
  { unique, order = compareText }: MergeOptions,
): AsyncGenerator<readonly Line[]> {
  const open = [RunReader.of(memory)];
  try {
    for (const run of runs) open.push(await RunReader.open(run));
    const heap: RunReader[] = [];
    for (const reader of open) if (await reader.load()) heap.push(reader);
    for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, order);
    let batch: Line[] = [];
    let last: Line | undefined;
    // The memory of merged blocks, with lines in the batch and without. New memory for each would stay until V8 frees it.
    const used: Buffer[] = [];
    const free: Buffer[] = [];
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      const next = first.item as Line;
      const again = unique && next.key !== '' && next.key === last?.key && last.line.equals(next.line);
      last = next;
      if (!again) batch.push(next);
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
        free.push(...used.splice(0));
      }
      first.skip();
      if (first.item === undefined) {
        used.push(first.memory);
        if (!(await first.load(free.pop()))) {
          const end = heap.pop() as RunReader;
          if (heap.length === 0) break;
          heap[0] = end;
        }
      }
      sink(heap, 0, order);
    }
    if (batch.length > 0) yield batch;
  } finally {
    for (const reader of open) await reader.close();
  }
}

/**
 * Merges any number of runs into batches of lines, valid until the next batch is requested, the last until the one after.
 * @param runs those merged beforehand are replaced by their result
 * @param memory sorted items that are in no run
 */
export async function* merge(
  runs: Run[],
  memory: readonly Item[],
  options: MergeOptions,
  newPath: () => string,
  remove: (run: Run) => Promise<void>,
): AsyncGenerator<readonly Line[]> {
  while (runs.length > MAX_RUNS) {
    // Only as many as necessary, because each line of theirs is written once more.
    const some = runs.slice(0, Math.min(MAX_RUNS, runs.length - MAX_RUNS + 1));
    runs.push(await writeRun(newPath(), mergeFew(some, [], options)));
    runs.splice(0, some.length);
    for (const run of some) await remove(run);
  }
  yield* mergeFew(runs, memory, options);
}
