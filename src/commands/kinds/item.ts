/** Prints one object that the service returned. */
import type { Command, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { complete } from './prompt-missing.js';
import type { ItemSpec } from './spec.js';

/** What is there under an id, else under a name that looks like one. */
async function fetchNamed(command: Command, spec: ItemSpec, values: Values, context: Context): Promise<unknown> {
  try {
    return await spec.fetch(values, context);
  } catch (error) {
    const names = await import('./names.js');
    if (!names.isUnknownId(error)) throw error;
    const again = await names.withNamesTried(command, values, context, error);
    if (again === undefined) throw error;
    return spec.fetch(again, context);
  }
}

/** Runs a command that shows one thing. */
export async function item(command: Command, spec: ItemSpec, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  await printer.check(spec.shape);
  const value = await context.during('Asking the service', fetchNamed(command, spec, values, context));
  await printer.item(value, spec.shape);
}
