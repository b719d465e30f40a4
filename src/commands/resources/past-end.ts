/** Asks about a licence that ends in the past, or warns without a terminal. */
import { isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { dayOf } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { isDryRun } from '../kinds/spec.js';

/** @returns warnings @throws EduError `usage` when the answer is no */
export async function pastEnd(values: Values, context: Context): Promise<readonly string[]> {
  const until = textOf(values, 'until');
  if (until === undefined || until >= dayOf(context.now())) return [];
  const text = `The licence ends in the past, on ${until}.`;
  if (!context.canAsk || isOn(context.globals, 'yes') || isDryRun(values)) return [text];
  const prompt = await context.prompt();
  if (!(await prompt.confirm(`${text} Send it anyway?`))) throw usageError('Not confirmed. Nothing was sent.');
  return [];
}
