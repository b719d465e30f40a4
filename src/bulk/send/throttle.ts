/** Throttles a job: adapts concurrency and rate to latency and refusals, and ends the job after a long outage. */
import { backOff } from '../../client/request/retry-after.js';
import type { EduError } from '../../core/errors.js';
import { SendRate } from './send-rate.js';

export interface ThrottleOptions {
  readonly maxConcurrency: number;
  /** Requests per second at most, as the user wants it. */
  readonly maxRate: number | undefined;
  /** Pauses of all workers without a success between them before the job gives up over errors that are no outage. */
  readonly retries: number;
  /** How long an outage may last before the job gives up, regardless of Retry-After. */
  readonly maxWaitMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** A failure that may pass. */
export interface Failure {
  readonly error: EduError;
  /** The service returned 429 or 503. */
  readonly later: boolean;
  /** Retry-After in milliseconds. */
  readonly wait?: number | undefined;
  /** The next attempt would end alike. */
  readonly hopeless?: boolean;
  /** When the attempt began, in milliseconds since the epoch. */
  readonly began: number;
  /** Which failure of the row it is, from 1. */
  readonly attempt: number;
}

/** How long a job rides out an outage, in milliseconds, unless --max-wait says otherwise. */
export const MAX_WAIT_MS = 300_000;
/** Errors that are no outage end the job when none but these have come for this long. */
const MAX_ERROR_TIME_MS = 60_000;
/** The first wait of a single row. */
const ROW_WAIT_MS = 100;
/** Time that the service has to carry out what a killed run sent. */
const GRACE_MS = 2000;
/** Latency may grow to twice that of a single request and this much before more concurrency has to prove its use. */
const SLACK_MS = 10;
/** Results are compared over windows of at least this length and this many answers for each place. */
const WINDOW_MS = 50;
const WINDOW_ANSWERS = 4;
/** Concurrency that does not raise the throughput beyond this share of the best is given up. */
const SAME_THROUGHPUT = 0.97;
/** Windows after which a higher concurrency is tried again. */
const PROBE_WINDOWS = 20;

/** True if the service is away for a while: overloaded, down, or not to be reached. A 500 is an error in one request. */
const isOutage = ({ kind, status }: EduError): boolean =>
  kind === 'unavailable' || kind === 'unreachable' || (kind === 'server_error' && status !== undefined && status > 500);

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #rate: SendRate;
  #limit = 1;
  #running = 0;
  #pausedUntil = 0;
  /** Failures since the last success, and pauses since then. */
  #failures = 0;
  #rounds = 0;
  #roundBegan = 0;
  #cutAt = 0;
  #lastSuccess: number;
  /** When the first failure since the last answer came. */
  #failedSince: number | undefined;
  #successes = 0;
  /** The latency of a request alone, in milliseconds. */
  #base = Number.POSITIVE_INFINITY;
  /** False once latency has grown with concurrency: from then on throughput decides. */
  #isStarting = true;
  #window = { began: 0, answers: 0, count: 0 };
  #best = { limit: 1, throughput: 0 };
  #stopped = false;
  /** A row was left since the last success, although the job would have ended over it. */
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

  /** Rows done so far; tells whether the service works for others. */
  get successes(): number {
    return this.#successes;
  }

  /** Rows that may be sent at a time now. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** The rate learned from refusals, in requests per second; undefined when the service has set no limit. */
  get learnedRate(): number | undefined {
    return this.#rate.learned;
  }

  /** How many requests were answered with 429. */
  get refusals(): number {
    return this.#rate.refusals;
  }

  /** The failure that ended the job before its end, if one did. */
  get gaveUp(): EduError | undefined {
    return this.#gaveUp;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Ends everything that waits; nothing new may begin. */
  stop(): void {
    this.#stopped = true;
    for (const wake of [...this.#waiting.splice(0), ...this.#sleepers]) wake();
  }

  /**
   * Waits, once for all rows, until the service has carried out what a killed run sent.
   * @returns false when the job was stopped before
   */
  async settle(): Promise<boolean> {
    this.#settled ??= this.#sleep(GRACE_MS);
    await this.#settled;
    return !this.#stopped;
  }

  /** Takes a place if one is free now. */
  tryEnter(): boolean {
    if (this.#stopped || this.#pausedUntil > this.#options.now()) return false;
    if (this.#running >= this.limit || !this.#rate.take()) return false;
    this.#running++;
    return true;
  }

  /** Waits for a place. @returns false when nothing may begin any more */
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

  leave(): void {
    this.#running--;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0, Math.max(0, this.limit - this.#running))) wake();
  }

  /** The service answered a request other than by 429. @param isUp it was neither overloaded nor down */
  answered(isUp = true): void {
    if (isUp) this.#failedSince = undefined;
    this.#rate.accepted();
  }

  /** A row succeeded. @param latency of its answer, in milliseconds; undefined when a look-up found it */
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
      if (latency <= 2 * this.#base + SLACK_MS) this.#limit = Math.min(maxConcurrency, this.#limit + 1);
      else this.#isStarting = false;
      return;
    }
    const now = this.#options.now();
    const window = this.#window;
    if (window.began === 0) window.began = now;
    window.answers++;
    if (window.answers < WINDOW_ANSWERS * this.limit || now - window.began < WINDOW_MS) return;
    this.#judge((window.answers / (now - window.began)) * 1000);
    this.#window = { began: now, answers: 0, count: window.count + 1 };
  }

  /** Goes down while that costs no throughput, and up again now and then. @param throughput answers per second */
  #judge(throughput: number): void {
    const { maxConcurrency } = this.#options;
    const { limit, throughput: best } = this.#best;
    if (throughput >= SAME_THROUGHPUT * best) {
      this.#best = { limit: this.limit, throughput: Math.max(throughput, best) };
      if (this.#window.count % PROBE_WINDOWS === PROBE_WINDOWS - 1)
        this.#limit = Math.min(maxConcurrency, Math.ceil(this.#limit * 1.5));
      else this.#limit = Math.max(1, this.#limit / 2);
    } else {
      this.#limit = Math.min(maxConcurrency, limit);
      // Throughput changes over time: what was best before fades.
      this.#best = { limit, throughput: best * 0.98 };
    }
  }

  /**
   * Notes a failure and waits until the row may be tried again. To be called with a place, which is held again when it
   * returns; only when everything has stopped it is free.
   * @returns false when the row is not to be tried again in this run
   */
  async backOff(failure: Failure): Promise<boolean> {
    const { error, later, wait, began, attempt } = failure;
    const now = this.#options.now();
    const left = this.#timeLeft(began, now);
    this.#failures++;
    // Requests under way at the last cut belong to it.
    if (error.status !== 429 && later && began >= this.#cutAt) {
      this.#limit = Math.max(1, this.#limit / 2);
      this.#cutAt = now;
    }
    // Retry-After of 0 is no wait of the service's own.
    const asked = wait === undefined || wait <= 0 ? undefined : Math.min(wait, Math.max(left, 0));
    const forAll = asked !== undefined || error.status === 429 || this.#failures > 2 * this.#limit + 2;
    if (forAll && began >= this.#roundBegan) {
      this.#rounds++;
      this.#roundBegan = now;
      // After 429 the rate falls as well, so a short pause is enough at first.
      const share = error.status === 429 ? 0.2 : 1;
      const step = share * backOff(Math.max(1, this.#rounds), this.#options.random());
      const pause = asked ?? Math.min(step, Math.max(left, 0));
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    } else if (asked !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + asked);
    if (error.status === 429) this.#rate.refused(began, this.#pausedUntil);
    const isAway = isOutage(error) && this.#options.retries > 0;
    const isOver = failure.hopeless || (isAway ? left <= 0 : this.#isOver(asked, attempt, now));
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

  /** Time that is left for failures before the job gives up, in milliseconds. A read that failed has waited already. */
  #timeLeft(began: number, now: number): number {
    this.#failedSince ??= began;
    return this.#failedSince + this.#options.maxWaitMs - now;
  }

  /** Whether errors that are no outage end the job. */
  #isOver(wait: number | undefined, attempt: number, now: number): boolean {
    const isLong = now - this.#lastSuccess > MAX_ERROR_TIME_MS;
    // Pauses are counted by failures, which come slowly when each of them is a timeout.
    if (wait === undefined && attempt > this.#options.retries && isLong) return true;
    if (this.#rounds <= this.#options.retries) return false;
    return wait === undefined || isLong;
  }

  /** What fails may be the row, not the service: it is left for another run, and the next one tells. */
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
