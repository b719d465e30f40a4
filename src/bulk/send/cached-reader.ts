/** Caches the lists of items that existed before a job. */
import type { Reader } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import { loadOnce } from '../../core/maps.js';

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
