/**
 * Prints the result of a completed write. If printing fails, for example on a full disk, the error first says that the
 * write was carried out, so that nobody repeats it.
 */
import type { Context } from '../../cli/context.js';
import { wordHint } from '../../cli/hints.js';
import { EduError, isKind } from '../../core/errors.js';
import { ClosedPipe } from '../../core/io.js';
import { asEduError } from '../../output/error-report.js';

/** True if stderr may have messages: with JSON output, it is reserved for an error. */
export const mayNotify = async (context: Context): Promise<boolean> =>
  !context.quiet && (await context.printer()).traits.machine !== true;

/**
 * Prints a message on stderr, even if it is not a terminal, for the logs of CI systems. Its commands get the flags in
 * effect.
 */
export async function notify(text: string, context: Context): Promise<void> {
  if (!(await mayNotify(context))) return;
  const { forPeople } = await import('../../output/sanitize.js');
  await (await context.progress()).io.stderr.write(`${forPeople(wordHint(text, context.globals))}\n`);
}

const NOT_AGAIN = 'It was carried out: do not run it again.';

/**
 * @param done what was carried out, as the start of a sentence: `Created licence abc (ID 000123)`
 * @param failed the error of the writes that were not
 * @throws EduError that says what was done, if `print` fails
 */
export async function printDone(
  done: string,
  print: () => Promise<void>,
  context: Context,
  failed?: EduError,
): Promise<void> {
  const hint = `${done}. ${NOT_AGAIN}`;
  try {
    await context.atRisk(hint, print());
  } catch (thrown) {
    if (thrown instanceof ClosedPipe) throw thrown;
    if (isKind(thrown, 'interrupted', 'terminated')) throw thrown.with({ hint });
    const why = `${done}, but the result cannot be printed: ${asEduError(thrown).message}`;
    // Not a kind that suggests a retry: the write has succeeded.
    const { kind = 'internal', details } = failed ?? {};
    throw new EduError(kind, why, { hint: NOT_AGAIN, details, cause: thrown });
  }
}
