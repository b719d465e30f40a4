/** Listens on exactly the registered host and port, on loopback addresses only. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type EduError, usageError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Callback } from '../../settings/callback-url.js';

/** In milliseconds. A browser on the same machine needs a fraction of it. */
const HEADERS_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 10_000;
const LARGEST_HEADER = 16 * 1024;

/**
 * Opens the port that the service will send the browser to.
 * @param listener answers requests
 * @returns the listening servers
 * @throws a usage error with the ways out when the port is taken: on `localhost`, for either family, because any program that
 *   holds the other one would receive the code
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

/** Closes a server and every connection that it still has. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A browser tries either family for `localhost`, so both are ours, or neither is. */
function addressesOf(hostname: string): readonly string[] {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  return [hostname.replace(/^\[|\]$/g, '')];
}

/** Undefined when the machine does not have this family, and that does not matter. */
function listening(
  host: string,
  port: number,
  listener: RequestListener,
  mayLack: boolean,
): Promise<Server | undefined> {
  // The Host rule is the filter's: it knows how to answer.
  const server = createServer({ requireHostHeader: false, maxHeaderSize: LARGEST_HEADER }, listener);
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (mayLack && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error) ?? '')) resolve(undefined);
      else reject(error);
    });
    server.listen({ host, port, ipv6Only: true, exclusive: true }, () => {
      server.removeAllListeners('error');
      // A connection that breaks off must not end the login.
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
      `Cannot listen on ${host}: another program uses port ${port}`,
      `Close that program, because it would receive the redirect. Other ways: ${ways}`,
    );
  }
  const why = code === 'EACCES' ? `port ${port} is reserved for the system` : `${hostname} is not available (${code})`;
  return usageError(`Cannot listen on ${host}: ${why}`, `Other ways: ${ways}`);
}
