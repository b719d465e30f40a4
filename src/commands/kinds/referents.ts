/** Reads the items that a reference can name, for prompts and completion. */
import type { Command, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Listed, Match } from '../../client/references/resolver.js';
import type { Referent } from '../../contract/vocabulary.js';
import { scopeOf } from './names.js';

/**
 * The items that the caller may see, of the organization, school or class that the other values name.
 * @param most maximum number of items
 * @returns undefined when the service has no list of them
 */
export async function referents(
  refersTo: Referent,
  command: Command,
  values: Values,
  context: Context,
  most: number,
): Promise<Listed | undefined> {
  const scope = await scopeOf(refersTo, command, values, context);
  return (await context.resolver()).list(refersTo, scope, most);
}

/** An item on one line: its label, what else people call it, its ID. */
export const lineOf = ({ id, label, names }: Match): string =>
  [label, ...names.map((name) => name.replace(/^code:/, '')).filter((name) => !label.includes(name)), id].join('  ');
