/** The attempts of one row, with the throttle's wait between them. */
import type { Next } from '../../client/create/engine.js';
import type { Reader } from '../../client/create/find-by-key.js';
import type { Attempt, Client, FailedAttempt } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import type { Call } from '../row-command.js';
import type { CreatedMatcher, MatchResult } from './match-created.js';
import type { Throttle } from './throttle.js';

export type OnExisting = 'skip' | 'fail' | 'update';

/** The job's services and options that sending a row needs. */
export interface SendContext {
  readonly client: Client;
  /** Reads each list of existing items once. */
  readonly snapshot: Reader;
  readonly matcher: CreatedMatcher;
  readonly throttle: Throttle;
  readonly onExisting: OnExisting;
  /** Attempts of a row after the first, while other rows succeed. */
  readonly retries: number;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Ends the whole job, because every further row would fail with the same error. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly reason: EduError;
  constructor(reason: EduError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Whether a failed read may succeed later. */
export const mayPass = (error: EduError): boolean =>
  ['unreachable', 'unavailable', 'server_error'].includes(error.kind);

const isLater = (error: EduError): boolean =>
  error.kind === 'unavailable' || error.status === 429 || error.status === 503;

/** Multiple of `retries` for a row of a job: among thousands of rows, some fail several times by chance. */
const RETRY_FACTOR = 3;

export class RowAttempts {
  readonly #context: SendContext;
  #attempt = 0;
  #failures = 0;
  #began = 0;
  readonly #successesBefore: number;

  constructor(context: SendContext) {
    this.#context = context;
    this.#successesBefore = context.throttle.successes;
  }

  /** Sends a call of the row once. @throws JobAborted if the access token is no longer accepted */
  async send(call: Call): Promise<Attempt> {
    const { client, now, throttle } = this.#context;
    this.#began = now();
    this.#attempt++;
    const attempt = await client.attempt(call.endpoint, call.input);
    if (attempt.is === 'refused' && attempt.error.kind === 'unauthenticated') throw new JobAborted(attempt.error);
    if (attempt.is !== 'undone') throttle.answered(attempt.is !== 'unknown');
    if (attempt.is === 'done') throttle.success(now() - this.#began);
    return attempt;
  }

  /** Waits after a failed attempt. */
  async wait(failed: FailedAttempt): Promise<Next> {
    const { throttle, retries } = this.#context;
    // The row has used up its attempts although other rows succeeded.
    const isExhausted = this.#attempt > RETRY_FACTOR * retries && throttle.successes > this.#successesBefore;
    if (isExhausted && failed.is === 'undone') return 'last';
    if (!(await this.#again(failed, this.#began))) return 'stop';
    return isExhausted ? 'last' : 'again';
  }

  /** Waits until the service has carried out the requests of an earlier run. @returns false if the job ends before */
  settle(): Promise<boolean> {
    return this.#context.throttle.settle();
  }

  #again(failed: Pick<FailedAttempt, 'error'> & Partial<FailedAttempt>, began: number): Promise<boolean> {
    const { error, wait, hopeless = false } = failed;
    this.#failures++;
    const { throttle } = this.#context;
    return throttle.backOff({ error, later: isLater(error), wait, hopeless, began, attempt: this.#failures });
  }

  /**
   * Reads, with retries.
   * @returns the value, the permanent error, or undefined if the row is left for another run
   * @throws JobAborted if the access token is no longer accepted
   */
  async read<T>(work: () => Promise<T>): Promise<T | EduError | undefined> {
    for (;;) {
      const began = this.#context.now();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof EduError)) throw error;
        if (error.kind === 'unauthenticated') throw new JobAborted(error);
        if (!mayPass(error)) return error;
        if (!(await this.#again({ error }, began))) return undefined;
      }
    }
  }

  /** Matches listed items to the row, with retries. @returns undefined if the row is left for another run */
  async look(work: () => Promise<MatchResult>, retries: number): Promise<MatchResult | undefined> {
    for (let looks = 1; ; looks++) {
      const began = this.#context.now();
      const match = await work();
      if (match.is !== 'unread') return match;
      const { error } = match;
      if (error.kind === 'unauthenticated') throw new JobAborted(error);
      if (looks > retries || !mayPass(error)) return match;
      if (!(await this.#again({ error }, began))) return undefined;
    }
  }
}
