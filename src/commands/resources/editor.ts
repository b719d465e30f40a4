/** `edu books edit` and `edu readers edit`: open the one-time address of the editor. */
import { type Argument, type Command, flag, isOn, textOf } from '../../cli/command.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { object, text } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';

export interface EditSpec {
  readonly thing: string;
  readonly endpoint: Endpoint;
  readonly argument: Argument;
  readonly examples: Command['examples'];
}

const ADDRESS = object({ url: text('one-time address of the editor, valid for one minute') }, 'editor address');

function addressIn(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'url' in answer && typeof answer.url === 'string')
    return answer.url;
  throw new EduError('invalid_response', 'the response contains no editor address');
}

/** The address works once, so it is never logged, requested or stored. */
export function editCommand({ thing, endpoint, argument, examples }: EditSpec): Command {
  const command: Command = {
    name: 'edit',
    summary: `Open the editor of a ${thing} in your browser.`,
    details: 'The address works once, within one minute.',
    arguments: [argument],
    flags: [flag('--print-url', 'print the address instead of opening it')],
    examples,
    prints: 'item',
    run: async (given, context) => {
      const { complete } = await import('../kinds/prompt-missing.js');
      const values = await complete(command, context.path, given, context);
      const { triedAsIds } = await import('../kinds/tried-as-ids.js');
      const client = await context.client();
      const query = { language: context.language() };
      const answer: unknown = await triedAsIds({ command, typed: given, values }, context, async (ids) =>
        client.call(endpoint, { params: { id: textOf(ids, 'id') ?? '' }, query }, { signal: context.signal }),
      );
      const address = addressIn(answer);
      if (!isOn(values, 'print-url') && (await context.openAddress(address))) {
        await context.say(`Opened the editor of ${thing} ${textOf(values, 'id')}.`);
        return;
      }
      const printer = await context.printer();
      if (printer.traits.machine) await printer.item(answer, ADDRESS);
      else if (context.io.stdout.isTTY) {
        const { forPeople } = await import('../../output/sanitize.js');
        await printer.text(forPeople(address));
      } else await printer.text(address);
    },
  };
  return command;
}
