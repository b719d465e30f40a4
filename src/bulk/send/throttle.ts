/** Throttles a job: adapts concurrency and rate to latency and 429s, and ends the job after a long outage. */
import { NoResponse } from '../../client/request/no-response.js';
import { backOff } from '../../client/request/retry-after.js';
import type { EduError } from '../../core/errors.js';
import { SendRate } from './send-rate.js';

export interface ThrottleOptions {
  readonly maxConcurrency: number;
  /** The user's limit in requests per second. */
  readonly maxRate: number | undefined;
  /** Max number of consecutive pauses without a success, for errors that are not an outage, before the job stops. */
  readonly retries: number;
  /** Max duration of an outage before the job stops, regardless of Retry-After. */
  readonly maxWaitMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Whether the service has ever responded, which proves that the address is right. */
  readonly hasResponded: () => boolean;
}

/** A failure that may be temporary. */
export interface Failure {
  readonly error: EduError;
  /** The service returned 429 or 503. */
  readonly later: boolean;
  /** Retry-After in milliseconds. */
  readonly wait?: number | undefined;
  /** The next attempt would fail in the same way. */
  readonly hopeless?: boolean;
  /** When the attempt began, in milliseconds since the epoch. */
  readonly began: number;
  /** Number of the row's failures, including this one. */
  readonly attempt: number;
}

/** Default of --max-wait in bulk jobs. */
export const MAX_WAIT_MS = 300_000;
/** Errors that are not an outage end the job after this time without a success. */
const MAX_ERROR_TIME_MS = 60_000;
/** First delay before a retry of a single row. */
const ROW_WAIT_MS = 100;
/** Time that the service may still need for the requests of a killed run. */
export const GRACE_MS = 2000;
/** Concurrency grows until the latency exceeds twice that of a single request plus this. */
const SLACK_MS = 10;
/** Number of responses in the moving average of the latency. */
const AVERAGED = 5;
/** Throughput is measured over windows of at least this duration, and this many responses per concurrent request. */
const WINDOW_MS = 50;
const WINDOW_ANSWERS = 4;
/** Lower concurrency is kept while throughput stays above this share of the best. */
const SAME_THROUGHPUT = 0.97;
/** Number of windows after which a higher concurrency is tried. */
const PROBE_WINDOWS = 20;

/** True if the service is overloaded, down or unreachable. A 500 is not: it may concern a single request. */
const isOutage = ({ kind, status }: EduError): boolean =>
  kind === 'unavailable' || kind === 'unreachable' || (kind === 'server_error' && status !== undefined && status > 500);

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #rate: SendRate;
  #limit = 1;
  #running = 0;
  #pausedUntil = 0;
  /** Failures and pauses since the last success. */
  #failures = 0;
  #rounds = 0;
  #roundBegan = 0;
  #cutAt = 0;
  #lastSuccess: number;
  /** Start of the first failed attempt since the last response. */
  #failedSince: number | undefined;
  #successes = 0;
  /** Latency of a request without concurrency, in milliseconds. */
  #base = Number.POSITIVE_INFINITY;
  /** False once latency has grown with concurrency; from then on windows of responses decide. */
  #isStarting = true;
  /** Moving average of the latency while starting, so that a single slow response does not end the start. */
  #average = 0;
  #window = { began: 0, answers: 0, latency: 0, count: 0 };
  #best = { limit: 1, throughput: 0 };
  /** Whether fast responses raise concurrency: not after it slowed them down, until the next periodic attempt. */
  #isGrowing = true;
  #stopped = false;
  /** Whether a row was left for another run since the last success instead of ending the job. */
  #spared = false;
  #gaveUp: EduError | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #sleepers = new Set<() => void>();
  #settled: Promise<void> | undefined;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#rate = new SendRate(options.maxRate, options.now);
    this.#lastSuccess = options.now();
  }

  /** Number of successful rows, by which a failing row sees whether others succeed. */
  get successes(): number {
    return this.#successes;
  }

  /** The current max concurrency. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** The rate learned from 429s, in requests per second; undefined if there was none. */
  get learnedRate(): number | undefined {
    return this.#rate.learned;
  }

  /** Number of responses 429. */
  get refusals(): number {
    return this.#rate.refusals;
  }

  /** The failure that ended the job early, or left a row for another run. */
  get gaveUp(): EduError | undefined {
    return this.#gaveUp;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Wakes everything that waits, and lets nothing new begin. */
  stop(): void {
    this.#stopped = true;
    for (const wake of [...this.#waiting.splice(0), ...this.#sleepers]) wake();
  }

  /**
   * Waits, once for all rows, until the service has carried out the requests of a killed run.
   * @returns false if the job was stopped meanwhile
   */
  async settle(): Promise<boolean> {
    this.#settled ??= this.#sleep(GRACE_MS);
    await this.#settled;
    return !this.#stopped;
  }

  /** Takes a slot if one is free. */
  tryEnter(): boolean {
    if (this.#stopped || this.#pausedUntil > this.#options.now()) return false;
    if (this.#running >= this.limit || !this.#rate.take()) return false;
    this.#running++;
    return true;
  }

  /** Waits for a slot. @returns false if the throttle was stopped */
  async enter(): Promise<boolean> {
    while (!this.tryEnter()) {
      if (this.#stopped) return false;
      const pause = Math.max(this.#pausedUntil - this.#options.now(), this.#rate.delayMs());
      if (pause > 0 && this.#running < this.limit) await this.#sleep(pause);
      else if (this.#pausedUntil > this.#options.now()) await this.#sleep(this.#pausedUntil - this.#options.now());
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return true;
  }

  /** Whether the caller may use its slot for another request; otherwise it must leave. */
  tryKeep(): boolean {
    if (this.#stopped || this.#pausedUntil > this.#options.now()) return false;
    return this.#running <= this.limit && this.#rate.take();
  }

  leave(): void {
    this.#running--;
    this.#wake();
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    for (const wake of this.#waiting.splice(0, Math.max(0, this.limit - this.#running))) wake();
  }

  /** Records a response other than 429. @param isUp the service was neither overloaded nor down */
  answered(isUp = true): void {
    if (isUp) this.#failedSince = undefined;
    this.#rate.accepted();
  }

  /** Records a successful row. @param latency of its response, in milliseconds; undefined if a look-up found its item */
  success(latency: number | undefined): void {
    this.#failures = 0;
    this.#rounds = 0;
    this.#failedSince = undefined;
    this.#spared = false;
    this.#successes++;
    this.#lastSuccess = this.#options.now();
    if (latency !== undefined) this.#adapt(latency);
    this.#wake();
  }

  #adapt(latency: number): void {
    const { maxConcurrency } = this.#options;
    if (this.#isStarting) {
      this.#base = Math.min(this.#base, latency);
      this.#average += (latency - this.#average) / (this.#average === 0 ? 1 : AVERAGED);
      if (this.#isFast(latency)) this.#limit = Math.min(maxConcurrency, this.#limit + 1);
      else this.#isStarting = this.#isFast(this.#average);
      return;
    }
    const now = this.#options.now();
    const window = this.#window;
    if (window.began === 0) window.began = now;
    window.answers++;
    window.latency += latency;
    if (window.answers < WINDOW_ANSWERS * this.limit || now - window.began < WINDOW_MS) return;
    this.#judge((window.answers / (now - window.began)) * 1000, this.#isFast(window.latency / window.answers));
    this.#window = { began: now, answers: 0, latency: 0, count: window.count + 1 };
  }

  /** Whether a request hardly waits for others. */
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
      this.#limit = Math.min(this.#options.maxConcurrency, Math.ceil(this.#limit * 1.5));
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

  /**
   * Records a failure and waits until the row may be retried. The caller must hold a slot. It is given up during the wait
   * and held again afterwards, unless the throttle was stopped.
   * @returns false if the row is not to be retried in this run
   */
  async backOff(failure: Failure): Promise<boolean> {
    const { error, later, wait, began, attempt } = failure;
    const now = this.#options.now();
    const left = this.#timeLeft(began, now);
    this.#failures++;
    // Requests in flight when concurrency was last halved do not halve it again.
    if (error.status !== 429 && later && began >= this.#cutAt) {
      this.#limit = Math.max(1, this.#limit / 2);
      this.#cutAt = now;
    }
    // Retry-After: 0 backs off like a missing one.
    const asked = wait === undefined || wait <= 0 ? undefined : Math.min(wait, Math.max(left, 0));
    const forAll = asked !== undefined || error.status === 429 || this.#failures > 2 * this.#limit + 2;
    if (forAll && began >= this.#roundBegan) {
      this.#rounds++;
      this.#roundBegan = now;
      // After a 429 the rate is lowered too, so a short pause is enough at first.
      const share = error.status === 429 ? 0.2 : 1;
      const step = share * backOff(Math.max(1, this.#rounds), this.#options.random());
      const pause = asked ?? Math.min(step, Math.max(left, 0));
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    } else if (asked !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + asked);
    if (error.status === 429) this.#rate.refused(began, this.#pausedUntil);
    const isAway = isOutage(error) && this.#options.retries > 0;
    const isOver =
      failure.hopeless ||
      // Without any connection so far, the address is probably wrong (PRODUCT.md section 3).
      (this.#isUnmet(error) && attempt > this.#options.retries) ||
      (isAway ? left <= 0 : this.#isOver(asked, attempt, now));
    if (isOver || this.#options.retries === 0) {
      this.#gaveUp ??= error;
      if (!isOver || this.#spares(failure)) return false;
      this.stop();
    }
    this.leave();
    if (!forAll && !this.#stopped) {
      const step = ROW_WAIT_MS * 2 ** Math.min(attempt - 1, 4);
      await this.#sleep(step / 2 + (step / 2) * this.#options.random());
    }
    return this.enter();
  }

  /** Whether no connection has been possible so far. A request that was reset after it was sent has had one. */
  #isUnmet({ kind, cause }: EduError): boolean {
    const isSent = cause instanceof NoResponse && cause.sent;
    return kind === 'unreachable' && !isSent && !this.#options.hasResponded();
  }

  /** Remaining milliseconds before the job stops. Counts from the start of the failed attempt, which may itself have waited. */
  #timeLeft(began: number, now: number): number {
    this.#failedSince ??= began;
    return this.#failedSince + this.#options.maxWaitMs - now;
  }

  /** Whether errors that are not an outage end the job. */
  #isOver(wait: number | undefined, attempt: number, now: number): boolean {
    const isLong = now - this.#lastSuccess > MAX_ERROR_TIME_MS;
    // If every attempt is a timeout, pauses are too rare to be counted, so time decides.
    if (wait === undefined && attempt > this.#options.retries && isLong) return true;
    if (this.#rounds <= this.#options.retries) return false;
    return wait === undefined || isLong;
  }

  /** The row may be the cause rather than the service: leaves the first such row for another run instead of stopping. */
  #spares({ error, hopeless }: Failure): boolean {
    if (this.#spared || hopeless || error.kind !== 'server_error') return false;
    this.#spared = true;
    this.#rounds = this.#options.retries;
    return true;
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#sleepers.add(done);
      if (this.#stopped) done();
    });
  }
}
