/** The time limit of an attempt: the caller's signal and the timeout. */
import { EduError } from '../../core/errors.js';
import type { Wire } from './client-state.js';

/** What ends a call that its caller no longer wants. */
export function interruption(signal: AbortSignal): EduError {
  return signal.reason instanceof EduError ? signal.reason : new EduError('interrupted', 'Interrupted');
}

/** The caller's signal and the clock, as one signal. */
export interface Limit {
  readonly signal: AbortSignal;
  readonly expired: () => boolean;
  /** Lets the time begin now, for what could take as long as it liked so far. */
  readonly start: (milliseconds: number) => void;
  readonly release: () => void;
}

/** @param milliseconds how long it may take; undefined for no end */
export function limitOf(wire: Wire, milliseconds: number | undefined, signal: AbortSignal | undefined): Limit {
  const controller = wire.idle.pop() ?? new AbortController();
  let expired = false;
  const stop = () => controller.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  let cancel: (() => void) | undefined;
  let released = false;
  const start = (time: number): void => {
    if (released || cancel !== undefined) return;
    cancel = wire.clock.after(time, () => {
      expired = true;
      stop();
    });
  };
  if (milliseconds !== undefined) start(milliseconds);
  const release = () => {
    if (released) return;
    released = true;
    cancel?.();
    signal?.removeEventListener('abort', stop);
    if (!controller.signal.aborted) wire.idle.push(controller);
  };
  return { signal: controller.signal, expired: () => expired, start, release };
}

/** `300 ms`, `1.5 s` */
export const seconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;
