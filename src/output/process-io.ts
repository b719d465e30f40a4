/**
 * The standard streams, on file descriptors 0, 1 and 2. `process.stdout` is avoided because creating it takes 3 ms, and
 * because its writes to a pipe block the program while the reader is busy.
 */
import { fstatSync, write as writeLater, writeSync } from 'node:fs';
import { EduError, usageError } from '../core/errors.js';
import { codeOf, describeErrno, diskFullHint } from '../core/fs/disk-errors.js';
import { writePatiently } from '../core/fs/write-patiently.js';
import { ClosedPipe, type In, type Io, type Out } from '../core/io.js';

/** A pipe buffers this much without a reader, on Linux and macOS. Later writes may block, so they run in a thread. */
const PIPE_BUFFER_BYTES = 64 * 1024;

type Kind = 'terminal' | 'pipe' | 'file' | 'folder';

function kindOf(fd: number): Kind {
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO() || stat.isSocket()) return 'pipe';
    if (stat.isDirectory()) return 'folder';
    if (!stat.isCharacterDevice()) return 'file';
  } catch {
    // fstat may fail for Windows consoles; node:tty recognizes them.
  }
  // Loaded only for possible terminals, because node:tty loads node:net.
  const tty = process.getBuiltinModule('node:tty');
  return tty.isatty(fd) ? 'terminal' : 'file';
}

const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'EOF']);

const writeInThread = (fd: number, bytes: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    writeLater(fd, bytes, (error, count) => (error ? reject(error) : resolve(count)));
  });

const writeToStream = (stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

/** @param isData true for stdout; writes to a closed stderr are dropped */
function outOn(fd: number, stream: () => NodeJS.WriteStream, isData: boolean): Out {
  let kind: Kind | undefined;
  let written = 0;
  let isClosed = false;

  function translate(error: unknown): Error {
    const code = codeOf(error) ?? '';
    // EIO of a file means that the disk failed.
    if (CLOSED.has(code) && (code !== 'EIO' || kind !== 'file')) {
      isClosed = true;
      return new ClosedPipe('the reader of the output is gone');
    }
    return new EduError('internal', `Cannot write the output: ${describeErrno(error)}.`, {
      hint: diskFullHint(error, 'Check where the output goes and run the command again.'),
      cause: error,
    });
  }

  async function put(bytes: Uint8Array): Promise<void> {
    if (isClosed && !isData) return;
    if (isClosed) throw new ClosedPipe('the reader of the output is gone');
    kind ??= kindOf(fd);
    written += bytes.length;
    const mayBlock = kind === 'pipe' && written > PIPE_BUFFER_BYTES;
    try {
      // A Windows console interprets bytes by its code page; Node's stream passes it text.
      if (kind === 'terminal' && process.platform === 'win32') await writeToStream(stream(), bytes);
      else await writePatiently(bytes, (rest) => (mayBlock ? writeInThread(fd, rest) : writeSync(fd, rest)));
    } catch (error) {
      const translated = translate(error);
      if (isData) throw translated;
    }
  }

  /** The current write. Later ones wait for it, even if their callers did not, so that their bytes do not mix. */
  let last: Promise<void> | undefined;

  return {
    get isTTY() {
      kind ??= kindOf(fd);
      return kind === 'terminal';
    },
    get columns() {
      if (!this.isTTY) return undefined;
      // 0 means that the terminal does not report its size.
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
  [Symbol.asyncIterator]() {
    // Node reads a folder as an empty stream.
    if (kindOf(0) === 'folder') throw usageError('Cannot read stdin: it is a folder.');
    return process.stdin[Symbol.asyncIterator]();
  },
  stop: () => {
    process.stdin.destroy();
  },
};

/** Opens nothing before it is used. */
export const processIo = (): Io => ({
  stdin,
  stdout: outOn(1, () => process.stdout, true),
  stderr: outOn(2, () => process.stderr, false),
});
