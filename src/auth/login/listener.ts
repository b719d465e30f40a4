/** Waits for the redirect at the callback, and shows the result in the browser. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../client/request/clock.js';
import { type EduError, usageError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Env } from '../../core/io.js';
import type { Callback } from '../../settings/callback-url.js';
import type { Attempt, TrueAnswer } from './browser-answer.js';
import { type Page, TURNED_AWAY } from './pages.js';
import { isTrustedPeer } from './peer-user.js';
import { judge } from './request-filter.js';

/** Timeouts of the callback server; a browser on the same machine needs much less. */
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/**
 * Opens the port of the callback URL.
 * @throws a usage error with alternatives if the port is in use; for `localhost`, in either address family, because a
 *   program that listens on the other one would receive the code
 */
async function bind(callback: Callback, listener: RequestListener): Promise<readonly Server[]> {
  const servers: Server[] = [];
  // A browser may use either address family for a name, so both must be bound.
  const hosts = callback.hostname === 'localhost' ? ['127.0.0.1', '::1'] : [callback.hostname.replace(/^\[|\]$/g, '')];
  try {
    for (const host of hosts) {
      const server = await listening(host, callback.port, listener);
      if (server) servers.push(server);
    }
  } catch (error) {
    await Promise.all(servers.map(close));
    throw unusable(callback, error);
  }
  if (servers.length > 0) return servers;
  throw unusable(callback, undefined);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** @returns undefined if the machine does not have this address */
function listening(host: string, port: number, listener: RequestListener): Promise<Server | undefined> {
  // request-filter.ts checks the Host header.
  const server = createServer({ requireHostHeader: false, ...TIMEOUTS }, listener);
  return new Promise((resolve, reject) => {
    // Once the server listens, a broken connection changes nothing here and must not end the login.
    server.on('error', (error) => {
      if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error) ?? '')) resolve(undefined);
      else reject(error);
    });
    server.listen({ host, port, ipv6Only: true, exclusive: true }, () => resolve(server));
  });
}

function unusable({ host, hostname, port }: Callback, error: unknown): EduError {
  const code = codeOf(error) ?? 'not an address of this machine';
  const ways =
    '`edu auth login --paste` needs no port. Or register another callback URL with the service, and set it with ' +
    '`edu config set callback-url`.';
  if (code === 'EADDRINUSE') {
    return usageError(
      `Cannot listen on ${host}: another program uses port ${port}.`,
      `Close that program, because it would receive the redirect. Other ways: ${ways}`,
    );
  }
  const why = code === 'EACCES' ? `port ${port} is reserved for the system` : `${hostname} is not available (${code})`;
  return usageError(`Cannot listen on ${host}: ${why}.`, `Other ways: ${ways}`);
}

export type Listener = Awaited<ReturnType<typeof listenForAnswer>>;

/** How long the port stays open after the result, so that browsers get the page, also for a repeated request. */
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
    // Other users of this machine can read state and path in the process list and send a redirect first.
    if (verdict.kind === 'turned-away' || !isTrustedPeer(request.socket, env)) {
      respond(response, { ...TURNED_AWAY, status: verdict.kind === 'turned-away' ? verdict.status : 403 });
      return;
    }
    settle(verdict.answer);
    void last.then((page) => respond(response, page));
  };

  const servers: readonly Server[] = await bind(callback, take);
  return {
    /** The first valid authorization response. Never settles without one. */
    answer,
    /** Shows the result in the browser, and waits shortly until it has the page. */
    finish: async (page: Page): Promise<void> => {
      show(page);
      await clock.sleep(LINGER_MS);
    },
    close: async (): Promise<void> => {
      await Promise.all(servers.map(close));
    },
  };
}

function respond(response: ServerResponse, { status, headers, body }: Page): void {
  const bytes = status === 204 ? '' : body;
  response.writeHead(status, {
    ...headers,
    ...(status === 405 ? { allow: 'GET' } : {}),
    'content-length': Buffer.byteLength(bytes),
    connection: 'close',
  });
  response.end(bytes);
}
