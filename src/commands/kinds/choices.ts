/** The choices for a prompt: values of a flag, or items that a reference can name. */
import type { Argument, Command, Flag, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Choice } from '../../output/terminal/prompt.js';
import { lineOf, referents } from './referents.js';

/** Maximum number of items offered; of more the ID or name is typed. */
const MOST = 5000;

export interface Choices {
  readonly choices: readonly Choice<string>[];
  /** Another value may be meant: the list does not show all. */
  readonly isOpen: boolean;
}

async function fromService(
  { refersTo }: Flag | Argument,
  command: Command,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if (refersTo === undefined) return undefined;
  const listed = await referents(refersTo, command, values, context, MOST);
  if (listed?.isCut === true) await context.say(`There are more than ${MOST} to choose from. Type the ID or name.`);
  if (listed === undefined || listed.isCut || listed.matches.length === 0) return undefined;
  const { forPeople } = await import('../../output/sanitize.js');
  const choices = listed.matches.map((match) => ({ name: forPeople(lineOf(match)), value: match.id }));
  // Users of other organizations, and end users, stand in no list that is read here.
  return { choices, isOpen: refersTo === 'user' };
}

/**
 * The choices for a flag or argument, or undefined when it has to be typed. A list that can't be read is no reason to
 * stop: the person types the ID instead.
 */
export async function choicesFor(
  place: Flag | Argument,
  command: Command,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if ('choices' in place && place.choices !== undefined && !place.open) {
    return { choices: place.choices.map((choice) => ({ name: String(choice), value: String(choice) })), isOpen: false };
  }
  try {
    return await context.during('Loading the choices', fromService(place, command, values, context));
  } catch (error) {
    await context.warn(`Cannot list the choices: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
