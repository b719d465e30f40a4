/** Asks for confirmation before a destructive write: names each item, and needs `--yes` without a terminal. */
import { type Command, isOn, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import type { Client } from '../../client/request/client.js';
import { labelOf, resourceOf } from '../../contract/resource.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';
import type { Write, WriteSpec } from './spec.js';

/** The most things that a question names. */
const MAX_NAMED = 10;

/** `licence 1`, or `3 items: licence 1, licence 2, licence 3`. */
function summary(things: readonly string[]): string {
  const names = things.slice(0, MAX_NAMED);
  if (things.length === 1) return names.join('');
  const more = things.length - names.length;
  return `these ${things.length}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Refuses a destructive command without a terminal and --yes, before anything is looked up.
 * @throws EduError `usage` with the line to run instead
 */
export function requireConsent(command: Command, spec: WriteSpec, values: Values, context: Context): void {
  if (spec.act === undefined || isOn(context.globals, 'yes') || context.canAsk) return;
  const things = (command.arguments ?? []).flatMap(({ name, refersTo }) =>
    textsOf(values, name).map((given) => `${refersTo ?? name} ${given}`),
  );
  const line = commandLine(command, context.path, values, { ...context.globals, yes: true });
  throw usageError(
    `Refusing to ${spec.act.toLowerCase()} ${summary(things)} without confirmation; nothing was sent.`,
    `Pass --yes to confirm: ${line}`,
  );
}

/**
 * What a write is about, with the name that the service shows.
 * @throws EduError `not_found` when there is no such item
 */
async function named({ endpoint, input, what }: Write, client: Client, context: Context): Promise<string> {
  const resource = resourceOf(endpoint);
  const get = resource?.endpoints.get;
  if (resource === undefined || get === undefined || input.params === undefined) return what;
  try {
    const item = await client.call(get, { params: input.params } as never, { signal: context.signal });
    const label = excerpt(labelOf(resource, item), 100);
    return label === '' || what.includes(label) ? what : `${what} "${label}"`;
  } catch (error) {
    // What may be deleted need not be visible.
    if (error instanceof EduError && error.kind === 'forbidden') return what;
    throw error;
  }
}

/** Asks before writes that destroy. Several, or one that is for good, are confirmed by typing. */
export async function confirm(spec: WriteSpec, writes: readonly Write[], context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  const client = await context.client();
  const shown: string[] = [];
  for (const write of writes.slice(0, MAX_NAMED)) shown.push(await named(write, client, context));
  const what = summary([...shown, ...writes.slice(MAX_NAMED).map((write) => write.what)]);
  const question = `${spec.act ?? 'Change'} ${what}?${spec.forGood ? ' This cannot be undone.' : ''}`;
  const prompt = await context.prompt();
  const typed = writes.length === 1 ? writes[0]?.typed : String(writes.length);
  const isSure =
    typed === undefined
      ? await prompt.confirm(question)
      : (await prompt.text({ message: `${question} Type ${typed} to confirm:` })).trim() === typed;
  if (!isSure) throw usageError('Not confirmed. Nothing was sent.');
}
