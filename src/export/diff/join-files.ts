/** Joins two sorted data files by key and returns the pairs of items that differ. */
import { compareText } from '../../core/sort/compare-text.js';
import type { Entry, RecordReader } from '../files/read-data-file.js';

/** An item before and after; undefined on the side that does not contain it. */
export interface Pair {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

const BATCH = 200;

/** Reads all records with a key, usually one. */
async function group(reader: RecordReader, key: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let entry = await reader.peek(); entry?.key === key; entry = await reader.peek()) {
    entries.push(entry);
    reader.skip();
  }
  return entries;
}

/** Decrements the count of a text. @returns false if it is 0 */
function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}

/** Pairs the entries of one key: equal ones are removed, the others are paired in order. */
function unequalOf(before: readonly Entry[], after: readonly Entry[], textOf: (entry: Entry) => string): Pair[] {
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
export async function* unequal(
  before: RecordReader,
  after: RecordReader,
  textOf: (entry: Entry) => string = ({ line }) => line,
): AsyncGenerator<readonly Pair[]> {
  let found: Pair[] = [];
  try {
    // Reads the header of a csv, which is no record to compare.
    await before.peek();
    await after.peek();
    for (;;) {
      // Equal records need not be parsed.
      for (; before.record !== undefined && before.record === after.record; before.skip()) after.skip();
      if (
        (before.record === undefined && (await before.load())) ||
        (after.record === undefined && (await after.load()))
      )
        continue;
      const [then, now] = [await before.peek(), await after.peek()];
      if (then === undefined && now === undefined) break;
      const isThen = now === undefined || (then !== undefined && compareText(then.key, now.key) <= 0);
      const key = (isThen ? then : now)?.key ?? '';
      found.push(...unequalOf(await group(before, key), await group(after, key), textOf));
      if (found.length >= BATCH) {
        yield found;
        found = [];
      }
    }
    if (found.length > 0) yield found;
  } finally {
    await before.close();
    await after.close();
  }
}
