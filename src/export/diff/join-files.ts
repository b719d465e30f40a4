/** Joins two sorted lists by key and returns the pairs of items that differ. */
import { compareText } from '../../core/sort/compare-text.js';
import type { Entry } from '../files/read-data-file.js';

interface Keyed {
  readonly key: string;
  readonly line: string;
}

/** An item before and after; undefined on the side that does not contain it. */
export interface Pair<A extends Keyed = Entry> {
  readonly before: Entry | undefined;
  readonly after: A | undefined;
}

/** One side of a join. */
class Side<E extends Keyed> {
  readonly #batches: AsyncGenerator<readonly E[]>;
  #batch: readonly E[] = [];
  #at = 0;
  /** Number of chunks that were read. */
  chunks = 0;

  constructor(batches: AsyncGenerator<readonly E[]>) {
    this.#batches = batches;
  }

  /** The current entry; undefined at the end, or if `load` must be called. */
  get entry(): E | undefined {
    return this.#batch[this.#at];
  }

  skip(): void {
    this.#at++;
  }

  /** Reads on if no entry is left. @returns false if there is nothing to read */
  async load(): Promise<boolean> {
    if (this.entry !== undefined) return false;
    const next = await this.#batches.next();
    if (next.done === true) return false;
    this.chunks++;
    this.#batch = next.value;
    this.#at = 0;
    return true;
  }

  /** Removes and returns all entries with a key, usually one. */
  async group(key: string): Promise<readonly E[]> {
    const entries: E[] = [];
    while (this.entry?.key === key) {
      entries.push(this.entry);
      this.skip();
      await this.load();
    }
    return entries;
  }

  close(): Promise<unknown> {
    return this.#batches.return(undefined);
  }
}

/** Decrements the count of a text. @returns false if it is 0 */
function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}

/** Pairs the entries of one key: equal ones are removed, the others are paired in order. */
function unequalOf<A extends Keyed>(
  before: readonly Entry[],
  after: readonly A[],
  textOf: (entry: Entry | A) => string,
): readonly Pair<A>[] {
  // Counted, because thousands of items may have the same natural key.
  const counts = new Map<string, number>();
  for (const entry of before) counts.set(textOf(entry), (counts.get(textOf(entry)) ?? 0) + 1);
  const left = after.filter((entry) => !takeOne(counts, textOf(entry)));
  const right = before.filter((entry) => takeOne(counts, textOf(entry)));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    before: right[index],
    after: left[index],
  }));
}

/** The pairs that differ, in the order of keys. @param textOf the text by which items with one key are compared */
export async function* unequal<A extends Keyed>(
  earlier: AsyncGenerator<readonly Entry[]>,
  later: AsyncGenerator<readonly A[]>,
  textOf: (entry: Entry | A) => string = ({ line }) => line,
): AsyncGenerator<readonly Pair<A>[]> {
  const [before, after] = [new Side(earlier), new Side(later)];
  let found: Pair<A>[] = [];
  let chunks = 0;
  try {
    for (;;) {
      // Equal lines need not be parsed.
      for (; before.entry !== undefined && before.entry.line === after.entry?.line; before.skip()) after.skip();
      if (found.length > 0 && before.chunks + after.chunks > chunks) {
        // A pair keeps the chunks of its lines in memory.
        yield found;
        found = [];
      }
      chunks = before.chunks + after.chunks;
      if ((await before.load()) || (await after.load())) continue;
      if (before.entry === undefined && after.entry === undefined) break;
      const [then, now] = [before.entry?.key, after.entry?.key];
      const isThen = now === undefined || (then !== undefined && compareText(then, now) <= 0);
      const key = (isThen ? then : now) ?? '';
      found.push(...unequalOf(await before.group(key), await after.group(key), textOf));
    }
    if (found.length > 0) yield found;
  } finally {
    await before.close();
    await after.close();
  }
}
