/** The attempts of one row, with the throttle's wait between them. */
import type { Next } from '../../client/create/engine.js';
import type { Reader } from '../../client/create/find-by-key.js';
import type { Attempt, Client, FailedAttempt } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import type { Call } from '../row-command.js';
import type { Claims, Sight } from './match-created.js';
import type { Throttle } from './throttle.js';

export type OnExisting = 'skip' | 'fail' | 'update';

/** What sending a row needs from the job around it. */
export interface SendContext {
  readonly client: Client;
  /** Reads lists of things that exist once. */
  readonly snapshot: Reader;
  readonly claims: Claims;
  readonly throttle: Throttle;
  readonly onExisting: OnExisting;
  /** Attempts of one row after the first, when the service works for others. */
  readonly retries: number;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Ends the whole job: every further row would fail alike. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly reason: EduError;
  constructor(reason: EduError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Whether an error of a read may pass. */
export const mayPass = (error: EduError): boolean =>
  ['unreachable', 'unavailable', 'server_error'].includes(error.kind);

const isLater = (error: EduError): boolean =>
  error.kind === 'unavailable' || error.status === 429 || error.status === 503;

/** A row is tried this many times as often as a single command: among thousands, some meet every bad moment. */
const ROW_PATIENCE = 3;

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

  /** Sends a call of the row once. @throws JobAborted when the access token is no longer accepted */
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
    // The row has failed often enough, although the service works for others.
    const isOver = this.#attempt > ROW_PATIENCE * retries && throttle.successes > this.#successesBefore;
    if (isOver && failed.is === 'undone') return 'last';
    if (!(await this.#again(failed, this.#began))) return 'stop';
    return isOver ? 'last' : 'again';
  }

  /** Waits until the service has carried out what an earlier run sent. @returns false when the job ends before */
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
   * Reads, again while the error may pass.
   * @returns the value, the error that will not pass, or undefined when the row is to be left for another run
   * @throws JobAborted when the access token is no longer accepted
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

  /** Looks at a list, again while it cannot be read. @returns undefined when the row is to be left for another run */
  async look(work: () => Promise<Sight>, retries: number): Promise<Sight | undefined> {
    for (let looks = 1; ; looks++) {
      const began = this.#context.now();
      const sight = await work();
      if (sight.is !== 'unread') return sight;
      const { error } = sight;
      if (error.kind === 'unauthenticated') throw new JobAborted(error);
      if (looks > retries || !mayPass(error)) return sight;
      if (!(await this.#again({ error }, began))) return undefined;
    }
  }
}
