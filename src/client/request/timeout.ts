/** The time limit of an attempt: the caller's signal and the timeout. */
import { EduError } from '../../core/errors.js';
import type { Wire } from './client-state.js';

/** The error of an aborted call. */
export function interruption(signal: AbortSignal): EduError {
  return signal.reason instanceof EduError ? signal.reason : new EduError('interrupted', 'Interrupted');
}

/** The caller's signal and a timeout, combined. */
export interface Limit {
  readonly signal: AbortSignal;
  readonly expired: () => boolean;
  /** Starts the timeout, if it has not started yet. */
  readonly start: (milliseconds: number) => void;
  readonly release: () => void;
}

/** @param milliseconds the timeout; undefined to start it later or never */
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
