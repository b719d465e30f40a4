/**
 * Resolves names to IDs for a single command (PRODUCT.md section 2). Texts that cannot be IDs, and what a write is
 * about, are looked up before the command runs; others are tried as IDs first and looked up if the service does not know
 * them.
 */
import { type Argument, type Command, type Flag, textOf, textsOf, type Value, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { organizationFor } from '../../cli/organization-flags.js';
import { shown } from '../../cli/read-value.js';
import { isKnownId } from '../../client/references/known-id.js';
import { isSurelyName, looksLikeName, mayBeName } from '../../client/references/looks.js';
import type { Found, Listed, Match, Scope } from '../../client/references/resolver.js';
import { resourceBehind } from '../../contract/by-reference.js';
import { user, users } from '../../contract/users.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError, firstProblems, isKind, usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import { FILTER } from './filter-flags.js';
import { idFor } from './references.js';

interface Place {
  readonly name: string;
  readonly refersTo: Referent;
  /** Its name in messages: `--book`, `CLASS`. */
  readonly where: string;
  readonly isArgument: boolean;
}

export interface Line {
  readonly command: Command;
  /** The values before resolution; `id:X` marks X as an ID. */
  readonly typed: Values;
  /** The complete values, with the IDs of names that are already resolved. */
  readonly values: Values;
}

const isTypedAsId = ({ typed }: Line, { name }: Place, text: string): boolean =>
  textsOf(typed, name).includes(`id:${text}`);

/** These are resolved first, because other names are searched in them. */
const ORDER: readonly Referent[] = ['organization', 'school', 'user'];

const rank = ({ refersTo }: Place): number => (ORDER.includes(refersTo) ? ORDER.indexOf(refersTo) : ORDER.length);

function placesOf({ flags = [], arguments: args = [] }: Pick<Command, 'flags' | 'arguments'>): readonly Place[] {
  const place = (one: Flag | Argument, where: string, isArgument: boolean): readonly Place[] =>
    one.refersTo === undefined ? [] : [{ name: one.name, refersTo: one.refersTo, where, isArgument }];
  return [
    ...args.flatMap((one) => place(one, one.name.toUpperCase(), true)),
    ...flags.flatMap((one) => place(one, `--${one.name}`, false)),
  ].sort((a, b) => rank(a) - rank(b));
}

/** Resolves a name that exactly one item has; returns any other text unchanged. */
async function known(refersTo: Referent, text: string, context: Context): Promise<Pick<Match, 'id' | 'type'>> {
  if (!looksLikeName(refersTo, text)) return { id: text };
  const found = await (await context.resolver()).find(refersTo, text);
  return found.is === 'one' ? found.match : { id: text };
}

/** The school of the command's class; undefined if no list of classes contains it. */
async function schoolOfClass(command: Command, values: Values, context: Context): Promise<string | undefined> {
  const places = placesOf(command).filter(({ refersTo }) => refersTo === 'class');
  const text = places.map(({ name }) => textOf(values, name)).find((one) => one !== undefined);
  if (text === undefined) return undefined;
  const found = await (await context.resolver()).find('class', text);
  return found.is === 'one' ? found.match.school : undefined;
}

/** The organization or school to search for a name, from the other values of the command. */
export async function scopeOf(refersTo: Referent, command: Command, values: Values, context: Context): Promise<Scope> {
  const given = textOf(values, 'school') ?? textOf(values, 'school-id');
  const school = given === undefined ? undefined : (await known('school', given, context)).id;
  if (refersTo === 'class') return { school };
  if (refersTo !== 'user' && refersTo !== 'role') return {};
  const organization = textOf(values, 'organization');
  if (organization !== undefined) {
    const { id, type } = await known('organization', organization, context);
    const typed = type === undefined ? values : { ...values, 'organization-type': type };
    return { organization: await organizationFor({ ...typed, organization: id }, context) };
  }
  const person = textOf(values, 'user');
  if (refersTo === 'role' && person !== undefined) {
    const client = await context.client();
    const params = { id: await idFor(user, person, context) };
    return { organization: (await client.call(users.get, { params }, { signal: context.signal })).organization };
  }
  const ofClass = school ?? (refersTo === 'user' ? await schoolOfClass(command, values, context) : undefined);
  if (refersTo === 'user' && ofClass !== undefined) return { organization: { id: ofClass, type: 'School' } };
  return { organization: await organizationFor(values, context) };
}

const MAX_NAMED = 10;

/** Lets the user choose among items of the same name. @throws EduError `usage` if there is no terminal */
async function pick(
  matches: readonly Match[],
  text: string,
  { refersTo, where }: Place,
  context: Context,
): Promise<Match> {
  const nouns = (await resourceBehind(refersTo))?.noun[1] ?? 'organizations';
  if (context.canAsk) {
    const { forPeople } = await import('../../output/sanitize.js');
    const choices = matches.map((match) => ({ name: forPeople(`${match.label}  ${match.id}`), value: match }));
    return (await context.prompt()).select(
      `${matches.length} ${nouns} are called ${forPeople(text)}. Which one?`,
      choices,
    );
  }
  const details = matches.map(({ id, label }) => ({ where: `id:${id}`, message: label }));
  throw usageError(
    `${where} ${shown(text)} matches ${matches.length} ${nouns}.`,
    'Give the ID of the one you mean.',
    firstProblems(details, MAX_NAMED),
  );
}

async function notFound(
  found: Extract<Found, { is: 'none' }>,
  text: string,
  { refersTo, where }: Place,
): Promise<EduError> {
  const resource = await resourceBehind(refersTo);
  const noun = resource?.noun[0] ?? refersTo;
  const [last, ...others] = [...found.closest].reverse();
  const meant = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  const hint =
    last === undefined ? `See: ${shellLine('edu', resource?.name ?? 'schools', 'list')}` : `Did you mean ${meant}?`;
  return new EduError('not_found', `${where}: no ${noun} has the ID or name ${shown(text)}.`, { hint });
}

/** For a name that cannot be looked up: staff of a school, for example, may not list its classes. */
async function unlisted({ refersTo, where }: Place, text: string): Promise<EduError> {
  const [noun, nouns] = (await resourceBehind(refersTo))?.noun ?? ['organization', 'organizations'];
  const hint =
    refersTo === 'class'
      ? 'Only the owner of a school can list its classes. Give classes by ID, or list those of a user: ' +
        'edu classes list --user USER'
      : `You may not list ${nouns}. Give the ${noun} by ID.`;
  const message = `${where}: no ${noun} has the ID ${shown(text)}, and there is no list to look up a name in.`;
  return new EduError('not_found', message, { hint });
}

/** Returns true if a text that no list contains may still be an ID. No list or endpoint returns end users. */
async function mayBeId(
  { refersTo }: Place,
  text: string,
  found: Extract<Found, { is: 'none' }>,
  context: Context,
): Promise<boolean> {
  if (refersTo === 'user') return found.closest.length === 0;
  return !found.isRead || (await isKnownId(refersTo, text, context)) !== false;
}

type Replace = (place: Place, text: string, values: Values) => Promise<Match | undefined>;

/** Replaces the references in these places by the IDs that `replace` finds; undefined if it finds none. */
async function replaced(places: readonly Place[], given: Values, replace: Replace): Promise<Values | undefined> {
  const values: Record<string, Value | undefined> = { ...given };
  let isChanged = false;
  for (const place of places) {
    if (values[place.name] === undefined) continue;
    const ids: string[] = [];
    for (const text of textsOf(values, place.name)) {
      const match = await replace(place, text, values);
      isChanged ||= match !== undefined;
      ids.push(match?.id ?? text);
      if (match?.type !== undefined && values['organization-type'] === undefined)
        values['organization-type'] = match.type;
    }
    values[place.name] = Array.isArray(values[place.name]) ? ids : (ids[0] ?? '');
  }
  return isChanged ? values : undefined;
}

async function find({ refersTo }: Place, text: string, command: Command, values: Values, context: Context) {
  const scope = await scopeOf(refersTo, command, values, context);
  return (await context.resolver()).find(refersTo, text, scope);
}

/** Returns true if a prefix marks the text as a name or key. */
const isMarked = (text: string): boolean => /^(name|ean|code):/.test(text);

/**
 * Returns true if a text is tried as an ID first, because the service will reject an unknown one: the item of a command,
 * or the owner of a list. Filters, references in creates and dry runs are resolved before.
 */
function isTried({ flags = [], prints }: Command, { name, isArgument }: Place, values: Values): boolean {
  if (name === 'organization') return values['organization-type'] !== undefined;
  if (isArgument) return values['dry-run'] !== true;
  return prints === 'list' && flags.find((flag) => flag.name === name)?.group !== FILTER;
}

/**
 * Resolves the item of a write before it is sent: a service may accept any text in a body, and an ambiguous name must end
 * with nothing sent. A text that may be an ID all the same is left to the service.
 */
async function writtenTo(place: Place, text: string, command: Command, values: Values, context: Context) {
  if (await isKnownId(place.refersTo, text, context).catch(() => true)) return undefined;
  const found = await find(place, text, command, values, context).catch((error: unknown) => {
    if (isSurelyName(text)) throw error;
    return undefined;
  });
  if (found?.is === 'several') return pick(found.matches, text, place, context);
  if (found?.is === 'none' && found.isRead && isSurelyName(text)) throw await notFound(found, text, place);
  return found?.is === 'one' ? found.match : undefined;
}

/**
 * Resolves texts that cannot be IDs, and those that are not tried as IDs first.
 * @throws EduError `usage` for an ambiguous name, `not_found` for an unknown one
 */
export async function withIds(command: Command, given: Values, context: Context): Promise<Values> {
  const isWrite = command.flags?.some(({ name }) => name === 'dry-run');
  const values = await replaced(placesOf(command), given, async (place, text, now) => {
    if (!looksLikeName(place.refersTo, text)) return undefined;
    if (text.startsWith('id:')) return { id: text.slice(3), label: text, names: [] };
    if (!isMarked(text) && isTried(command, place, given))
      return isWrite && place.isArgument ? writtenTo(place, text, command, now, context) : undefined;
    const isCertain = isMarked(text) || isSurelyName(text);
    const found = await find(place, text, command, now, context).catch((error: unknown) => {
      // The text may be an ID, so the request is sent even if the lists cannot be read.
      if (!isCertain && isKind(error, 'not_found', 'forbidden')) return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    if (found.is === 'one') return found.match;
    if (found.is === 'several') return pick(found.matches, text, place, context);
    if (!isCertain && (await mayBeId(place, text, found, context))) return undefined;
    throw await (found.isRead ? notFound(found, text, place) : unlisted(place, text));
  });
  return values ?? given;
}

/** Only a text with a word can be a misspelt name: many numbers are similar to each other. */
const HAS_WORD = /\p{L}{3}/u;

/** Returns true for the service's error for an unknown ID; some services return 403 for items of others. */
export const isUnknownId = (error: unknown): error is EduError =>
  isKind(error, 'not_found', 'forbidden') || (error instanceof EduError && error.status === 400);

/** Returns whether the service knows an ID after it rejected a request; undefined if it cannot be determined. */
async function isKnownTo(
  refersTo: Referent,
  id: string,
  { method, status }: EduError,
  context: Context,
): Promise<boolean | undefined> {
  if (method !== 'GET') return isKnownId(refersTo, id, context).catch(() => true);
  // The rejected read was already a request for this ID. For `GET classes/:id`, the API document has 400 but no 404.
  const get = (await resourceBehind(refersTo))?.endpoints.get;
  return status === 400 && get?.errors.includes(404) === false ? false : undefined;
}

/**
 * Resolves names that look like IDs, after the service rejected them as IDs.
 * @returns undefined if none is a name
 * @throws EduError `usage` for an ambiguous name
 */
export async function withNamesTried(line: Line, context: Context, cause: EduError): Promise<Values | undefined> {
  const { command, values: given } = line;
  const mayName = cause.kind === 'forbidden' ? looksLikeName : mayBeName;
  return replaced(placesOf(command), given, async (place, text, now) => {
    const { refersTo } = place;
    if (!mayName(refersTo, text) || isTypedAsId(line, place, text)) return undefined;
    // The rejection may have another reason than this ID, so a failed look-up must not hide it.
    const isRefused = cause.kind !== 'not_found';
    const isKnown = isRefused ? await isKnownTo(refersTo, text, cause, context) : false;
    if (isKnown) return undefined;
    const found = await find(place, text, command, now, context).catch((error: unknown) => {
      // Without the list, "not found" would be a guess, on which a script may create a second item.
      if (!isRefused && looksLikeName(refersTo, text)) throw error;
      return undefined;
    });
    if (found?.is === 'several') return pick(found.matches, text, place, context);
    if (found?.is === 'none') {
      const isName = refersTo === 'class' || isSurelyName(text);
      if (isName && isKnown === false && !found.isRead) throw await unlisted(place, text);
      const isMissing = isRefused
        ? isKnown === false && found.isRead && refersTo !== 'user'
        : found.closest.length > 0 && HAS_WORD.test(text);
      if (isMissing) throw await notFound(found, text, place);
    }
    return found?.is === 'one' && found.match.id !== text ? found.match : undefined;
  });
}

/**
 * Resolves names that look like IDs where the service does not check them, as in a filter that has matched nothing.
 * @param isReference which texts to resolve
 * @returns undefined if all references are existing IDs
 * @throws EduError `not_found` for an unknown reference, `usage` for an ambiguous one
 */
export async function withReferencesChecked(
  line: Line,
  context: Context,
  isReference = mayBeName,
): Promise<Values | undefined> {
  const { command, values: given } = line;
  return replaced(placesOf(command), given, async (place, text, now) => {
    if (place.refersTo === 'organization' || !isReference(place.refersTo, text)) return undefined;
    if (await isKnownId(place.refersTo, text, context)) return undefined;
    const found = await find(place, text, command, now, context);
    if (isTypedAsId(line, place, text)) {
      if (found.is === 'one' && found.match.id === text) return undefined;
      throw await notFound({ is: 'none', closest: [], isRead: true }, `id:${text}`, place);
    }
    if (found.is === 'several') return pick(found.matches, text, place, context);
    if (found.is === 'none' && found.isRead) throw await notFound(found, text, place);
    return found.is === 'one' && found.match.id !== text ? found.match : undefined;
  });
}

/**
 * Lists the items visible to the caller, in the organization, school or class that the other values name.
 * @returns undefined when the service has no list of them
 */
export async function referents(
  refersTo: Referent,
  command: Command,
  values: Values,
  context: Context,
  maxItems: number,
): Promise<Listed | undefined> {
  const scope = await scopeOf(refersTo, command, values, context);
  return (await context.resolver()).list(refersTo, scope, maxItems);
}

/** An item on one line: label, other names, ID. */
export const lineOf = ({ id, label, names }: Match): string =>
  [label, ...names.map((name) => name.replace(/^code:/, '')).filter((name) => !label.includes(name)), id].join('  ');
