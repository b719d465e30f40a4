/**
 * Skips unsolicited interim responses. Some servers and gateways send a `100 Continue` before every response to a write,
 * which a client must ignore (RFC 9110 section 15.2); undici closes the connection instead.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const INTERIM = 'HTTP/1.1 1';
const CONTINUE = 'HTTP/1.1 100';
const UPGRADE = 'HTTP/1.1 101';
const NOTHING = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
/** A longer head is passed to undici, which rejects it. */
const MAX_HEAD_BYTES = 16 * 1024;

const couldBeInterim = (start: string): boolean =>
  start.length < INTERIM.length ? INTERIM.startsWith(start) : start.startsWith(INTERIM);

/**
 * Removes each `100 Continue` before a response; other interim responses are kept.
 * @returns the bytes to pass on, and an incomplete interim head, maybe empty; undefined once the response has begun
 */
function withoutContinue(bytes: Buffer) {
  const kept: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.toString('latin1', at, at + CONTINUE.length);
    // The usual case, without a copy.
    if (!couldBeInterim(start))
      return { pass: at === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(at)]), held: undefined };
    const end = bytes.indexOf(HEAD_END, at);
    const isFinal = start === UPGRADE || (end === -1 && bytes.length - at > MAX_HEAD_BYTES);
    if (isFinal) return { pass: Buffer.concat([...kept, bytes.subarray(at)]), held: undefined };
    if (end === -1) return { pass: Buffer.concat(kept), held: bytes.subarray(at) };
    if (start !== CONTINUE) kept.push(bytes.subarray(at, end + HEAD_END.length));
    at = end + HEAD_END.length;
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
      const filtered = withoutContinue(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      held = filtered.held;
      if (filtered.pass.length > 0) return filtered.pass;
    }
  };
  return socket;
}

/** Wraps a connector of undici so that its connections skip each `100 Continue`. */
export function skippingContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    connect(options, (...[error, socket]) => (error === null ? done(null, filterReads(socket)) : done(error, null)));
}
