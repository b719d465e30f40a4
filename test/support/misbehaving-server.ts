/**
 * A raw socket on loopback that does what no HTTP server would: resets before and after a request, truncated responses,
 * one byte at a time, for ever, or nothing at all. It reads only as much of a request as a test wants.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Handles one request. The socket has received the headers, and as much of the body as `body` says. */
export type Misdeed = (socket: Socket, request: RawRequest) => unknown;

export interface RawRequest {
  /** Request line and headers, as they came. */
  readonly head: string;
  /** The whole body, by its Content-Length; with `early`, what has arrived so far. */
  readonly body: Buffer;
}

export interface MisbehavingServer {
  readonly origin: string;
  readonly port: number;
  /** Request lines in the order in which they came. */
  readonly lines: readonly string[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export interface MisbehavingOptions {
  /** Act as soon as the headers have arrived, without reading the body. */
  readonly early?: boolean;
  /** Act on the connection before anything is read. */
  readonly onConnection?: (socket: Socket) => void;
}

/** An HTTP response as text, with its length. */
export function httpAnswer(status: string, body: string, headers: readonly string[] = []): string {
  const lines = [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export const jsonAnswer = (value: unknown, status = '200 OK'): string =>
  httpAnswer(status, JSON.stringify(value), ['Content-Type: application/json']);

/** Breaks the connection with a RST, so that pending data is lost. */
export const reset: Misdeed = (socket) => {
  socket.resetAndDestroy();
};

/** Responds correctly. */
export const say =
  (text: string): Misdeed =>
  (socket) => {
    socket.write(text);
  };

/** Writes a text and closes the connection. */
export const sayAndClose =
  (text: string): Misdeed =>
  (socket) => {
    socket.end(text);
  };

/**
 * Starts one on a free port.
 * @param misdeeds one for each request in order of arrival; the last one for all further requests
 */
export async function misbehavingServer(
  misdeeds: readonly Misdeed[],
  options: MisbehavingOptions = {},
): Promise<MisbehavingServer> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let served = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    options.onConnection?.(socket);
    let pending = Buffer.alloc(0);
    let ignoring = false;
    socket.on('data', (chunk: Buffer) => {
      if (ignoring) return;
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const end = pending.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = pending.subarray(0, end).toString('latin1');
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
        const rest = pending.subarray(end + 4);
        if (!options.early && rest.length < length) return;
        lines.push(head.split('\r\n')[0] ?? '');
        const misdeed = misdeeds[Math.min(served++, misdeeds.length - 1)];
        const body = rest.subarray(0, length);
        pending = Buffer.from(rest.subarray(body.length));
        ignoring = options.early === true && body.length < length;
        void misdeed?.(socket, { head, body });
        if (ignoring) return;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    lines,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
