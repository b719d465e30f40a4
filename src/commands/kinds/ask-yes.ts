/** Yes-or-no questions before something is sent. */
import { isOn } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';

/** @throws EduError `usage` when the answer is no */
export async function askYes(question: string, context: Context): Promise<void> {
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question))) throw usageError('Not confirmed. Nothing was sent.');
}

/**
 * Asks, unless `--yes` is given.
 * @param action as in "Refusing to delete 3 items"
 * @throws EduError `usage` when the answer is no, or there is no terminal
 */
export async function requireYes(action: string, question: string, context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  if (!context.canAsk)
    throw usageError(`Refusing to ${action} without confirmation; nothing was sent.`, 'Pass --yes to confirm.');
  await askYes(question, context);
}
