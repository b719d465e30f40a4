/** Reads the items that a reference can name, for prompts and completion. */
import type { Command, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Listed, Match } from '../../client/references/resolver.js';
import type { Referent } from '../../contract/vocabulary.js';
import { scopeOf } from './names.js';

/**
 * Lists the items visible to the caller, in the organization, school or class that the other values name.
 * @returns undefined when the service has no list of them
 */
export async function referents(
  refersTo: Referent,
  command: Command,
  values: Values,
  context: Context,
  maxItems: number,
): Promise<Listed | undefined> {
  const scope = await scopeOf(refersTo, command, values, context);
  return (await context.resolver()).list(refersTo, scope, maxItems);
}

/** An item on one line: label, other names, ID. */
export const lineOf = ({ id, label, names }: Match): string =>
  [label, ...names.map((name) => name.replace(/^code:/, '')).filter((name) => !label.includes(name)), id].join('  ');
