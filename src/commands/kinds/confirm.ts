/** Asks for confirmation: before a destructive write, and before a create whose equal exists already. */

import { type Command, isOn, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import { equalsIn, isActive, namesOf, showingOf } from '../../client/create/find-equal.js';
import type { Client } from '../../client/request/client.js';
import { resourceOf } from '../../contract/resource.js';
import { EduError, ignoring, usageError } from '../../core/errors.js';
import { andMore, plural } from '../../core/plural.js';
import { fetchItem } from './references.js';
import type { Call, Loss, Reset, Write, WriteSpec } from './spec.js';

export const ITEMS = ['item', 'items'] as const;

/** `licence 1`, or `these 3: licence 1, licence 2, licence 3`. */
const summary = (things: readonly string[]): string =>
  things.length === 1 ? things.join('') : `these ${things.length}: ${andMore(things)}`;

/** The command line with `--yes`, for hints. Which command writes to its stdin is not known. */
export function confirmedLine(command: Command, values: Values, { path, globals }: Context): string {
  const line = commandLine(command, path, values, { ...globals, yes: true });
  return values.from === '-' ? `COMMAND | ${line}` : line;
}

/** Rejects a destructive command that cannot be confirmed, before any request. @throws EduError `usage` */
export function requireConsent(command: Command, spec: WriteSpec, values: Values, context: Context): void {
  const { act, noun = ITEMS } = spec;
  if (act === undefined || isOn(context.globals, 'yes') || context.canAsk) return;
  const things = (command.arguments ?? []).flatMap(({ name }) => textsOf(values, name));
  throw refusal({
    action: `${act.toLowerCase()} ${things.length === 1 ? `${noun[0]} ${things[0]}` : plural(things.length, ...noun)}`,
    line: confirmedLine(command, values, context),
  });
}

/**
 * The item of a write in the service; undefined if it may not be read, because it may be deleted all the same.
 * @throws EduError `not_found` when there is no such item
 */
async function itemOf({ endpoint, input }: Call, context: Context): Promise<unknown> {
  const resource = resourceOf(endpoint);
  const id = input.params?.id;
  if (resource?.endpoints.get === undefined || typeof id !== 'string') return undefined;
  return fetchItem(resource, id, context).catch(ignoring('forbidden'));
}

/** Adds up the losses. @param counts of each item that was read */
const sumsOf = (counts: readonly (readonly number[])[]): readonly number[] =>
  (counts[0] ?? []).map((_, index) => counts.reduce((sum, one) => sum + (one[index] ?? 0), 0));

/** `Cancel 3 items? 28 of 90 seats are in use.` @param counts of each item that was read */
export function destroyQuestion(
  { act = 'Change', forGood, loss }: WriteSpec,
  what: string,
  counts: readonly (readonly number[])[] = [],
): string {
  const lost = loss === undefined || counts.length === 0 ? undefined : loss.say(sumsOf(counts));
  return [`${act} ${what}?`, lost ?? (forGood ? 'This cannot be undone.' : [])].flat().join(' ');
}

/** What each write takes away from an item that can be read. */
export async function lossesOf({ countsOf }: Loss, writes: readonly Call[], context: Context) {
  const items = await Promise.all(writes.map((write) => itemOf(write, context)));
  return items.filter((item) => item !== undefined).map(countsOf);
}

/** Asks for the number of items if there are several, or for the ID of one that cannot be restored. */
export async function confirm(spec: WriteSpec, writes: readonly Write[], context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  const counts = spec.loss && (await lossesOf(spec.loss, writes, context));
  const question = destroyQuestion(spec, summary(writes.map(({ what }) => what)), counts);
  const typed = writes.length === 1 ? writes[0]?.typed : String(writes.length);
  if (typed === undefined) return askYes(question, context);
  const message = `${question} Type ${typed} to confirm:`;
  if ((await (await context.prompt()).text({ message })).trim() !== typed) throw notConfirmed();
}

/**
 * Asks once about what writes do that needs confirmation; a dry run only names it.
 * @param risks with the line of the input, in a bulk job
 * @param line the command line that needs no confirmation
 * @throws EduError `usage` when the answer is no, or there is no terminal and no `--yes`
 */
export async function confirmRisks(
  risks: readonly { readonly risk: string; readonly line?: number }[],
  isDry: boolean,
  line: string,
  context: Context,
): Promise<void> {
  const [first, ...others] = risks;
  if (first === undefined) return;
  const where = first.line === undefined ? '' : ` (line ${first.line})`;
  const action = `${first.risk}${where}${others.length === 0 ? '' : `, and the same for ${others.length} more`}`;
  if (isDry) return context.warn(`This would ${action}.`);
  await requireYes({ action, question: `${action.replace(/^./, (letter) => letter.toUpperCase())}?`, line }, context);
}

/** @param done the verb of the error: nothing was sent @throws EduError `usage` when the answer is no */
export async function askYes(question: string, context: Context, done = 'sent'): Promise<void> {
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question))) throw notConfirmed(done);
}

const notConfirmed = (done = 'sent'): EduError => usageError(`Not confirmed. Nothing was ${done}.`);

/** Asks about a property that an update may reset. @returns the flag that decides @throws EduError `usage` */
export async function askReset({ flag, keep, what }: Reset, message: string, context: Context): Promise<Values> {
  const prompt = await context.prompt();
  const choices = [
    { name: `Keep it, by giving the ID of the ${what}`, value: keep },
    { name: 'Reset it to the default', value: flag },
    { name: 'Stop: send nothing', value: '' },
  ];
  const answer = await prompt.select(message, choices, '');
  if (answer === '') throw notConfirmed();
  if (answer === flag) return { [flag]: true };
  const validate = (typed: string): true | string => typed.trim() !== '' || 'a value is needed';
  return { [keep]: (await prompt.text({ message: `ID of the ${what} (--${keep}):`, validate })).trim() };
}

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

const isDistinct = ({ endpoint }: Call): boolean => {
  const { recognised, endpoints } = resourceOf(endpoint) ?? {};
  return endpoints?.create === endpoint && recognised?.by === 'equality' && recognised.distinct === true;
};

/**
 * @returns `An equal class c17 exists already`, `Equal classes c17 and c18 exist already`, or nothing if none is listed;
 *   undefined if the caller may not read the list
 */
async function findEqual({ endpoint, input }: Call, client: Client, signal: AbortSignal): Promise<string | undefined> {
  const showing = await showingOf(client, endpoint, input, { signal });
  const items =
    showing && (await equalsIn(showing).catch(ignoring('forbidden', 'not_found', 'refused')))?.filter(isActive);
  if (showing === undefined || items === undefined) return undefined;
  if (items.length === 0) return '';
  const names = namesOf(showing, items);
  return items.length === 1 ? `An equal ${names} exists already` : `Equal ${names} exist already`;
}

/**
 * Asks before an item is created that equals a listed one; a dry run only names that one.
 * @throws EduError `conflict` without a terminal and without `--yes`; `usage` when the answer is no
 */
export async function confirmDistinct(
  writes: readonly (Call & Pick<Write, 'hasOwnKey'>)[],
  isDry: boolean,
  context: Context,
): Promise<void> {
  if (isOn(context.globals, 'yes') && !isDry) return;
  for (const write of writes.filter(isDistinct)) {
    const found = await findEqual(write, await context.client(), context.signal);
    if (found === '') write.hasOwnKey = true;
    if (!found) continue;
    if (isDry) await context.warn(`${found}.`);
    else if (context.canAsk) await askYes(`${found}. Create another one?`, context);
    else throw new EduError('conflict', `${found}. Nothing was sent.`, { hint: 'Pass --yes to create another one.' });
  }
}
