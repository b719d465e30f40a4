/** `edu books edit` and `edu readers edit`: open the one-time address of the editor. */
import { type Command, flag, isOn, textOf } from '../../cli/command.js';
import type { Resource } from '../../contract/resource.js';
import { editorAddress } from '../../contract/shared.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { argumentFor, callFor } from '../kinds/references.js';

/**
 * The address works once, so it is never logged, requested or stored.
 * @param id of the examples
 */
export function editOf(
  resource: Resource & { readonly endpoints: { readonly editor: Endpoint } },
  id: string,
): Command {
  const [noun] = resource.noun;
  const command: Command = {
    name: 'edit',
    summary: `Open the editor of a ${noun} in your browser.`,
    details: 'The address works once, within one minute.',
    arguments: [argumentFor(resource)],
    flags: [flag('--print-url', 'print the address instead of opening it')],
    examples: {
      'Open the editor in your browser:': `edu ${resource.name} edit ${id}`,
      'Print the address instead of opening it:': `edu ${resource.name} edit ${id} --print-url`,
    },
    prints: 'item',
    run: async (given, context) => {
      const { complete, triedAsIds } = await import('../kinds/prompt-missing.js');
      const values = await complete(command, context.path, given, context);
      const answer = await triedAsIds({ command, typed: given, values }, context, (ids) =>
        callFor(resource.endpoints.editor, textOf(ids, 'id') ?? '', context),
      );
      const address = getPath(answer, 'url');
      if (typeof address !== 'string')
        throw new EduError('invalid_response', 'the response contains no editor address');
      if (!isOn(values, 'print-url') && (await context.openAddress(address)))
        return context.say(`Opened the editor of ${noun} ${textOf(values, 'id')}.`);
      const printer = await context.printer();
      if (printer.traits.machine) return printer.item(answer, editorAddress);
      const { forPeople } = await import('../../output/sanitize.js');
      await printer.text(context.io.stdout.isTTY ? forPeople(address) : address);
    },
  };
  return command;
}
