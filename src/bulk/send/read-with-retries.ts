/** Reads for a row of a job, with the throttle's waits between the attempts. */
import { EduError, isKind } from '../../core/errors.js';
import type { Throttle } from './throttle.js';

/** Ends the whole job, because every further row would fail with the same error. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly reason: EduError;
  constructor(reason: EduError) {
    super(reason.message);
    this.reason = reason;
  }
}

export interface ReadContext {
  readonly throttle: Pick<Throttle, 'backOff'>;
  readonly now: () => number;
}

/** True if a failed read may succeed later. */
const mayPass = (error: EduError): boolean => isKind(error, 'unreachable', 'unavailable', 'server_error');

/** The value that was read, or the final error. */
export type Attempted<T> = { readonly value: T } | { readonly error: EduError };

/**
 * Reads until it succeeds. The caller must hold a slot of the throttle.
 * @param maxRetries the error is final after this number of retries
 * @returns undefined if the row is left for another run
 * @throws JobAborted if the access token is no longer accepted
 */
export async function readWithRetries<T>(
  { throttle, now }: ReadContext,
  work: () => T | Promise<T>,
  maxRetries = Number.POSITIVE_INFINITY,
): Promise<Attempted<T> | undefined> {
  for (let attempt = 1; ; attempt++) {
    const began = now();
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof EduError)) throw error;
      if (error.kind === 'interrupted' || error.kind === 'terminated') return undefined;
      if (error.kind === 'unauthenticated') throw new JobAborted(error);
      if (attempt > maxRetries || !mayPass(error)) return { error };
      if (!(await throttle.backOff({ error, began, attempt }))) return undefined;
    }
  }
}
