/** The values that a person can choose from when a flag is asked for: the flag's own, or a list read from the service. */
import type { Flag } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Choice } from '../../output/terminal/prompt.js';
import { referents } from './selectable.js';

/** Maximum number of items offered; beyond it the id is typed. */
const MOST = 1000;

async function fromService(flag: Flag, context: Context): Promise<readonly Choice<string>[] | undefined> {
  if (flag.refersTo === undefined) return undefined;
  const found = await referents(flag.refersTo, context, MOST);
  const { forPeople } = await import('../../output/sanitize.js');
  return found?.map(({ id, name }) => ({ name: `${forPeople(name)}  ${forPeople(id)}`, value: id }));
}

/**
 * The choices for a flag, or undefined when any text is possible. A list that can't be read is no reason to stop: the
 * person types the id instead.
 */
export async function choicesFor(flag: Flag, context: Context): Promise<readonly Choice<string>[] | undefined> {
  if (flag.choices !== undefined && !flag.open) {
    return flag.choices.map((choice) => ({ name: String(choice), value: String(choice) }));
  }
  try {
    return await context.during('Reading the choices', fromService(flag, context));
  } catch (error) {
    await context.warn(`Cannot list the choices: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
