import { EduError } from '../../src/core/errors.js';

/** The error with which a promise is rejected. @throws what else it is rejected with, or if it is not */
export async function failure(work: Promise<unknown>): Promise<EduError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EduError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
