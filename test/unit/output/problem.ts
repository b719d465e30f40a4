/** Errors for users that output settings and field names cause. */
import { EduError } from '../../../src/core/errors.js';

/** The error that a function throws for users. */
export const problem = (run: () => unknown): EduError => {
  try {
    run();
  } catch (error) {
    if (error instanceof EduError) return error;
  }
  throw new Error('no EduError was thrown');
};
