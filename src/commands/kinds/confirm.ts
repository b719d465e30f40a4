/** Asks for confirmation: before a destructive write, and before a create whose equal exists already. */

import { isActive } from '../../bulk/send/known-row.js';
import { type Command, isOn, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import { equalsIn, namesOf, showingOf } from '../../client/create/find-equal.js';
import type { Client } from '../../client/request/client.js';
import { labelOf, resourceOf } from '../../contract/resource.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, ignoring, isKind, usageError } from '../../core/errors.js';
import { type Call, isDryRun, type Write, type WriteSpec } from './spec.js';

const MAX_NAMED = 10;

/** `licence 1`, or `these 3: licence 1, licence 2, licence 3`. */
function summary(things: readonly string[]): string {
  const names = things.slice(0, MAX_NAMED);
  if (things.length === 1) return names.join('');
  const more = things.length - names.length;
  return `these ${things.length}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The command line with `--yes`, for hints. */
export const confirmedLine = (command: Command, values: Values, { path, globals }: Context): string =>
  commandLine(command, path, values, { ...globals, yes: true });

/**
 * Rejects a destructive command that cannot be confirmed, before any request.
 * @throws EduError `usage` with the command line to run instead
 */
export function requireConsent(command: Command, spec: WriteSpec, values: Values, context: Context): void {
  if (spec.act === undefined || isOn(context.globals, 'yes') || context.canAsk) return;
  const things = (command.arguments ?? []).flatMap(({ name, refersTo }) =>
    textsOf(values, name).map((given) => `${refersTo ?? name} ${given}`),
  );
  throw refusal({
    action: `${spec.act.toLowerCase()} ${summary(things)}`,
    line: confirmedLine(command, values, context),
  });
}

/**
 * Describes the item of a write with its name in the service.
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
    // Users may be allowed to delete items that they may not read.
    if (isKind(error, 'forbidden')) return what;
    throw error;
  }
}

/** Asks for the number of items if there are several, or for the ID of one that cannot be restored. */
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
  if (!isSure) throw notConfirmed();
}

/**
 * Asks once about what the writes do that needs confirmation; a dry run only names it.
 * @throws EduError `usage` when the answer is no, or there is no terminal and no `--yes`
 */
export async function confirmRisks(
  command: Command,
  values: Values,
  writes: readonly Write[],
  context: Context,
): Promise<void> {
  const risks = writes.flatMap(({ risk }) => (risk === undefined ? [] : [risk]));
  if (risks.length === 0) return;
  if (isDryRun(values)) return context.warn(`This would ${risks.join('; ')}.`, true);
  const more = risks.length > MAX_NAMED ? ` and ${risks.length - MAX_NAMED} more` : '';
  const action = `${risks.slice(0, MAX_NAMED).join('; ')}${more}`;
  const question = `${action.replace(/^./, (letter) => letter.toUpperCase())}?`;
  return requireYes({ action, question, line: confirmedLine(command, values, context) }, context);
}

/** @param done the verb of the error: nothing was sent @throws EduError `usage` when the answer is no */
export async function askYes(question: string, context: Context, done = 'sent'): Promise<void> {
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question))) throw notConfirmed(done);
}

const notConfirmed = (done = 'sent'): EduError => usageError(`Not confirmed. Nothing was ${done}.`);

interface Consent {
  /** As in "Refusing to delete 3 items". */
  readonly action: string;
  readonly question: string;
  readonly done?: string;
  /** The command line that needs no confirmation. */
  readonly line?: string;
}

const refusal = ({ action, done = 'sent', line }: Omit<Consent, 'question'>): EduError =>
  usageError(
    `Refusing to ${action} without confirmation; nothing was ${done}.`,
    line === undefined ? 'Pass --yes to confirm.' : `Pass --yes to confirm: ${line}`,
  );

/** Asks, unless `--yes` is given. @throws EduError `usage` when the answer is no, or there is no terminal */
export async function requireYes(consent: Consent, context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  if (!context.canAsk) throw refusal(consent);
  await askYes(consent.question, context, consent.done);
}

const ignoringUnreadable = ignoring('forbidden', 'not_found', 'refused', 'conflict', 'invalid_response');

const isDistinct = ({ endpoint }: Call): boolean => {
  const { recognised, endpoints } = resourceOf(endpoint) ?? {};
  return endpoints?.create === endpoint && recognised?.by === 'equality' && recognised.distinct === true;
};

/** `An equal class c17 exists already`, `Equal classes c17 and c18 exist already`; undefined if none is listed, or the list cannot be read. */
async function findEqual({ endpoint, input }: Call, client: Client, signal: AbortSignal): Promise<string | undefined> {
  const showing = await showingOf(client, endpoint, input, { signal });
  const items = showing && (await equalsIn(showing).catch(ignoringUnreadable))?.filter(isActive);
  if (showing === undefined || items === undefined || items.length === 0) return undefined;
  const names = namesOf(showing, items);
  return items.length === 1 ? `An equal ${names} exists already` : `Equal ${names} exist already`;
}

/** @throws EduError `conflict` without a terminal and without `--yes`; `usage` when the answer is no */
export async function confirmDistinct(writes: readonly Call[], context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  for (const write of writes.filter(isDistinct)) {
    const found = await findEqual(write, await context.client(), context.signal);
    if (found === undefined) continue;
    if (context.canAsk) await askYes(`${found}. Create another one?`, context);
    else throw new EduError('conflict', `${found}. Nothing was sent.`, { hint: 'Pass --yes to create another one.' });
  }
}
