/** Prints one object that the service returned. */
import type { Command, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { complete } from './prompt-missing.js';
import type { ItemSpec } from './spec.js';

/** Runs a command that shows one thing. */
export async function item(command: Command, spec: ItemSpec, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  await printer.check(spec.shape);
  const value = await context.during('Asking the service', spec.fetch(values, context));
  await printer.item(value, spec.shape);
}
