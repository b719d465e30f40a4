import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Send } from '../../../../src/core/http.js';
import { type Listener, type ListenOptions, listen } from '../../../../src/service/serve/listen.js';
import type { RequestLine } from '../../../../src/service/serve/request-log.js';

export async function serve(send: Send, options: Partial<ListenOptions> = {}) {
  const lines: RequestLine[] = [];
  const errors: unknown[] = [];
  const listener = await listen(send, {
    port: 0,
    onRequest: (line) => lines.push(line),
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => listener.stop(0));
  return { listener, lines, errors };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export const ask = (
  listener: Listener,
  { method = 'GET', path = '/', headers = {}, body }: Ask = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port: listener.port, method, path, headers, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** Sends raw bytes and returns everything until the other side closes. */
export async function raw(listener: Listener, text: string): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

export const ok: Send = async () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' });
