/** Runs commands that show one item. */
import { type Command, isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { complete } from './prompt-missing.js';
import type { ItemSpec } from './spec.js';
import { triedAsIds } from './tried-as-ids.js';

export async function item(command: Command, spec: ItemSpec, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  const isNamed = isOn(values, 'with-names') || (printer.traits.people === true && context.io.stdout.isTTY);
  const named = isNamed ? spec.named : undefined;
  const shape = named?.shape ?? spec.shape;
  await printer.check(shape);
  // The spinner covers only the request, not the prompt for one of several names.
  const value = await triedAsIds({ command, typed: given, values }, context, (ids) =>
    context.during('Asking the service', spec.fetch(ids, context)),
  );
  await printer.item(named === undefined ? value : await named.add(value, context), shape);
}
