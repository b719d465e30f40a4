/** Spaces the requests of an export at the rate that the service's 429s show, as bulk jobs do. */
import type { HttpResponse } from '../../core/http.js';
import type { Clock } from './clock.js';
import { retryAfter } from './retry-after.js';
import { SendRate } from './send-rate.js';
import { interruption } from './timeout.js';

/** Pause of all requests after 429s without Retry-After. The rate is lowered too, so a short one is enough at first. */
const PAUSE_MS = 200;
const MAX_PAUSE_MS = 3_200;

export class RequestThrottle {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly rate: SendRate;
  #pausedUntil = 0;
  /** Pauses since the last accepted request. */
  #pauses = 0;

  /** @param maxWaitMs the longest pause, whatever Retry-After says */
  constructor(clock: Clock, maxWaitMs: number) {
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
    this.rate = new SendRate(undefined, () => clock.now());
  }

  /** Waits until a request may be sent. @returns when that is, in milliseconds since the epoch @throws EduError `interrupted` */
  async begin(signal: AbortSignal | undefined): Promise<number> {
    for (;;) {
      const now = this.#clock.now();
      const delayMs = Math.max(this.#pausedUntil - now, this.rate.delayMs());
      if (delayMs <= 0 && this.rate.take()) return now;
      await this.#clock.sleep(Math.max(1, delayMs), signal);
      if (signal?.aborted) throw interruption(signal);
    }
  }

  /** Records a response. @param began the result of `begin` */
  ended({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>, began: number): void {
    if (status !== 429) {
      this.rate.accepted();
      this.#pauses = 0;
      return;
    }
    const now = this.#clock.now();
    const asked = Math.min(retryAfter(headers, now) ?? 0, this.#maxWaitMs);
    const isLimit = this.rate.refused(began, asked > 0);
    if (!isLimit && (asked <= 0 || this.rate.refusals > 1)) return;
    const isAnother = began >= this.#pausedUntil;
    const pauseMs = asked > 0 ? asked : isAnother ? Math.min(PAUSE_MS * 2 ** this.#pauses++, MAX_PAUSE_MS) : 0;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    this.rate.paused(this.#pausedUntil);
  }
}
