/**
 * Skips unsolicited interim responses. A client must be able to pass over a `100 Continue` (RFC 9110 section 15.2),
 * which some servers and gateways send before every response to a write; undici treats it as the end of the
 * connection.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const INTERIM = 'HTTP/1.1 1';
const CONTINUE = 'HTTP/1.1 100';
const UPGRADE = 'HTTP/1.1 101';
const NOTHING = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
/** A longer head is left to undici, which refuses it. */
const LONGEST_HEAD = 16 * 1024;

/** What came where an answer begins, after it was looked through. */
interface Sifted {
  /** What undici is to read. */
  readonly pass: Buffer;
  /** An interim head whose end is still to come, maybe empty; undefined when the answer itself has begun. */
  readonly held: Buffer | undefined;
}

const couldBeInterim = (start: string): boolean =>
  start.length < INTERIM.length ? INTERIM.startsWith(start) : start.startsWith(INTERIM);

/** Takes each `100 Continue` out of the bytes before an answer; other interim answers pass. */
function sift(bytes: Buffer): Sifted {
  const kept: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.toString('latin1', at, at + CONTINUE.length);
    // Almost every answer: nothing is copied.
    if (!couldBeInterim(start))
      return { pass: at === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(at)]), held: undefined };
    const end = bytes.indexOf(HEAD_END, at);
    const isOver = start === UPGRADE || (end === -1 && bytes.length - at > LONGEST_HEAD);
    if (isOver) return { pass: Buffer.concat([...kept, bytes.subarray(at)]), held: undefined };
    if (end === -1) return { pass: Buffer.concat(kept), held: bytes.subarray(at) };
    if (start !== CONTINUE) kept.push(bytes.subarray(at, end + HEAD_END.length));
    at = end + HEAD_END.length;
  }
}

/** Looks only between a write and the first bytes of its answer: a body may well hold the text of a head. */
function passOver(socket: Socket): Socket {
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
      const sifted = sift(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      held = sifted.held;
      if (sifted.pass.length > 0) return sifted.pass;
    }
  };
  return socket;
}

/** A connector of undici whose connections pass over each `100 Continue`. */
export function passingOver(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    connect(options, (...[error, socket]) => (error === null ? done(null, passOver(socket)) : done(error, null)));
}
