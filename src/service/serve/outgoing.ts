/** Sends the service's response through node:http, with backpressure. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../../core/http.js';

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });

/** Resets the connection if nothing was sent yet, else closes it after the bytes sent: the response is truncated. */
export function breakConnection(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.headersSent) setImmediate(() => incoming.socket.destroySoon());
  else incoming.socket.resetAndDestroy();
}

const lengthOf = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

/** Resolves after the last byte, or when the client is gone. @throws errors of the body's stream */
export async function sendResponse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: HttpResponse,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  const { status, body } = response;
  const headers: Record<string, string | number> = { ...response.headers, ...extra };
  const bodiless = status === 204 || status === 304;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (!bodiless) headers['content-length'] ??= lengthOf(body);
    outgoing.writeHead(status, headers);
    outgoing.end(bodiless || incoming.method === 'HEAD' ? undefined : body);
    return;
  }
  outgoing.writeHead(status, headers);
  if (!bodiless && incoming.method !== 'HEAD') {
    for await (const chunk of body) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(chunk)) await drained(outgoing);
    }
  }
  outgoing.end();
}
