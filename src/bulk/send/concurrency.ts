/** Adapts the number of concurrent requests to the latency: more while responses are fast, fewer when that costs nothing. */

/** Concurrency grows until the latency exceeds twice that of a single request plus this. */
const SLACK_MS = 10;
const DEFAULT_LATENCY_MS = 20;
/** Number of responses in the moving average of the latency. */
const AVERAGED = 5;
/** Throughput is measured over windows of at least this duration, and this many responses per concurrent request. */
const WINDOW_MS = 50;
const WINDOW_ANSWERS = 4;
/** Lower concurrency is kept while throughput stays above this share of the best. */
const SAME_THROUGHPUT = 0.97;
/** Number of windows after which a higher concurrency is tried. */
const PROBE_WINDOWS = 20;

export class Concurrency {
  readonly #max: number;
  readonly #now: () => number;
  #limit = 1;
  #cutAt = 0;
  /** Latency of a request without concurrency, in milliseconds. */
  #base = Number.POSITIVE_INFINITY;
  /** False once latency has grown with concurrency; from then on windows of responses decide. */
  #isStarting = true;
  /** Moving average of the latency, so that a single slow response does not end the start. */
  #average = 0;
  #window = { began: 0, answers: 0, latency: 0, count: 0 };
  #best = { limit: 1, throughput: 0 };
  /** True if fast responses raise concurrency: not after it slowed them down, until the next periodic attempt. */
  #isGrowing = true;

  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
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
    if (this.#isStarting) {
      this.#base = Math.min(this.#base, latency);
      if (this.#isFast(latency)) this.#limit = Math.min(this.#max, this.#limit + 1);
      else this.#isStarting = this.#isFast(this.#average);
      return;
    }
    const now = this.#now();
    const window = this.#window;
    if (window.began === 0) window.began = now;
    window.answers++;
    window.latency += latency;
    if (window.answers < WINDOW_ANSWERS * this.limit || now - window.began < WINDOW_MS) return;
    this.#judge((window.answers / (now - window.began)) * 1000, this.#isFast(window.latency / window.answers));
    this.#window = { began: now, answers: 0, latency: 0, count: window.count + 1 };
  }

  /** True if a request hardly waits for others. */
  #isFast(latency: number): boolean {
    return latency <= 2 * this.#base + SLACK_MS;
  }

  /**
   * Raises concurrency periodically, and while responses are fast, because few requests at a time cost more of this
   * machine's time per request. Lowers it while responses are slow and that costs no throughput.
   * @param throughput responses per second
   */
  #judge(throughput: number, isFast: boolean): void {
    const { limit, throughput: best } = this.#best;
    const isBest = throughput >= SAME_THROUGHPUT * best;
    const isProbe = this.#window.count % PROBE_WINDOWS === PROBE_WINDOWS - 1;
    if (isBest) this.#best = { limit: this.limit, throughput: Math.max(throughput, best) };
    if (isProbe ? isBest : isFast && this.#isGrowing) {
      this.#limit = Math.min(this.#max, Math.ceil(this.#limit * 1.5));
      this.#isGrowing = true;
      return;
    }
    if (!isFast) this.#isGrowing = false;
    if (!isBest) {
      this.#limit = limit;
      // The best throughput decays, because the service's capacity changes over time.
      this.#best = { limit, throughput: best * 0.98 };
    } else if (!isFast) this.#limit = Math.max(1, this.#limit / 2);
  }
}
