/** Resolves items that two lists return with different content: reads them again and keeps one. */
import type { Client } from '../../client/request/client.js';
import { books } from '../../contract/books.js';
import type { Language } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Sorted } from '../../core/sort/sorter.js';
import type { Resource } from '../collect/resources.js';

/** Chooses one of several lines with the same key. */
type Choose = (key: string, lines: readonly Buffer[]) => Promise<Buffer>;

/** The lines with each key once; lines without a key are kept. */
export function withoutConflicts(sorted: Sorted, choose: Choose): Sorted {
  if (sorted.whole !== undefined && !sorted.whole.hasRepeats) return sorted;
  return {
    ...sorted,
    whole: undefined,
    async each(take) {
      let key = '';
      let lines: Buffer[] = [];
      const giveOut = (): void | Promise<void> => {
        const [held, heldKey] = [lines, key];
        lines = [];
        const [only] = held;
        if (only === undefined) return undefined;
        return held.length === 1 ? take(heldKey, only) : choose(heldKey, held).then((line) => take(heldKey, line));
      };
      await sorted.each((next, line) => {
        const waiting = next === key && next !== '' ? undefined : giveOut();
        key = next;
        lines.push(line);
        return waiting;
      });
      await giveOut();
    },
  };
}

/** Reads an item again by its ID. @returns undefined if that is not possible */
async function readAgain(
  client: Client,
  resource: Resource,
  id: string,
  language: Language,
  signal: AbortSignal,
): Promise<unknown> {
  const params = { id };
  try {
    if (resource === 'users') return await client.call(users.get, { params }, { signal });
    if (resource === 'books') return await client.call(books.get, { params, query: { language } }, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return undefined;
}

/**
 * Chooses by reading the item again; if that fails, the last line is kept.
 * @param lineOf formats an item as a line
 * @param onConflict called with a note about each conflict
 */
export function chooserFor(
  client: Client,
  resource: Resource,
  language: Language,
  signal: AbortSignal,
  lineOf: (item: unknown) => string,
  onConflict: (note: string) => void,
): Choose {
  return async (key, lines) => {
    const item = await readAgain(client, resource, key, language, signal);
    const read = item === undefined ? undefined : Buffer.from(lineOf(item));
    const how = read === undefined ? 'it could not be read again' : 'read again';
    onConflict(`${key}: ${lines.length} lists show it with different content; ${how}, kept once`);
    return read ?? (lines.at(-1) as Buffer);
  };
}
