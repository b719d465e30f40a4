/** Listens on exactly the registered host and port, on loopback addresses only. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type EduError, usageError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Callback } from '../../settings/callback-url.js';

/** Timeouts of the callback server; a browser on the same machine needs much less. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Opens the port of the callback URL.
 * @throws a usage error with alternatives if the port is in use; for `localhost`, in either address family, because a
 *   program that listens on the other one would receive the code
 */
export async function bind(callback: Callback, listener: RequestListener): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const host of addressesOf(callback.hostname)) {
      const server = await listening(host, callback.port ?? 0, listener, callback.hostname === 'localhost');
      if (server) servers.push(server);
    }
  } catch (error) {
    await Promise.all(servers.map(close));
    throw unusable(callback, error);
  }
  if (servers.length > 0) return servers;
  throw unusable(callback, undefined);
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A browser may use either address family for `localhost`, so both must be bound. */
function addressesOf(hostname: string): readonly string[] {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  return [hostname.replace(/^\[|\]$/g, '')];
}

/** @param mayLack whether to return undefined if the machine does not have this address family */
function listening(
  host: string,
  port: number,
  listener: RequestListener,
  mayLack: boolean,
): Promise<Server | undefined> {
  // request-filter.ts checks the Host header.
  const server = createServer({ requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES }, listener);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (mayLack && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error) ?? '')) resolve(undefined);
      else reject(error);
    });
    server.listen({ host, port, ipv6Only: true, exclusive: true }, () => {
      server.removeAllListeners('error');
      // A broken connection must not end the login.
      server.on('error', () => {});
      resolve(server);
    });
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
