/**
 * Waits for the browser at the callback. The first valid redirect settles the login; its page shows how the login
 * ended.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Clock } from '../../client/request/clock.js';
import type { Env } from '../../core/io.js';
import type { Callback } from '../../settings/callback-url.js';
import { bind, close } from './bind.js';
import type { Answer } from './browser-answer.js';
import type { Attempt } from './exchange-attempt.js';
import { type Page, TURNED_AWAY } from './pages.js';
import { isTrustedPeer } from './peer-user.js';
import { judge } from './request-filter.js';

export type TrueAnswer = Extract<Answer, { kind: 'code' | 'refused' }>;

export interface Listener {
  /** The first true answer. Never settles without one. */
  readonly answer: Promise<TrueAnswer>;
  /** Shows how the login ended, gives open browsers a moment to take the page, and closes the port. */
  finish(page: Page): Promise<void>;
  /** Closes the port at once. */
  close(): Promise<void>;
}

/** How long browsers may take to fetch the last page, in milliseconds. */
const LAST_PAGE = 1_000;
/** How long the port stays open after that for a callback that is on its way a second time, in milliseconds. */
const LINGER = 200;

/**
 * Starts to listen.
 * @param env names the user behind sudo, whose browser may answer
 * @throws a usage error when the port is not available
 */
export async function listenForAnswer(callback: Callback, attempt: Attempt, clock: Clock, env: Env): Promise<Listener> {
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
    // Other users of this machine can read state and path in the process list and answer first.
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
    answer,
    finish: async (page) => {
      show(page);
      const patience = new AbortController();
      await Promise.race([Promise.all(open), clock.sleep(LAST_PAGE, patience.signal)]);
      patience.abort();
      await clock.sleep(LINGER);
      await closeAll();
    },
    close: closeAll,
  };
}

/** Sends a page. Resolves when it has left, or its reader has. */
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
