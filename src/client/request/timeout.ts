/** The time limit of an attempt: the caller's signal and the timeout. */
import { onAbort } from '../../core/abort.js';
import { EduError } from '../../core/errors.js';
import type { ClientState } from './client-state.js';

/** The error of an aborted call. */
export function interruption(signal: AbortSignal): EduError {
  return signal.reason instanceof EduError ? signal.reason : new EduError('interrupted', 'Interrupted.');
}

/** The caller's signal and a timeout, combined. */
export class Limit {
  readonly #state: ClientState;
  readonly #ignoreOuter: (() => void) | undefined;
  readonly #controller: AbortController;
  readonly #stop = (): void => this.#controller.abort();
  #cancel: (() => void) | undefined;
  #isExpired = false;
  #isReleased = false;

  /** @param milliseconds the timeout; undefined to start it later or never */
  constructor(state: ClientState, milliseconds: number | undefined, outer: AbortSignal | undefined) {
    this.#state = state;
    this.#controller = state.idle.pop() ?? new AbortController();
    if (outer?.aborted) this.#stop();
    this.#ignoreOuter = outer && onAbort(outer, this.#stop);
    if (milliseconds !== undefined) this.start(milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Starts the timeout, if it has not started yet. */
  start(milliseconds: number): void {
    if (this.#isReleased || this.#cancel !== undefined) return;
    this.#cancel = this.#state.clock.after(milliseconds, () => {
      this.#isExpired = true;
      this.#stop();
    });
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#cancel?.();
    this.#ignoreOuter?.();
    if (!this.#controller.signal.aborted) this.#state.idle.push(this.#controller);
  }
}

/** `300 ms`, `1.5 s` */
export const seconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;
