/** The time limit of an attempt: the caller's signal and the timeout. */
import { EduError } from '../../core/errors.js';
import type { ClientState } from './client-state.js';

/** The error of an aborted call. */
export function interruption(signal: AbortSignal): EduError {
  return signal.reason instanceof EduError ? signal.reason : new EduError('interrupted', 'Interrupted.');
}

/** The caller's signal and the timeout of an attempt, combined. */
export class Limit {
  readonly #state: ClientState;
  readonly #outer: AbortSignal | undefined;
  readonly #controller: AbortController;
  readonly #abort = (): void => this.#controller.abort();
  #cancel: (() => void) | undefined;
  #isExpired = false;
  #isReleased = false;

  constructor(state: ClientState, outer: AbortSignal | undefined) {
    this.#state = state;
    this.#outer = outer;
    this.#controller = state.idle.pop() ?? new AbortController();
    outer?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Starts the timeout, if it has not started yet. */
  start(): void {
    if (this.#isReleased || this.#cancel !== undefined) return;
    this.#cancel = this.#state.clock.after(this.#state.timeoutMs, () => {
      this.#isExpired = true;
      this.#abort();
    });
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#cancel?.();
    this.#outer?.removeEventListener('abort', this.#abort);
    if (!this.signal.aborted) this.#state.idle.push(this.#controller);
  }
}

/** `300 ms`, `1.5 s` */
export const seconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;
