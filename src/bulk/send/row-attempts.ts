/** The attempts of one row: sent once each, with a wait before the next one. It judges no outcome. */
import type { Attempt } from '../../client/request/client.js';
import type { EduError } from '../../core/errors.js';
import type { Call } from '../row-command.js';
import { JobEnds, type SettleContext } from './settle-context.js';

type Failed = Extract<Attempt, { is: 'undone' | 'unknown' }>;

const isLater = (error: EduError): boolean =>
  error.kind === 'unavailable' || error.status === 429 || error.status === 503;

/** A row is tried this many times as often as a single command: among thousands, some meet every bad moment. */
const ROW_PATIENCE = 3;

/** Times that a row is sent again after an answer that makes no sense, where that can't do harm. */
export const MOST_UNREADABLE = 2;

export class Attempts {
  readonly #settling: SettleContext;
  #attempt = 0;
  #failures = 0;
  readonly #successesBefore: number;

  constructor(settling: SettleContext) {
    this.#settling = settling;
    this.#successesBefore = settling.pace.successes;
  }

  /** Sends a call of the row once. @throws JobEnds when the access token is no longer accepted */
  async send(call: Call): Promise<{ readonly attempt: Attempt; readonly began: number }> {
    const { client, now, pace } = this.#settling;
    const began = now();
    this.#attempt++;
    const attempt = await client.attempt(call.endpoint, call.input);
    if (attempt.is === 'refused' && attempt.error.kind === 'unauthenticated') throw new JobEnds(attempt.error);
    if (attempt.is === 'done') pace.success(now() - began);
    return { attempt, began };
  }

  /** Waits before another attempt. @returns false when there is none in this run */
  again(failed: Pick<Failed, 'error'> & Partial<Failed>, began: number): Promise<boolean> {
    const { error, wait, hopeless = false } = failed;
    this.#failures++;
    const { pace } = this.#settling;
    return pace.trouble({ error, later: isLater(error), wait, hopeless, began, attempt: this.#failures });
  }

  /** The row has failed often enough, although the service works for others. */
  get isHopeless(): boolean {
    const { pace, retries } = this.#settling;
    return this.#attempt > ROW_PATIENCE * retries && pace.successes > this.#successesBefore;
  }
}
