/** Adapts the number of concurrent requests to the latency: more while responses hardly wait for others, else fewer. */

/** Concurrency grows while the latency is at most twice that of a single request plus this. */
const SLACK_MS = 10;
const DEFAULT_LATENCY_MS = 20;
/** Number of responses in the moving average of the latency, so that a single slow one says little. */
const AVERAGED = 5;
/** By how much each response raises what counts as the latency of a single request, which may change over time. */
const BASE_GROWTH = 1.02;
/** By how much a response changes the limit: quickly up until responses were slow for the first time, then carefully. */
const STEP = { start: 1, fast: 0.05, slow: -0.5 };

export class Concurrency {
  readonly #max: number;
  readonly #now: () => number;
  #limit = 1;
  #cutAt = 0;
  /** Latency of a request without concurrency, in milliseconds. */
  #base = Number.POSITIVE_INFINITY;
  #average = 0;
  #isStarting = true;

  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** The usual latency, in milliseconds. */
  get latency(): number {
    return this.#average === 0 ? DEFAULT_LATENCY_MS : this.#average;
  }

  /** Halves the limit. @param began start of the failed request: one that was under way at the last halving has no effect */
  halve(began: number): void {
    if (began < this.#cutAt) return;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#cutAt = this.#now();
  }

  /** Records the latency of a response, in milliseconds. */
  responded(latency: number): void {
    this.#average += (latency - this.#average) / (this.#average === 0 ? 1 : AVERAGED);
    this.#base = Math.min(latency, this.#base * BASE_GROWTH);
    const isFast = this.#average <= 2 * this.#base + SLACK_MS;
    this.#isStarting &&= isFast;
    const step = this.#isStarting ? STEP.start : isFast ? STEP.fast : STEP.slow;
    this.#limit = Math.min(this.#max, Math.max(1, this.#limit + step));
  }
}
