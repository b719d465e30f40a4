/** Finds listed items that equal the items that rows are about to create. Each list is read once. */
import type { Reader } from '../../client/create/find-by-key.js';
import { type Showing, showingOf } from '../../client/create/find-equal.js';
import type { CallOptions } from '../../client/request/client.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { getOrSet, loadOnce } from '../../core/maps.js';
import type { RowWrite } from '../row-command.js';

export interface Equals {
  readonly showing: Showing;
  readonly items: readonly JsonObject[];
}

/** The items of a list, by likeness. */
async function indexOf({ pages, likenessOf }: Showing): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const index = new Map<string, JsonObject[]>();
  for await (const page of pages())
    for (const item of page) if (isObject(item)) getOrSet(index, likenessOf(item), () => []).push(item);
  return index;
}

export type FindEquals = (write: RowWrite) => Promise<Equals | undefined>;

/**
 * Finds listed items equal to that of a create without a key. Each list is read when the first row needs it.
 * @returns a function from a create to equal items; undefined if no list shows its items. It throws EduError if the list
 *   cannot be read
 */
export function equalsFinder(snapshot: Reader, options: CallOptions = {}): FindEquals {
  const indexes = new Map<string, ReturnType<typeof indexOf>>();
  return async ({ endpoint, input }) => {
    const showing = await showingOf(snapshot, endpoint, input, options);
    if (showing === undefined) return undefined;
    const index = await loadOnce(indexes, showing.list, () => indexOf(showing));
    const alike = index.get(showing.likeness) ?? [];
    return { showing, items: alike.filter(showing.isEqual) };
  };
}
