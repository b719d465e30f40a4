import { expect } from 'vitest';
import { EduError } from '../../src/core/errors.js';

/** The error of a class with which a promise is rejected. @throws what else it is rejected with, or if it is not */
export async function rejection<E extends Error>(
  work: Promise<unknown>,
  of: abstract new (...args: never) => E,
): Promise<E> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof of)) throw error;
    // Whatever a test compares, no message or hint is blank.
    expect([error.message, error instanceof EduError ? error.hint : undefined]).not.toContain('');
    return error;
  }
  throw new Error('it did not fail');
}

export const failure = (work: Promise<unknown>): Promise<EduError> => rejection(work, EduError);
