/** Caches reads that do not change during a job: the caller's account, and items that existed before it. */
import type { Reader } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import type { Values } from '../../client/request/request.js';
import { account } from '../../contract/account.js';
import { users } from '../../contract/users.js';
import { loadOnce } from '../../core/maps.js';

/** Max number of a list's items held in memory, and of the IDs that are stored of it; a longer list is read each time. */
export const MAX_LISTED_ITEMS = 200_000;

/** A reader that requests the caller's account and user only once. */
export function knowingCaller(client: Reader): Reader {
  const kept = new Map<string, Promise<unknown>>();
  let own: unknown;

  function call(...given: Parameters<Client['call']>): Promise<unknown> {
    const [{ path }, input] = given;
    const { params }: Values = input as Values;
    const isAccount = path === account.show.path;
    if (!isAccount && (path !== users.get.path || own === undefined || params?.id !== own))
      return client.call(...given);
    const answer = loadOnce(kept, path, () => client.call(...given));
    return isAccount ? answer.then(noteOwn) : answer;
  }

  function noteOwn(answer: unknown): unknown {
    if (typeof answer === 'object' && answer !== null && 'id' in answer) own = answer.id;
    return answer;
  }

  // The responses are those of the client, so the types hold.
  return { call: call as Client['call'], pages: client.pages };
}

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
  return { call: knowingCaller(client).call, pages: pages as unknown as Client['pages'] };
}
