/** Spaces requests evenly at a rate: the user's, or one learned from responses 429. */

/** A rate is learned from at least this duration and number of accepted requests. */
const MIN_LEARN_MS = 500;
const MIN_ACCEPTED = 5;
/** Share of the accepted rate to send at: more than 0.9 of the limit, but below it to avoid further 429s. */
const SHARE = 0.96;
/** Relative step to a higher rate. Each 429 halves it, down to MIN_STEP; smaller steps are tried less often. */
const FIRST_STEP = 0.1;
const MIN_STEP = 0.02;
const FIRST_PROBE_MS = 2_000;
/** Step and interval of a rate that is only a guess, because there were few requests before the first 429. */
const GUESS_STEP = 0.4;
const GUESS_PROBE_MS = 500;
/**
 * So many accepted requests before the first 429 are probably the allowance of a second that had accumulated: their own
 * rate would be a multiple of the allowed one, and the way down costs a 429 of each request under way at every step.
 */
const LARGE_BURST = 40;
const MIN_BURST_MS = 100;
const LARGE_BURST_MS = 1000;
/** Max lateness of a timer that is made up for by sending requests at once. */
const LATE_MS = 30;

export class SendRate {
  readonly #max: number | undefined;
  readonly #now: () => number;
  #learned: number | undefined;
  #refusals = 0;
  /** Requests accepted since the last 429 from which the rate was learned. */
  #accepted = 0;
  #since: number;
  /** Pauses since that 429. */
  #pauseMs = 0;
  #changedAt: number;
  #nextAt = 0;
  #step = FIRST_STEP;
  #isGuess = true;
  /** The rate before the last step up; 0 if there was none since the last 429. */
  #proven = 0;

  /** @param max the user's limit in requests per second; undefined for none */
  constructor(max: number | undefined, now: () => number) {
    this.#max = max;
    this.#now = now;
    this.#since = now();
    this.#changedAt = this.#since;
  }

  /** Learned requests per second; undefined before the first 429. */
  get learned(): number | undefined {
    return this.#learned;
  }

  get refusals(): number {
    return this.#refusals;
  }

  get #perSecond(): number | undefined {
    return this.#learned === undefined ? this.#max : Math.min(this.#learned, this.#max ?? this.#learned);
  }

  /** Delay until the next request may be sent. */
  delayMs(): number {
    return this.#perSecond === undefined ? 0 : Math.max(0, Math.ceil(this.#nextAt - this.#now()));
  }

  /** Takes the next time slot. @returns false if it is still in the future */
  take(): boolean {
    const rate = this.#perSecond;
    if (rate === undefined) return true;
    const now = this.#now();
    if (this.#nextAt > now) return false;
    this.#nextAt = Math.max(this.#nextAt, now - LATE_MS) + 1000 / rate;
    this.#probe(now);
    return true;
  }

  /** Raises a learned rate that no 429 has followed for a while. */
  #probe(now: number): void {
    if (this.#learned === undefined) return;
    const intervalMs = this.#isGuess ? GUESS_PROBE_MS : (FIRST_PROBE_MS * FIRST_STEP) / this.#step;
    if (now - this.#changedAt <= intervalMs) return;
    this.#proven = this.#learned;
    this.#learned *= 1 + (this.#isGuess ? GUESS_STEP : this.#step);
    this.#changedAt = now;
  }

  accepted(): void {
    this.#accepted++;
  }

  /**
   * Lowers the rate after a 429.
   * @param began when the request was sent, in milliseconds since the epoch
   * @param resumesAt when the following pause ends
   */
  refused(began: number, resumesAt: number): void {
    this.#refusals++;
    const rate = this.#learned;
    // Requests in flight at the last 429 give no new information.
    if (began < this.#changedAt && rate !== undefined) return;
    const now = this.#now();
    const elapsed = now - this.#since;
    const sending = elapsed - this.#pauseMs;
    // Whether the service accumulates allowance during the pause is unknown, so this is the mean of both cases.
    const perSecond = (this.#accepted / elapsed + this.#accepted / Math.max(sending, 1)) * 500;
    const isEnough = elapsed >= MIN_LEARN_MS && this.#accepted >= MIN_ACCEPTED;
    if (rate !== undefined && !this.#isGuess) this.#step = Math.max(MIN_STEP, this.#step / 2);
    // The mean is too low if the rate was raised meanwhile.
    if (isEnough) this.#learned = Math.max(perSecond, this.#proven) * SHARE;
    else if (rate === undefined) {
      const burstMs = Math.max(elapsed, this.#accepted < LARGE_BURST ? MIN_BURST_MS : LARGE_BURST_MS);
      this.#learned = Math.max(1, (this.#accepted / burstMs) * 1000 * SHARE);
    } else this.#learned = Math.max(0.1, rate * 0.8, this.#proven * SHARE);
    this.#proven = 0;
    if (isEnough) this.#isGuess = false;
    if (isEnough || rate === undefined) {
      this.#accepted = 0;
      this.#since = now;
      this.#pauseMs = 0;
    }
    this.#pauseMs += Math.max(0, resumesAt - now);
    this.#changedAt = Math.max(now, resumesAt);
    // No request makes up for the pause.
    this.#nextAt = Math.max(this.#nextAt, this.#changedAt);
  }
}
