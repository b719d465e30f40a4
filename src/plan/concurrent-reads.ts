/** Concurrent reads of lists and items for a plan. */
import type { Client } from '../client/request/client.js';
import type { Endpoint, ItemOf } from '../contract/vocabulary.js';
import { ignoring } from '../core/errors.js';
import { limiter } from '../core/for-each.js';

export interface ReadsHost {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly pageSize: number | undefined;
  /** Called with the number of items of each page. */
  readonly onItems: (count: number) => void;
}

/** Max concurrent lists and look-ups. */
const CONCURRENCY = 4;

/** Errors of an item or list that the caller may not see. */
export const ifHidden = ignoring('forbidden', 'not_found');

/** Reads of one plan, a few at a time. */
export class Reads {
  readonly #host: ReadsHost;
  readonly #limited = limiter(CONCURRENCY);

  constructor(host: ReadsHost) {
    this.#host = host;
  }

  /** Reads a whole list. Each item is reduced as it arrives, to save memory. */
  all<E extends Endpoint, T>(endpoint: E, input: object, make: (item: ItemOf<E>) => T): Promise<T[]> {
    const { client, signal, pageSize, onItems } = this.#host;
    return this.#limited(async () => {
      const items: T[] = [];
      const query = input as Parameters<typeof client.pages<E>>[1];
      for await (const page of client.pages(endpoint, query, { signal, pageSize })) {
        for (const item of page) items.push(make(item));
        onItems(page.length);
      }
      return items;
    });
  }

  one<E extends Endpoint>(endpoint: E, id: string, more: object = {}) {
    const { client, signal } = this.#host;
    const input = { params: { id }, ...more } as Parameters<typeof client.call<E>>[1];
    return this.#limited(() => client.call(endpoint, input, { signal }));
  }
}

/** A list that is empty if the caller may not see it. */
export const orNone = async <T>(work: Promise<T[]>): Promise<T[]> => (await work.catch(ifHidden)) ?? [];
/** A list that must be read if items of it are wanted: a hidden one would make all of them new. */
export const neededIf = <T>(isWanted: boolean, work: Promise<T[]>): Promise<T[]> => (isWanted ? work : orNone(work));
/** The results of work on each item, which may be several per item. */
export const each = async <T, R>(items: readonly T[], work: (item: T) => Promise<R | readonly R[]>): Promise<R[]> =>
  (await Promise.all(items.map(work))).flat() as R[];
