/** Throttles a job: limits concurrency and rate, pauses for the service, and ends the job after a long outage. */
import { GRACE_MS } from '../../client/create/engine.js';
import { NoResponse } from '../../client/request/no-response.js';
import { backOff } from '../../client/request/retry-after.js';
import { SendRate } from '../../client/request/send-rate.js';
import type { EduError } from '../../core/errors.js';
import { Concurrency } from './concurrency.js';

export interface ThrottleOptions {
  readonly maxConcurrency: number;
  /** The user's limit in requests per second. */
  readonly maxRate: number | undefined;
  /** Max number of consecutive pauses without a success, for errors that are not an outage, before the job stops. */
  readonly retries: number;
  /** Max number of retries of a row; infinite unless the user limits it. */
  readonly maxRetries: number;
  /** Max duration of an outage before the job stops, regardless of Retry-After. */
  readonly maxWaitMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** True if the service has ever responded, which proves that the address is right. */
  readonly hasResponded: () => boolean;
  /** Called at each failure, with the rate learned so far. */
  readonly onFailure?: ((learnedRate: number | undefined, error: EduError) => void) | undefined;
}

/** A failure that may be temporary. */
export interface Failure {
  readonly error: EduError;
  /** Retry-After in milliseconds. */
  readonly wait?: number | undefined;
  /** The next attempt would fail in the same way. */
  readonly hopeless?: boolean;
  /** When the attempt began, in milliseconds since the epoch. */
  readonly began: number;
  /** Number of the row's failures, including this one. */
  readonly attempt: number;
}

/** Errors that are not an outage end the job after this time without a success. */
const MAX_ERROR_TIME_MS = 60_000;
/** First delay before a retry of a single row. */
const ROW_WAIT_MS = 100;

/** True if the service is overloaded, down or unreachable. A 500 is not: it may concern a single request. */
const isOutage = ({ kind, status }: EduError): boolean =>
  kind === 'unavailable' || kind === 'unreachable' || (kind === 'server_error' && status !== undefined && status > 500);

/** How long a slot stays empty after a 429, as a share of the latency. It grows with 429s in a row. */
const HELD_SLOT = 0.25;

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly rate: SendRate;
  readonly #concurrency: Concurrency;
  #running = 0;
  #pausedUntil = 0;
  /** Failures and pauses since the last success. */
  #failures = 0;
  #rounds = 0;
  #roundBegan = 0;
  #lastSuccess: number;
  /** Start of the first failed attempt since the last response. */
  #failedSince: number | undefined;
  #successes = 0;
  #stopped = false;
  /** True if a row was left for another run since the last success instead of ending the job. */
  #spared = false;
  #gaveUp: EduError | undefined;
  /** Callers that wait for a slot, in order. */
  readonly #waiting: (() => void)[] = [];
  /** Wakes the waiting callers when a pause ends or the rate allows another request. */
  #timer: NodeJS.Timeout | undefined;
  readonly #sleepers = new Set<() => void>();
  #settled: Promise<void> | undefined;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.rate = new SendRate(options.maxRate, options.now);
    this.#concurrency = new Concurrency(options.maxConcurrency, options.now);
    this.#lastSuccess = options.now();
  }

  /** Number of successful rows, by which a failing row sees whether others succeed. */
  get successes(): number {
    return this.#successes;
  }

  get limit(): number {
    return this.#concurrency.limit;
  }

  /** The failure that ended the job early, or left a row for another run. */
  get gaveUp(): EduError | undefined {
    return this.#gaveUp;
  }

  /** True if the caller, which holds a slot, is the only row: no other shows whether the service is up. */
  get isAlone(): boolean {
    return this.#running === 1 && this.#waiting.length + this.#sleepers.size === 0;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Wakes everything that waits, and lets nothing new begin. */
  stop(): void {
    this.#stopped = true;
    for (const wake of this.#sleepers) wake();
    this.#admit();
  }

  /**
   * Waits until the service has carried out the requests of a killed run, once for all rows, or the last one of a row.
   * @returns false if the job was stopped meanwhile
   */
  async settle(isEarlier: boolean): Promise<boolean> {
    if (isEarlier) this.#settled ??= this.#sleep(GRACE_MS);
    await (isEarlier ? this.#settled : this.#sleep(GRACE_MS));
    return !this.#stopped;
  }

  /** Waits for a slot, in the order of the calls. @returns false if the throttle was stopped */
  async enter(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#admit();
    });
    return !this.#stopped;
  }

  leave(): void {
    this.#running--;
    this.#admit();
  }

  /** Gives free slots to those who wait, now or when the rate and the pause allow it. */
  #admit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0) {
      if (!this.#stopped) {
        if (this.#running >= this.limit) return;
        const delayMs = Math.max(this.#pausedUntil - this.#options.now(), this.rate.delayMs());
        if (delayMs > 0) {
          this.#timer = setTimeout(() => this.#admit(), delayMs);
          return;
        }
        this.rate.take();
      }
      this.#running++;
      this.#waiting.shift()?.();
    }
  }

  /** Records a response other than 429. @param isUp the service was neither overloaded nor down */
  answered(isUp = true): void {
    if (isUp) this.#failedSince = undefined;
    this.rate.accepted();
  }

  /** Records a successful row. @param latency of its response, in milliseconds; undefined if a look-up found its item */
  success(latency: number | undefined): void {
    this.#failures = 0;
    this.#rounds = 0;
    this.#failedSince = undefined;
    this.#spared = false;
    this.#successes++;
    this.#lastSuccess = this.#options.now();
    if (latency !== undefined) this.#concurrency.responded(latency);
    this.#admit();
  }

  /**
   * Records a failure and waits until the row may be retried. The caller must hold a slot. It is given up during the wait
   * and held again afterwards, unless the throttle was stopped.
   * @returns false if the row is not to be retried in this run
   */
  async backOff(failure: Failure): Promise<boolean> {
    const { error, wait, began, attempt } = failure;
    const { retries, maxRetries } = this.#options;
    const now = this.#options.now();
    const left = this.#timeLeft(began, now);
    const is429 = error.status === 429;
    this.#failures++;
    if (!is429 && (error.kind === 'unavailable' || error.status === 503)) this.#concurrency.halve(began);
    const isLimit = is429 && this.rate.refused(began);
    this.#options.onFailure?.(this.rate.learned, error);
    // Retry-After: 0 backs off like a missing one.
    const asked = wait === undefined || wait <= 0 ? undefined : Math.min(wait, Math.max(left, 0));
    const forAll = is429
      ? isLimit || (asked !== undefined && this.rate.refusals === 1)
      : asked !== undefined || this.#failures > 2 * this.limit + 2;
    if (forAll) this.#pause(began, now, asked, is429, left);
    if (is429 && forAll) this.rate.paused(this.#pausedUntil);
    const isOver =
      failure.hopeless ||
      // Without any connection so far, the address is probably wrong.
      (this.#isUnmet(error) && attempt > retries) ||
      (isOutage(error) && maxRetries > 0 ? left <= 0 : this.#isOver(asked, attempt, now));
    if (isOver || attempt > maxRetries) {
      if (!isOver || this.#spares(failure)) {
        this.#gaveUp ??= error;
        return false;
      }
      if (!this.#stopped) this.#gaveUp = error;
      this.stop();
    }
    // More requests in place of a refused one would be refused, too, if there is a limit.
    if (is429 && !forAll) await this.#sleep(HELD_SLOT * this.rate.streak ** 2 * this.#concurrency.latency);
    this.leave();
    if (!forAll && !this.#stopped) {
      const step = ROW_WAIT_MS * 2 ** Math.min(attempt - 1, 4);
      await this.#sleep(asked ?? step / 2 + (step / 2) * this.#options.random());
    }
    return this.enter();
  }

  /** Pauses all requests: as long as the service asks, else longer in each round without a success. */
  #pause(began: number, now: number, asked: number | undefined, is429: boolean, left: number): void {
    let pause = asked ?? 0;
    if (began >= this.#roundBegan) {
      this.#rounds++;
      this.#roundBegan = now;
      // After a 429 the rate is lowered too, so a short pause is enough at first.
      const step = (is429 ? 0.2 : 1) * backOff(this.#rounds, this.#options.random());
      pause = asked ?? Math.min(step, Math.max(left, 0));
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
  }

  /** True if no connection has been possible so far. A request that was reset after it was sent has had one. */
  #isUnmet({ kind, cause }: EduError): boolean {
    const isSent = cause instanceof NoResponse && cause.sent;
    return kind === 'unreachable' && !isSent && !this.#options.hasResponded();
  }

  /** Remaining milliseconds before the job stops. Counts from the start of the failed attempt, which may itself have waited. */
  #timeLeft(began: number, now: number): number {
    this.#failedSince ??= began;
    return this.#failedSince + this.#options.maxWaitMs - now;
  }

  /** True if errors that are not an outage end the job. */
  #isOver(wait: number | undefined, attempt: number, now: number): boolean {
    const isLong = now - this.#lastSuccess > MAX_ERROR_TIME_MS;
    // If every attempt is a timeout, pauses are too rare to be counted, so time decides.
    if (wait === undefined && attempt > this.#options.retries && isLong) return true;
    if (this.#rounds <= this.#options.retries) return false;
    return wait === undefined || isLong;
  }

  /** The row may be the cause rather than the service: gives up the first such row instead of stopping. */
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
