/** A loopback HTTP server that records every request and responds as a test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Loopback, onLoopback } from './loopback.js';

export interface Recorded {
  readonly method: string;
  /** Path and query, undecoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text or bytes are sent unchanged; anything else as JSON. */
  readonly body?: unknown;
  /** The connection is broken instead. */
  readonly reset?: boolean;
}

export interface RecordingServer extends Loopback {
  /** In the order in which they came. */
  readonly requests: readonly Recorded[];
}

/**
 * Starts one.
 * @param answer the response for a request and its number from 0; 200 with `{}` if it returns nothing
 * @param port any free one by default
 */
export async function recordingServer(
  answer: (request: Recorded, index: number) => Reply | undefined | Promise<Reply | undefined>,
  port = 0,
): Promise<RecordingServer> {
  const requests: Recorded[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => {});
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const recorded = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks),
      };
      const index = requests.push(recorded) - 1;
      void Promise.resolve(answer(recorded, index)).then((reply = {}) => {
        const { status = 200, headers = {}, body = {}, reset = false } = reply;
        if (reset) return outgoing.socket?.resetAndDestroy();
        const isPlain = typeof body === 'string' || body instanceof Uint8Array;
        const type = isPlain ? {} : { 'content-type': 'application/json' };
        outgoing.writeHead(status, { ...type, ...headers });
        return outgoing.end(isPlain ? body : JSON.stringify(body));
      });
    });
  });
  return { ...(await onLoopback(server, port)), requests };
}
