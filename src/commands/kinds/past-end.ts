/** New items that end in the past. */
import { isOn, textOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { dayOf } from '../../core/day.js';
import { type Draft, isDryRun, type Write } from './spec.js';

/**
 * Warns about a new item that ends in the past; on a terminal, asks.
 * @param flag the name of the flag of its end
 * @throws EduError `usage` if not confirmed
 */
export async function pastEnd(
  noun: string,
  flag: string,
  { values }: Pick<Draft, 'values'>,
  context: Context,
): Promise<Pick<Write, 'warnings' | 'jobRisk'>> {
  const end = textOf(values, flag);
  if (end === undefined || end >= dayOf(context.now())) return {};
  const text = `The ${noun} ends in the past, on ${end}.`;
  if (!context.canAsk || isOn(context.globals, 'yes') || isDryRun(values))
    return { warnings: [text], jobRisk: `create a ${noun} that ends in the past, on ${end}` };
  const { askYes } = await import('./confirm.js');
  await askYes(`${text} Send it anyway?`, context);
  return {};
}
