/** Waits for the redirect at the callback, and shows the result in the browser. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Clock } from '../../client/request/clock.js';
import type { Env } from '../../core/io.js';
import type { Callback } from '../../settings/callback-url.js';
import { bind, close } from './bind.js';
import type { Attempt, TrueAnswer } from './browser-answer.js';
import { type Page, TURNED_AWAY } from './pages.js';
import { isTrustedPeer } from './peer-user.js';
import { judge } from './request-filter.js';

export type Listener = Awaited<ReturnType<typeof listenForAnswer>>;

/** Max time for browsers to fetch the last page. */
const LAST_PAGE_MS = 1_000;
/** How long the port stays open after that, for a repeated request of the browser. */
const LINGER_MS = 200;

/** @param env contains the user of sudo, whose browser is trusted too @throws a usage error if the port is in use */
export async function listenForAnswer(callback: Callback, attempt: Attempt, clock: Clock, env: Env) {
  let settle: (answer: TrueAnswer) => void = () => {};
  const answer = new Promise<TrueAnswer>((resolve) => {
    settle = resolve;
  });
  let show: (page: Page) => void = () => {};
  const last = new Promise<Page>((resolve) => {
    show = resolve;
  });
  const open = new Set<Promise<void>>();
  const expected = {
    host: callback.host.toLowerCase(),
    paths: [...new Set([attempt.path, callback.path === '' ? '/' : callback.path, new URL(callback.url).pathname])],
    stateDigest: attempt.stateDigest,
  };

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, url: target, rawHeaders } = request;
    const verdict = judge({ remoteAddress: request.socket.remoteAddress, method, target, rawHeaders }, expected);
    if (verdict.kind === 'drop') {
      request.socket.destroy();
      return;
    }
    if (verdict.kind === 'turned-away') {
      respond(response, { ...TURNED_AWAY, status: verdict.status });
      return;
    }
    // Other users of this machine can read state and path in the process list and send a redirect first.
    if (!isTrustedPeer(request.socket, env)) {
      respond(response, { ...TURNED_AWAY, status: 403 });
      return;
    }
    settle(verdict.answer);
    const done = last.then((page) => respond(response, page));
    open.add(done);
    void done.finally(() => open.delete(done));
  };

  const servers: readonly Server[] = await bind(callback, take);
  const closeAll = async (): Promise<void> => {
    await Promise.all(servers.map(close));
  };
  return {
    /** The first valid authorization response. Never settles without one. */
    answer,
    /** Shows the result in the browser, waits shortly until it has the page, and closes the port. */
    finish: async (page: Page): Promise<void> => {
      show(page);
      const lastPage = new AbortController();
      await Promise.race([Promise.all(open), clock.sleep(LAST_PAGE_MS, lastPage.signal)]);
      lastPage.abort();
      await clock.sleep(LINGER_MS);
      await closeAll();
    },
    close: closeAll,
  };
}

function respond(response: ServerResponse, { status, headers, body }: Page): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', () => resolve());
    response.on('error', () => resolve());
    const bytes = status === 204 ? '' : body;
    response.writeHead(status, {
      ...headers,
      ...(status === 405 ? { allow: 'GET' } : {}),
      'content-length': Buffer.byteLength(bytes),
      connection: 'close',
    });
    response.end(bytes);
  });
}
