/**
 * Prints the result of a completed write. If printing fails, for a full disk or an unsuitable query, the error first
 * says that the write was carried out, so that nobody repeats it.
 */
import type { Context } from '../../cli/context.js';
import { EduError, type ErrorKind, type Problem } from '../../core/errors.js';
import { ClosedPipe } from '../../core/io.js';
import { asEduError } from '../../output/error-report.js';

/** The error for a write that was done and whose result cannot be printed. */
export interface Deed {
  /** What was done, as the beginning of a sentence: `Created licence abc (id 000123)`. */
  readonly done: string;
  /** What to do instead of running it again. */
  readonly hint: string;
  /** Several writes one by one, with those that failed. */
  readonly details?: readonly Problem[];
  /** What the writes themselves came to, where it was not all done. */
  readonly kind?: ErrorKind | undefined;
}

const isStopped = ({ kind }: EduError): boolean => kind === 'interrupted' || kind === 'terminated';

/**
 * Runs what prints a result.
 * @throws EduError that says what was done
 */
export async function printDone(
  { done, hint, details, kind }: Deed,
  print: () => Promise<void>,
  context: Context,
): Promise<void> {
  try {
    await context.atRisk(`${done}. ${hint}`, print());
  } catch (thrown) {
    if (thrown instanceof ClosedPipe) throw thrown;
    const error = asEduError(thrown);
    if (isStopped(error)) throw new EduError(error.kind, error.message, { hint: `${done}. ${hint}` });
    const why = `${done}, but the result can't be printed: ${error.message}`;
    // The service did not fail: the kind must not suggest another attempt.
    throw new EduError(kind ?? 'internal', why, { hint, details, cause: thrown });
  }
}
