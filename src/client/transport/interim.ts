/**
 * Skips interim responses. Some servers and gateways send a `100 Continue` before every response to a write, which a
 * client must ignore (RFC 9110 section 15.2); undici closes the connection instead.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const INTERIM = 'HTTP/1.1 1';
const UPGRADE = 'HTTP/1.1 101';
const NOTHING = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
/** A longer head is passed to undici, which rejects it. */
const MAX_HEAD_BYTES = 16 * 1024;

/** @returns the bytes to pass on, and an incomplete interim head, maybe empty; undefined once the response has begun */
function withoutInterim(bytes: Buffer) {
  for (let rest = bytes; ; ) {
    const start = rest.toString('latin1', 0, UPGRADE.length);
    const couldBeInterim = start.startsWith(INTERIM) || INTERIM.startsWith(start);
    const end = rest.indexOf(HEAD_END);
    if (!couldBeInterim || start === UPGRADE || (end === -1 && rest.length > MAX_HEAD_BYTES))
      return { pass: rest, held: undefined };
    if (end === -1) return { pass: NOTHING, held: rest };
    rest = rest.subarray(end + HEAD_END.length);
  }
}

/** Filters only between a write and the first bytes of its response, because a body may contain the text of a head. */
function filterReads(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write: (...all: Parameters<Socket['write']>) => boolean = socket.write.bind(socket);
  let held: Buffer | undefined;
  socket.write = (...all: unknown[]) => {
    held ??= NOTHING;
    return write(...(all as Parameters<Socket['write']>));
  };
  socket.read = (size?: number): unknown => {
    if (size !== undefined) return read(size);
    for (;;) {
      const chunk: unknown = read();
      if (held === undefined || !Buffer.isBuffer(chunk)) return chunk;
      const filtered = withoutInterim(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      held = filtered.held;
      if (filtered.pass.length > 0) return filtered.pass;
    }
  };
  return socket;
}

/** Wraps a connector of undici so that its connections skip interim responses. */
export function skippingInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    connect(options, (...[error, socket]) => (error === null ? done(null, filterReads(socket)) : done(error, null)));
}
