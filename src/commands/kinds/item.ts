/** Prints one object that the service returned. */
import { type Command, isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { complete } from './prompt-missing.js';
import type { ItemSpec } from './spec.js';

/** What is there under an id, else under a name that looks like one. No spinner runs while somebody picks a name. */
async function fetchNamed(command: Command, spec: ItemSpec, values: Values, context: Context): Promise<unknown> {
  const fetch = (given: Values) => context.during('Asking the service', spec.fetch(given, context));
  try {
    return await fetch(values);
  } catch (error) {
    const names = await import('./names.js');
    if (!names.isUnknownId(error)) throw error;
    const again = await names.withNamesTried(command, values, context, error);
    if (again === undefined) throw error;
    return fetch(again);
  }
}

/** Runs a command that shows one thing. */
export async function item(command: Command, spec: ItemSpec, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  const isNamed = isOn(values, 'with-names') || (printer.traits.people === true && context.io.stdout.isTTY);
  const named = isNamed ? spec.named : undefined;
  const shape = named?.shape ?? spec.shape;
  await printer.check(shape);
  const value = await fetchNamed(command, spec, values, context);
  await printer.item(named === undefined ? value : await named.add(value, context), shape);
}
