/** A reader that reads every list and the caller once: for look-ups of things that existed before a job began. */
import type { Client } from '../client/client.js';
import type { Reader } from '../client/reconcile.js';

/** The most things of a list that are kept in memory; a longer list is read each time. */
const MOST = 200_000;

export function snapshotOf(client: Client): Reader {
  const kept = new Map<string, Promise<readonly unknown[] | undefined>>();

  /** The whole list; undefined when it is too long. */
  async function collect(pages: AsyncIterable<readonly unknown[]>): Promise<readonly unknown[] | undefined> {
    const all: unknown[] = [];
    for await (const page of pages) {
      for (const item of page) all.push(item);
      if (all.length > MOST) return undefined;
    }
    return all;
  }

  async function* pages(...given: Parameters<Client['pages']>): AsyncGenerator<readonly unknown[]> {
    const [endpoint, input] = given;
    const name = `${endpoint.path} ${JSON.stringify(input)}`;
    let list = kept.get(name);
    if (list === undefined) {
      list = collect(client.pages(...given));
      kept.set(name, list);
      list.catch(() => kept.delete(name));
    }
    const all = await list;
    if (all === undefined) yield* client.pages(...given);
    else yield all;
  }

  // The types of items follow from the endpoint, and the items are the client's own.
  return { call: client.call, pages: pages as unknown as Client['pages'] };
}
