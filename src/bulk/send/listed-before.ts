/** Reads each list of items that existed before a job once, and finds items in it that equal those of its rows. */
import type { Reader } from '../../client/create/find-by-key.js';
import { type Showing, showingOf } from '../../client/create/find-equal.js';
import type { CallOptions, Client } from '../../client/request/client.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { getOrSet, loadOnce } from '../../core/maps.js';
import type { RowWrite } from '../row-command.js';

/** Max number of a list's items held in memory, and of the IDs that are stored of it; a longer list is read each time. */
export const MAX_LISTED_ITEMS = 200_000;

/** A reader that reads each list once, for look-ups of items that existed before a job began. */
export function snapshotOf(client: Client): Reader {
  const kept = new Map<string, Promise<readonly unknown[] | undefined>>();

  /** The whole list; undefined if it is too long. */
  async function collect(pages: AsyncIterable<readonly unknown[]>): Promise<readonly unknown[] | undefined> {
    const all: unknown[] = [];
    for await (const page of pages) {
      for (const item of page) all.push(item);
      if (all.length > MAX_LISTED_ITEMS) return undefined;
    }
    return all;
  }

  async function* pages(...given: Parameters<Client['pages']>): AsyncGenerator<readonly unknown[]> {
    const [endpoint, input] = given;
    const name = `${endpoint.path} ${JSON.stringify(input)}`;
    const all = await loadOnce(kept, name, () => collect(client.pages(...given)));
    if (all === undefined) yield* client.pages(...given);
    else yield all;
  }

  // The items are those of the client, so the types hold.
  return { call: client.call, pages: pages as unknown as Client['pages'] };
}

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

/**
 * Finds listed items equal to that of a create without a key. Each list is read when the first row needs it.
 * @returns a function from a create to equal items; undefined if no list shows its items. It throws EduError if the list
 *   cannot be read
 */
export function equalsFinder(snapshot: Reader, options: CallOptions = {}) {
  const indexes = new Map<string, ReturnType<typeof indexOf>>();
  return async ({ endpoint, input }: RowWrite): Promise<Equals | undefined> => {
    const showing = await showingOf(snapshot, endpoint, input, options);
    if (showing === undefined) return undefined;
    const index = await loadOnce(indexes, showing.list, () => indexOf(showing));
    const alike = index.get(showing.likeness) ?? [];
    return { showing, items: alike.filter(showing.isEqual) };
  };
}
