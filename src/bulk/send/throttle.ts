/**
 * How many rows are sent at a time, and when to give up: starts at what was asked for, halves when the service says
 * "later" or becomes slow, recovers slowly. A wish to be left alone holds everybody. It knows neither rows nor requests.
 */
import { backOff, LONGEST_WISH } from '../../client/request/retry-after.js';
import type { EduError } from '../../core/errors.js';

export interface PaceOptions {
  /** The most at a time. */
  readonly concurrency: number;
  /** Pauses of everybody without a success between them before the job gives up. */
  readonly retries: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** A failure that may pass. */
export interface Trouble {
  readonly error: EduError;
  /** The service said "later": 429 or 503. */
  readonly later: boolean;
  /** How long it wants to be left alone, in milliseconds. */
  readonly wait?: number | undefined;
  /** The next attempt would end alike. */
  readonly hopeless?: boolean;
  /** When the attempt began. */
  readonly began: number;
  /** Which failure of the row it is, from 1. */
  readonly attempt: number;
}

/**
 * A service that asks for patience again and again, or lets each request run out of time, is given this long since the
 * last success, in milliseconds.
 */
const PATIENCE = 60_000;
/** The first wait of a single row, in milliseconds. */
const ROW_WAIT = 100;
/** Latencies are compared once there are so many, and taken for doubled beyond this many milliseconds. */
const SAMPLES = 64;
const SLOWER = 100;

export class Pace {
  readonly #options: PaceOptions;
  #limit: number;
  #running = 0;
  #pausedUntil = 0;
  /** Failures since the last success, and pauses since then. */
  #misses = 0;
  #rounds = 0;
  #roundBegan = 0;
  #cutAt = 0;
  #lastSuccess: number;
  #successes = 0;
  #fast = 0;
  #base = Number.POSITIVE_INFINITY;
  #stopped = false;
  /** A row was left since the last success, although the job would have ended over it. */
  #spared = false;
  #gaveUp: EduError | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #sleepers = new Set<() => void>();

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#limit = options.concurrency;
    this.#lastSuccess = options.now();
  }

  /** Rows done so far; tells whether the service works for others. */
  get successes(): number {
    return this.#successes;
  }

  get limit(): number {
    return this.#limit;
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

  /** Takes a place if one is free now. */
  tryEnter(): boolean {
    if (this.#stopped || this.#pausedUntil > this.#options.now()) return false;
    if (this.#running >= Math.max(1, Math.floor(this.#limit))) return false;
    this.#running++;
    return true;
  }

  /** Waits for a place. @returns false when nothing may begin any more */
  async enter(): Promise<boolean> {
    while (!this.tryEnter()) {
      if (this.#stopped) return false;
      const pause = this.#pausedUntil - this.#options.now();
      if (pause > 0) await this.#sleep(pause);
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return true;
  }

  leave(): void {
    this.#running--;
    this.#wake();
  }

  #wake(): void {
    const free = Math.max(1, Math.floor(this.#limit)) - this.#running;
    for (const wake of this.#waiting.splice(0, Math.max(0, free))) wake();
  }

  /** Something was done. @param latency of the answer, in milliseconds; undefined when it was found by a look-up */
  success(latency: number | undefined): void {
    this.#misses = 0;
    this.#rounds = 0;
    this.#spared = false;
    this.#successes++;
    this.#lastSuccess = this.#options.now();
    const { concurrency } = this.#options;
    if (this.#limit < concurrency) {
      this.#limit = Math.min(concurrency, this.#limit + 1 / this.#limit);
      this.#wake();
    }
    if (latency !== undefined) this.#noteLatency(latency);
  }

  #noteLatency(latency: number): void {
    this.#fast += (latency - this.#fast) / Math.min(this.#successes, 16);
    if (this.#successes < SAMPLES) return;
    // The best it has been, forgotten slowly.
    this.#base = Math.min(this.#fast, this.#base * 1.001);
    const now = this.#options.now();
    if (this.#fast > 2 * this.#base + SLOWER && now - this.#cutAt > 10 * this.#fast) this.#cut(now);
  }

  #cut(now: number): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#cutAt = now;
  }

  /**
   * Notes a failure and waits until the row may be tried again. To be called with a place, which is held again when it
   * returns; only when everything has stopped it is free.
   * @returns false when the row is not to be tried again in this run
   */
  async trouble(trouble: Trouble): Promise<boolean> {
    const { later, wait, began, attempt } = trouble;
    const now = this.#options.now();
    this.#misses++;
    // All that was under way at the last cut belongs to it.
    if (later && began >= this.#cutAt) this.#cut(now);
    const everybody = wait !== undefined || this.#misses > 2 * this.#limit + 2;
    if (everybody && began >= this.#roundBegan) this.#rounds++;
    if (everybody) {
      if (began >= this.#roundBegan) this.#roundBegan = now;
      const pause = wait ?? backOff(Math.max(1, this.#rounds), this.#options.random());
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    }
    const isOver = trouble.hopeless || this.#isOver(trouble, now);
    if (isOver || this.#options.retries === 0) {
      this.#gaveUp ??= trouble.error;
      if (!isOver || this.#spares(trouble)) return false;
      this.stop();
    }
    this.leave();
    if (!everybody && !this.#stopped) {
      const step = ROW_WAIT * 2 ** Math.min(attempt - 1, 4);
      await this.#sleep(step / 2 + (step / 2) * this.#options.random());
    }
    return this.enter();
  }

  #isOver({ wait, attempt }: Trouble, now: number): boolean {
    if (wait !== undefined && wait > LONGEST_WISH) return true;
    // Pauses are counted by failures, which come slowly when each of them is a time-out.
    if (wait === undefined && attempt > this.#options.retries && now - this.#lastSuccess > PATIENCE) return true;
    if (this.#rounds <= this.#options.retries) return false;
    return wait === undefined || now - this.#lastSuccess > PATIENCE;
  }

  /** What fails may be the row, not the service: it is left for another run, and the next one tells. */
  #spares({ error, hopeless }: Trouble): boolean {
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
