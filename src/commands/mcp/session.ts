/** A session with an assistant: runs command lines in this process, and keeps results for the pages that follow. */
import type { Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { GLOBAL_FLAGS } from '../../cli/global-flags.js';
import { EduError, usageError } from '../../core/errors.js';
import { limiter } from '../../core/for-each.js';
import { ClosedPipe, type Io } from '../../core/io.js';
import type { Redactor } from './pseudonyms.js';

export interface Ran {
  readonly stdout: string;
  /** Warnings and other messages, a line each. */
  readonly notes: readonly string[];
  readonly error: EduError | undefined;
}

/** The global flags of the line that started the session which apply to each of its command lines. */
export const fixedFlags = (globals: Values): Values =>
  Object.fromEntries(
    GLOBAL_FLAGS.filter(({ group, name }) => group === 'Connection' || name === 'language').map(({ name }) => [
      name,
      globals[name],
    ]),
  );

/** Variables that would change the form of the output, which the tools read. */
const UNSET = ['EDU_OUTPUT', 'EDU_DEBUG', 'EDU_PLAIN', 'FORCE_COLOR'];

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_CONCURRENT = 4;

/** Collects text up to a limit. */
function collector() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    isTTY: false,
    columns: undefined,
    async write(text: string | Uint8Array): Promise<void> {
      bytes += text.length;
      if (bytes > MAX_BYTES) throw new ClosedPipe();
      chunks.push(Buffer.from(text as string));
    },
    isFull: () => bytes > MAX_BYTES,
    text: () => Buffer.concat(chunks).toString(),
  };
}

const cancelled = (): EduError => new EduError('interrupted', 'The request was cancelled.');

const tooLarge = (): EduError =>
  usageError(
    `The result has more than ${MAX_BYTES / 1024 / 1024} MB.`,
    'Narrow it with filters, --limit, --fields or --query.',
  );

export type Session = ReturnType<typeof createSession>;

/** @param redactor replaces personal data in requests and responses */
export function createSession(context: Context, { filter, restore, hide }: Partial<Redactor> = {}) {
  const limit = limiter(MAX_CONCURRENT);
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const env = { ...context.env, ...Object.fromEntries(UNSET.map((name) => [name, undefined])), EDU_NO_INPUT: '1' };

  async function runNow(line: readonly string[], signal: AbortSignal, isFiltered: boolean): Promise<Ran> {
    const stop = AbortSignal.any([signal, closing.signal]);
    // The request may have been cancelled while it waited for others.
    if (stop.aborted) throw cancelled();
    const interrupted = new Promise<EduError>((resolve) => {
      stop.addEventListener('abort', () => resolve(cancelled()), { once: true });
    });
    const stdout = collector();
    const stderr = collector();
    const stdin = { isTTY: false, async *[Symbol.asyncIterator]() {} };
    const io: Io = { stdin, stdout, stderr };
    let error: EduError | undefined;
    const onError = ({ kind, message, hint, details }: EduError, warnings: readonly string[]): void => {
      const warned = warnings.map((warning) => ({ where: 'warning', message: warning }));
      error = new EduError(kind, message, { hint, details: [...details, ...warned] });
    };
    const globals = fixedFlags(context.globals);
    await context.runLine(line, { io, env, interrupted, globals, filter: isFiltered ? filter : undefined, onError });
    if (stdout.isFull()) throw tooLarge();
    return { stdout: stdout.text(), notes: stderr.text().split('\n').filter(Boolean), error };
  }

  return {
    context,
    restore,
    hide,
    /**
     * Runs a command line; a few run at the same time.
     * @returns also the error of a line that failed, since a part of its work may be done
     * @throws EduError if it was cancelled before its start, or printed too much
     * @param isFiltered false to send and receive what the filter would change
     */
    async run(line: readonly string[], signal: AbortSignal, isFiltered = true): Promise<Ran> {
      const work = limit(() => runNow(line, signal, isFiltered));
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    /** Cancels what runs, and waits for its end. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}
