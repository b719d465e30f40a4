/** `edu books edit` and `edu readers edit`: open the one-time address of the editor. */
import { type Command, flag, isOn, textOf } from '../../cli/command.js';
import type { Resource } from '../../contract/resource.js';
import { type Endpoint, object, text } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { idOf } from '../kinds/of-resource.js';

const ADDRESS = object({ url: text('one-time address of the editor, valid for one minute') }, 'editor address');

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
    arguments: [idOf(resource)],
    flags: [flag('--print-url', 'print the address instead of opening it')],
    examples: {
      'Open the editor in your browser:': `edu ${resource.name} edit ${id}`,
      'Print the address instead of opening it:': `edu ${resource.name} edit ${id} --print-url`,
    },
    prints: 'item',
    run: async (given, context) => {
      const { complete } = await import('../kinds/prompt-missing.js');
      const values = await complete(command, context.path, given, context);
      const { triedAsIds } = await import('../kinds/prompt-missing.js');
      const client = await context.client();
      const query = { language: context.language() };
      const answer: unknown = await triedAsIds({ command, typed: given, values }, context, async (ids) =>
        client.call(
          resource.endpoints.editor,
          { params: { id: textOf(ids, 'id') ?? '' }, query },
          { signal: context.signal },
        ),
      );
      const address = getPath(answer, 'url');
      if (typeof address !== 'string')
        throw new EduError('invalid_response', 'the response contains no editor address');
      if (!isOn(values, 'print-url') && (await context.openAddress(address)))
        return context.say(`Opened the editor of ${noun} ${textOf(values, 'id')}.`);
      const printer = await context.printer();
      if (printer.traits.machine) return printer.item(answer, ADDRESS);
      const { forPeople } = await import('../../output/sanitize.js');
      await printer.text(context.io.stdout.isTTY ? forPeople(address) : address);
    },
  };
  return command;
}
