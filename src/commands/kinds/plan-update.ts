/** Plans an update: reads the item, because PUT replaces it, and compares it with a row. */
import { type Flag, isOn, type Value, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ORGANIZATION_FLAGS, organizationFor } from '../../cli/organization-flags.js';
import { problemsError } from '../../cli/parser.js';
import { idsOf } from '../../client/references/id-in.js';
import { idOfItem } from '../../client/references/item-index.js';
import type { Resource } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { dayIn } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { getPath, type JsonObject } from '../../core/json.js';
import { forTable } from '../../output/sanitize.js';
import { fetchItem, inWords, languageOf } from './references.js';
import { comparable, filled, merged } from './request-body.js';
import { compareShown } from './shown-columns.js';
import type { Amend, Write } from './spec.js';

export interface Update {
  readonly resource: Resource;
  readonly endpoint: Endpoint;
  readonly flags: readonly Flag[];
  /** The endpoint has only one field, so that nothing is kept. */
  readonly isSingle: boolean;
  readonly amend: Amend | undefined;
}

interface Wanted {
  readonly id: string;
  readonly values: Values;
  /** For a row of a bulk job, the values of the command line. */
  readonly line?: Values | undefined;
  /** The item, if it was read already. */
  readonly found?: unknown;
}

const fieldOf = ({ body = {} }: Endpoint, { target = '' }: Flag) => body[target.split('.')[1] ?? ''];

/** What an item shows for a flag. */
function shownFor({ kind, readAs = '' }: Flag, present: unknown): unknown {
  const shown = getPath(present, readAs);
  return kind === 'date' ? (dayIn(shown) ?? shown) : shown;
}

/** True for a value that the service shows, as tsv prints it, too, and for one that every request needs and no response has. */
function isAsShown({ endpoint }: Update, flag: Flag, value: Value | undefined, present: unknown): boolean {
  const shown = shownFor(flag, present);
  if (shown === undefined) return fieldOf(endpoint, flag)?.required === true;
  const forms = flag.many ? [idsOf(shown)] : typeof shown === 'string' ? [shown, forTable(shown)] : [shown];
  return forms.some((form) => comparable(value) === comparable(form));
}

/** The flags whose cells in a row are as the service shows the item, and those of all other cells. */
function cellsOf(update: Update, values: Values, present: unknown) {
  const given = update.flags.filter(
    ({ name, changesNothing }) => values[name] !== undefined && changesNothing !== true,
  );
  const [same, changed]: readonly [Flag[], Flag[]] = [[], []];
  for (const flag of given) (isAsShown(update, flag, values[flag.name], present) ? same : changed).push(flag);
  return { same, changed };
}

const mayClear = (flag: string, what: string): string =>
  `The service does not show the ${flag.replaceAll('-', ' ')} of ${what}, so this update may clear it. Pass --${flag} to keep it.`;

/** @throws EduError `usage` for required fields that neither the values nor the service give */
export async function planUpdate(
  update: Update,
  { id, values: given, line, found }: Wanted,
  context: Context,
): Promise<Write> {
  const { resource, endpoint, flags, isSingle, amend } = update;
  const what = `${resource.noun[0]} ${inWords(resource.refersTo, id, context)}`;
  const isRead = !isSingle || line !== undefined;
  const present = isRead ? (found ?? (await fetchItem(resource, id, context, true))) : undefined;
  const { same, changed } = line === undefined ? { same: [], changed: flags } : cellsOf(update, given, present);
  const facts = line === undefined ? {} : compareShown(resource.shape, given, present);
  const input = { params: { id }, ...languageOf(endpoint, context) };
  if (changed.length === 0) return { endpoint, input, what, ...facts, unchanged: present };
  // A cell as the service shows it decides nothing, since it may be trimmed or escaped: the item's own value is sent. A
  // category may be no ID, so that the command line decides.
  const values = { ...given };
  for (const flag of same) {
    const shown = shownFor(flag, present);
    if (fieldOf(endpoint, flag)?.readBack === false) values[flag.name] = line?.[flag.name];
    else if (typeof shown === 'string') values[flag.name] = shown;
    else if (flag.many) values[flag.name] = undefined;
  }
  const { body, problems, unseen } = isRead
    ? merged(flags, endpoint.body ?? {}, values, present)
    : { body: filled('body', flags, values), problems: [], unseen: [] };
  const { body: others, write } = (await amend?.({ values, present, what }, context)) ?? {};
  if (problems.length > 0) throw problemsError(problems, context.path);
  const warnings = [...unseen.map((name) => mayClear(name, what)), ...(write?.warnings ?? [])];
  return { endpoint, input: { ...input, body: { ...body, ...others } }, what, ...write, warnings, ...facts };
}

/**
 * The update that brings an existing item to the values of a create.
 * @throws EduError `usage` for what needs a decision or confirmation
 */
export async function updateExisting(
  update: Update,
  found: JsonObject,
  given: Values,
  context: Context,
): Promise<Write> {
  const id = idOfItem(update.resource, found);
  if (id === undefined) throw usageError('it exists already, without an ID');
  const values: Record<string, Value | undefined> = { ...given };
  // The item stays in its organization, unless the row names another one than the settings.
  const configured = context.configuredOrganization() && (await organizationFor({}, context));
  if (configured?.id === values.organization) for (const { name } of ORGANIZATION_FLAGS) values[name] = undefined;
  const write = await planUpdate(update, { id, values, found }, context);
  const { undecided, risk } = write;
  if (undecided !== undefined) throw undecided.error;
  if (risk !== undefined && !isOn(context.globals, 'yes'))
    throw usageError(`it exists already, and an update would ${risk}: pass --yes to confirm`);
  return write;
}
