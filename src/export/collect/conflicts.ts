/** Resolves items that lists return twice with different content: reads them again and keeps one. */
import { books } from '../../contract/books.js';
import { users } from '../../contract/users.js';
import type { Line } from '../../core/sort/sorted-run.js';
import type { Job } from './export-job.js';
import type { Reading } from './list-reader.js';

/** Chooses one of several lines with the same key. The memory of all but the last may be in use again. */
export type Choose = (key: string, lines: readonly Line[]) => Promise<Line>;

/** The lines with each key once; lines without a key are kept. */
export async function* withoutConflicts(
  batches: AsyncIterable<readonly Line[]>,
  choose: Choose,
): AsyncGenerator<readonly Line[]> {
  let held: Line[] = [];
  for await (const batch of batches) {
    const single: Line[] = [];
    for (const next of batch) {
      const [first] = held;
      if (first !== undefined && (first.key !== next.key || next.key === '')) {
        single.push(held.length === 1 ? first : await choose(first.key, held));
        held = [];
      }
      held.push(next);
    }
    yield single;
  }
  const [last] = held;
  if (last !== undefined) yield [held.length === 1 ? last : await choose(last.key, held)];
}

/** Chooses by reading the item again, else the last line, and notes each conflict. @param lineOf formats an item */
export function chooserFor({ options, signal }: Job, reading: Reading, lineOf: (item: unknown) => string): Choose {
  const { client, resource, remarks } = reading;
  const { language } = options;
  const readAgain = async (id: string): Promise<unknown> => {
    if (resource === 'users') return client.call(users.get, { params: { id } }, { signal });
    if (resource === 'books') return client.call(books.get, { params: { id }, query: { language } }, { signal });
    return undefined;
  };
  return async (key, lines) => {
    const item = await readAgain(key).catch(() => signal.throwIfAborted());
    const how = item === undefined ? 'the last one is kept' : 'read again, kept once';
    remarks.push(`${key}: listed ${lines.length} times with different content; ${how}`);
    return item === undefined ? (lines.at(-1) as Line) : { key, line: Buffer.from(lineOf(item)) };
  };
}
