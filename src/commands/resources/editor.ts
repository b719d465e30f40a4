/** `edu books edit` and `edu readers edit`: open the one-time address of the editor. */
import { type Command, flag, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Resource } from '../../contract/resource.js';
import { editorAddress } from '../../contract/shared.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { itemCommand } from '../kinds/define.js';
import { argumentFor, callFor } from '../kinds/references.js';
import { asksForRecords } from '../kinds/spec.js';

/** The address works once, so it is never logged, requested or stored. */
async function open(answer: unknown, what: string, values: Values, context: Context): Promise<boolean> {
  const address = getPath(answer, 'url');
  if (typeof address !== 'string' || address === '')
    throw new EduError('invalid_response', 'the response contains no editor address', { isReason: true });
  if (!isOn(values, 'print-url') && (await context.openAddress(address))) {
    await context.say(`Opened the editor of ${what}.`);
    return true;
  }
  const printer = await context.printer();
  // A format that is only configured does not change the address, which works once.
  if (printer.traits.machine || asksForRecords(context)) return false;
  await printer.text(address);
  return true;
}

/** @param id of the examples */
export function editOf(
  resource: Resource & { readonly endpoints: { readonly editor: Endpoint } },
  id: string,
): Command {
  const [noun] = resource.noun;
  return itemCommand({
    name: 'edit',
    summary: `Open the editor of a ${noun} in your browser.`,
    details: 'The address works once, within one minute.',
    arguments: [argumentFor(resource)],
    flags: [flag('--print-url', 'print the address instead of opening it')],
    examples: {
      'Open the editor in your browser:': `edu ${resource.name} edit ${id}`,
      'Print the address instead of opening it:': `edu ${resource.name} edit ${id} --print-url`,
    },
    shape: editorAddress,
    fetch: (values, context) => callFor(resource.endpoints.editor, textOf(values, 'id') ?? '', context),
    show: (answer, values, context) => open(answer, `${noun} ${textOf(values, 'id')}`, values, context),
  });
}
