/** Sends the service's response through node:http, at the speed of the reader. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../../core/http.js';

/** Resolves when more can be written, or when the connection is gone. */
const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });

/**
 * Breaks the connection: with a reset where nothing was answered yet, else behind what was written so far, so that the
 * other side holds an answer that is cut.
 */
export function breakConnection(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.headersSent) setImmediate(() => incoming.socket.destroySoon());
  else incoming.socket.resetAndDestroy();
}

const lengthOf = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

/**
 * Sends an answer and resolves when its last byte is handed over, or when the reader is gone.
 * @throws what the body's stream throws; the head may have left by then
 */
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
