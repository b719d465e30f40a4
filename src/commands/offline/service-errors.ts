/** Words the errors of the bundled service, which have names and hints of their own. */
import { endSentence } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';

/** @param start the start of the message */
export async function withExplainedErrors<T>(work: () => T | Promise<T>, start = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = 'hint' in error && typeof error.hint === 'string' && error.hint !== '' ? error.hint : undefined;
    const message = endSentence(`${start}${error.message}`.replace(/^./, (letter) => letter.toUpperCase()));
    if (error.name === 'OptionError' || error.name === 'BadSeed') throw usageError(message, hint);
    throw error.name === 'StateError' ? new EduError('internal', message, { hint, cause: error }) : error;
  }
}
