/** Sends evenly at a rate: the user's, or one learned from accepted and refused requests. */

/** A rate is learned over at least this long and this many accepted requests. */
const MIN_LEARN_MS = 500;
const MIN_ACCEPTED = 5;
/** Share of the accepted rate that is sent at: above 0.9 of what is allowed, below it so that it holds. */
const SHARE = 0.96;
/** A higher rate is tried by this step, halved by each refusal down to the smallest, and the later the smaller it is. */
const FIRST_STEP = 0.1;
const MIN_STEP = 0.02;
const FIRST_PROBE_MS = 2_000;
/** Requests that may be sent at once after a late timer, in milliseconds of the rate. */
const LATE_MS = 30;

export class SendRate {
  readonly #max: number | undefined;
  readonly #now: () => number;
  #learned: number | undefined;
  #refusals = 0;
  /** Requests accepted since the last refusal that counted. */
  #accepted = 0;
  #since: number;
  /** The pause after that refusal, in milliseconds. */
  #pauseMs = 0;
  #changedAt: number;
  #nextAt = 0;
  #step = FIRST_STEP;

  /** @param max requests per second at most; undefined for no limit of the user's own */
  constructor(max: number | undefined, now: () => number) {
    this.#max = max;
    this.#now = now;
    this.#since = now();
    this.#changedAt = this.#since;
  }

  /** Requests per second that the service was seen to accept; undefined before its first refusal. */
  get learned(): number | undefined {
    return this.#learned;
  }

  get refusals(): number {
    return this.#refusals;
  }

  get #perSecond(): number | undefined {
    return this.#learned === undefined ? this.#max : Math.min(this.#learned, this.#max ?? this.#learned);
  }

  /** Milliseconds until the next request may leave. */
  delayMs(): number {
    return this.#perSecond === undefined ? 0 : Math.max(0, Math.ceil(this.#nextAt - this.#now()));
  }

  /** Takes the next place in time. @returns false when it has not come yet */
  take(): boolean {
    const rate = this.#perSecond;
    if (rate === undefined) return true;
    const now = this.#now();
    if (this.#nextAt > now) return false;
    this.#nextAt = Math.max(this.#nextAt, now - LATE_MS) + 1000 / rate;
    if (this.#learned !== undefined && now - this.#changedAt > (FIRST_PROBE_MS * FIRST_STEP) / this.#step) {
      this.#learned *= 1 + this.#step;
      this.#changedAt = now;
    }
    return true;
  }

  accepted(): void {
    this.#accepted++;
  }

  /**
   * A request was answered with 429.
   * @param began when it was sent, in milliseconds since the epoch
   * @param resumesAt when the pause that follows ends
   */
  refused(began: number, resumesAt: number): void {
    this.#refusals++;
    // Requests that were under way at the last refusal say nothing new.
    if (began < this.#changedAt && this.#learned !== undefined) return;
    if (this.#learned !== undefined) this.#step = Math.max(MIN_STEP, this.#step / 2);
    const now = this.#now();
    const elapsed = now - this.#since;
    const sending = elapsed - this.#pauseMs;
    // What the service allowed during the pause may have been lost, or saved up: the rate lies between the two.
    const perMs = (this.#accepted / elapsed + this.#accepted / Math.max(sending, 1)) / 2;
    if (elapsed >= MIN_LEARN_MS && this.#accepted >= MIN_ACCEPTED) this.#learned = perMs * 1000 * SHARE;
    else if (this.#learned === undefined)
      this.#learned = Math.max(1, (this.#accepted / Math.max(elapsed, 100)) * 1000 * SHARE);
    else this.#learned = Math.max(0.1, this.#learned * 0.8);
    this.#accepted = 0;
    this.#since = now;
    this.#pauseMs = Math.max(0, resumesAt - now);
    this.#changedAt = now;
  }
}
