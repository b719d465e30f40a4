/** The choices for a prompt: the values of a flag, or the items that a reference can name. */
import type { Argument, Flag, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { lineOf } from '../../client/references/reference-messages.js';
import type { Choice } from '../../output/terminal/prompt.js';
import { referents } from './resolve-values.js';

/** If there are more items, the user types the ID or name. */
const MAX_CHOICES = 5000;

export interface Choices {
  readonly choices: readonly Choice<string>[];
  readonly isOpen: boolean;
}

async function fromService(
  { name, refersTo }: Flag | Argument,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if (refersTo === undefined) return undefined;
  const listed = await referents({ name, refersTo }, values, context, MAX_CHOICES);
  if (listed?.isCut === true)
    await context.say(`There are more than ${MAX_CHOICES} to choose from. Type the ID or name.`);
  if (listed === undefined || listed.isCut || listed.matches.length === 0) return undefined;
  const { forPeople } = await import('../../output/sanitize.js');
  const choices = listed.matches.map((match) => ({ name: forPeople(lineOf(match)), value: match.id }));
  // The list lacks end users and users of other organizations.
  return { choices, isOpen: refersTo === 'user' };
}

/** Returns undefined if the user has to type the value, as when the list cannot be read. */
export async function choicesFor(
  place: Flag | Argument,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if ('choices' in place && place.choices !== undefined && !place.open) {
    return { choices: place.choices.map((choice) => ({ name: String(choice), value: String(choice) })), isOpen: false };
  }
  try {
    return await context.during('Loading the choices', fromService(place, values, context));
  } catch (error) {
    await context.warn(`Cannot list the choices: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
