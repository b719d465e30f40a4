/** What settling a row needs from the job around it, and what ends the job. Sends nothing. */
import type { Reader } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import type { EduError } from '../../core/errors.js';
import type { Claims } from './match-created.js';
import type { Pace } from './throttle.js';

export type OnExisting = 'skip' | 'fail' | 'update';

export interface SettleContext {
  readonly client: Client;
  /** Lists of things that exist are read once through it. */
  readonly snapshot: Reader;
  readonly claims: Claims;
  readonly pace: Pace;
  readonly onExisting: OnExisting;
  /** Attempts of one row after the first, when the service works for others. */
  readonly retries: number;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Ends the whole job: every further row would fail alike. */
export class JobEnds extends Error {
  override readonly name = 'JobEnds';
  readonly reason: EduError;
  constructor(reason: EduError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Whether an error of a read may pass. */
export const mayPass = (error: EduError): boolean =>
  ['unreachable', 'unavailable', 'server_error'].includes(error.kind);
