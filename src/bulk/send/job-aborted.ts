/** The error that ends a job. */
import type { EduError } from '../../core/errors.js';

/** Ends the whole job, because every further row would fail with the same error. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly reason: EduError;
  constructor(reason: EduError) {
    super(reason.message);
    this.reason = reason;
  }
}
