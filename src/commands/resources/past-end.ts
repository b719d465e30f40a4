/** Warns about a licence that ends in the past; on a terminal, asks. */
import { isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { dayOf } from '../../core/day.js';
import { askYes } from '../kinds/ask-yes.js';
import { isDryRun } from '../kinds/spec.js';

/** @returns warnings @throws EduError `usage` when the user does not confirm */
export async function pastEnd(values: Values, context: Context): Promise<readonly string[]> {
  const until = textOf(values, 'until');
  if (until === undefined || until >= dayOf(context.now())) return [];
  const text = `The licence ends in the past, on ${until}.`;
  if (!context.canAsk || isOn(context.globals, 'yes') || isDryRun(values)) return [text];
  await askYes(`${text} Send it anyway?`, context);
  return [];
}
