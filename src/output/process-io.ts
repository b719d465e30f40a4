/**
 * The real streams, on the file descriptors 0, 1 and 2. `process.stdout` is avoided because creating it costs 3 ms,
 * and because its writes to a pipe block the program while the reader is busy.
 */
import { fstatSync, statSync, write as writeLater, writeSync } from 'node:fs';
import { EduError } from '../core/errors.js';
import { codeOf } from '../core/fs/disk-errors.js';
import { ClosedPipe, type In, type Io, type Out } from '../core/io.js';

/** Bytes that a pipe takes without a reader, on Linux and macOS. What goes beyond may block, so another thread writes it. */
const PIPE_ROOM = 64 * 1024;

/** Milliseconds until a descriptor that took nothing is tried again. */
const PAUSE = 2;

type Kind = 'terminal' | 'pipe' | 'file';

function kindOf(fd: number): Kind {
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO() || stat.isSocket()) return 'pipe';
    if (!stat.isCharacterDevice() || isNullDevice(stat.rdev)) return 'file';
  } catch {
    // Windows consoles can't always be asked; node:tty knows.
  }
  // Loading node:tty loads node:net, so it is only asked about what may be a terminal.
  const tty = process.getBuiltinModule('node:tty');
  return tty.isatty(fd) ? 'terminal' : 'file';
}

function isNullDevice(rdev: number): boolean {
  return process.platform !== 'win32' && statSync('/dev/null').rdev === rdev;
}

const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'EOF']);

const writeInThread = (fd: number, bytes: Uint8Array, offset: number): Promise<number> =>
  new Promise((resolve, reject) => {
    writeLater(fd, bytes, offset, bytes.length - offset, null, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Writes all the bytes. A descriptor that another process has made non-blocking may take them in parts, or none yet. */
async function writeAll(fd: number, bytes: Uint8Array, mayBlock: boolean): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += mayBlock ? await writeInThread(fd, bytes, offset) : writeSync(fd, bytes, offset);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      await pause();
    }
  }
}

/** Where text goes by its own stream: a Windows console reads bytes by a code page, and the stream hands it text. */
const needsStream = (kind: Kind): boolean => kind === 'terminal' && process.platform === 'win32';

const writeToStream = (stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

/** @param isData the reader matters: stdout. Messages on a closed stderr are dropped instead. */
function outOn(fd: number, stream: () => NodeJS.WriteStream, isData: boolean): Out {
  let kind: Kind | undefined;
  let written = 0;
  let isClosed = false;

  function translate(error: unknown): Error {
    const code = codeOf(error) ?? '';
    if (CLOSED.has(code)) {
      isClosed = true;
      return new ClosedPipe('the reader of the output is gone');
    }
    const reason = error instanceof Error ? error.message : String(error);
    return new EduError('internal', `Cannot write the output: ${reason}`, {
      hint: code === 'ENOSPC' ? 'Make room on the disk and run the command again.' : undefined,
      cause: error,
    });
  }

  async function put(bytes: Uint8Array): Promise<void> {
    if (isClosed && !isData) return;
    if (isClosed) throw new ClosedPipe('the reader of the output is gone');
    kind ??= kindOf(fd);
    written += bytes.length;
    try {
      if (needsStream(kind)) await writeToStream(stream(), bytes);
      else await writeAll(fd, bytes, kind === 'pipe' && written > PIPE_ROOM);
    } catch (error) {
      const translated = translate(error);
      if (isData) throw translated;
    }
  }

  /** The write under way. Those after it wait, even when their callers did not: parts must not mix. */
  let last: Promise<void> | undefined;

  return {
    get isTTY() {
      kind ??= kindOf(fd);
      return kind === 'terminal';
    },
    get columns() {
      if (!this.isTTY) return undefined;
      // A terminal that does not say its size says 0.
      return stream().columns || undefined;
    },
    get rows() {
      return this.isTTY ? stream().rows || undefined : undefined;
    },
    write(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      const own = last === undefined ? put(bytes) : last.then(() => put(bytes));
      const settled = own.then(
        () => {},
        () => {},
      );
      last = settled;
      void settled.then(() => {
        if (last === settled) last = undefined;
      });
      return own;
    },
  };
}

const stdin: In = {
  get isTTY() {
    return kindOf(0) === 'terminal';
  },
  [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
  stop: () => {
    process.stdin.destroy();
  },
};

/** The standard streams of this process. Nothing is opened or asked before it is used. */
export const processIo = (): Io => ({
  stdin,
  stdout: outOn(1, () => process.stdout, true),
  stderr: outOn(2, () => process.stderr, false),
});
