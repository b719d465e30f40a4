/** Checks before a login opens or sends anything. */
import { usageError } from '../../core/errors.js';
import type { Env } from '../../core/io.js';

/** How the redirect arrives: from a browser opened here, from one opened elsewhere, or pasted; or a token is given. */
export type Mode = 'browser' | 'no-browser' | 'paste' | 'with-token';

export interface Circumstances {
  readonly env: Env;
  readonly mode: Mode;
  /** Whether stdin and stderr are a terminal. */
  readonly terminal: boolean;
  readonly offline: boolean;
}

/** @throws a usage error with an alternative if a login is not possible */
export function precheck({ env, mode, terminal, offline }: Circumstances): void {
  if (offline) {
    throw usageError('--offline needs no login.', 'Choose a persona with --as.');
  }
  if (env.EDU_TOKEN?.trim()) {
    throw usageError('EDU_TOKEN is set and takes precedence over a login.', 'Unset it first: unset EDU_TOKEN');
  }
  if (mode === 'browser' && !terminal) {
    throw usageError(
      'Cannot log in without a terminal.',
      'Set EDU_TOKEN, pipe a token to `edu auth login --with-token`, or run `edu auth login --no-browser`.',
    );
  }
}

/** A duration in the largest unit that divides it: `5 minutes`, `90 seconds`. */
export function inWords(milliseconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
    [1, 'millisecond'],
  ];
  const [size, name] = units.find(([length]) => milliseconds % length === 0) ?? [1, 'millisecond'];
  const count = milliseconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
