/** Checks before a login, and the wait for the redirect at the port or for a pasted URL. */
import type { Clock } from '../../client/request/clock.js';
import { EduError, usageError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import type { TrueAnswer } from './browser-answer.js';
import type { Listener } from './listener.js';
import { readPasted } from './paste.js';

export interface Waiting {
  readonly listener: Listener | undefined;
  /** Lines that the user pastes, until the signal aborts. */
  readonly lines: (signal: AbortSignal) => AsyncIterable<string>;
  readonly digests: readonly Buffer[];
  readonly clock: Clock;
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => Promise<void>;
}

/**
 * Waits for the first valid authorization response.
 * @throws `unreachable` after the timeout; the signal's reason if it aborts; a usage error if the input ends and there is
 *   no listener
 */
export async function waitForAnswer(waiting: Waiting): Promise<TrueAnswer> {
  const { listener, clock, timeout, signal } = waiting;
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const cancel = clock.after(timeout, () => over.abort(redirectTimeout(timeout)));
  const ended = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
  try {
    stop.throwIfAborted();
    return await Promise.race([ended, pasted(waiting, stop), ...(listener ? [listener.answer] : [])]);
  } finally {
    cancel();
    over.abort();
  }
}

/** Waits for a valid pasted URL. With a listener, the end of the input does not end the wait. */
async function pasted({ listener, lines, digests, tell }: Waiting, stop: AbortSignal): Promise<TrueAnswer> {
  for await (const line of lines(stop)) {
    const read = readPasted(line, digests);
    if (read.kind === 'answer') return read.answer;
    if (read.kind === 'not-taken') await tell(read.why);
  }
  if (listener || stop.aborted) return new Promise<never>(() => {});
  throw usageError(
    'Cannot log in: stdin ended before the final URL of this login.',
    "Open the address above, then paste the final URL from the browser's address bar into `edu auth login --paste`.",
  );
}

const redirectTimeout = (milliseconds: number): EduError =>
  new EduError('unreachable', `Cannot log in: no redirect arrived within ${inWords(milliseconds)}.`, {
    hint:
      'Run `edu auth login` again, if necessary with a longer --timeout. If the browser shows a page that does not load, ' +
      'run `edu auth login --paste` and paste its URL.',
  });

/** How the redirect arrives: from a browser opened here, from one opened elsewhere, or pasted; or a token is given. */
export type Mode = 'browser' | 'no-browser' | 'paste' | 'with-token';

/** A duration in the largest unit that divides it: `5 minutes`, `90 seconds`. */
export function inWords(milliseconds: number): string {
  const units = Object.entries({ hour: 3_600_000, minute: 60_000, second: 1_000 });
  const [name, size] = units.find(([, length]) => milliseconds % length === 0) ?? ['millisecond', 1];
  return plural(milliseconds / size, name);
}
