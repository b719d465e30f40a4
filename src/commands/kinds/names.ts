/**
 * Resolves names to IDs for a single command (PRODUCT.md section 2). Texts that cannot be IDs are looked up before the
 * command runs; others are tried as IDs first and looked up if the service does not know them.
 */
import type { Argument, Command, Flag, Value, Values } from '../../cli/command.js';
import { textOf, textsOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { organizationFor } from '../../cli/organization-flags.js';
import { shown } from '../../cli/read-value.js';
import { isKnownId } from '../../client/references/known-id.js';
import { isSurelyName, looksLikeName, mayBeName } from '../../client/references/looks.js';
import type { Found, Match, Scope } from '../../client/references/resolver.js';
import { resourceBehind } from '../../contract/by-reference.js';
import { users } from '../../contract/users.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError, type Problem, usageError } from '../../core/errors.js';
import { FILTER } from './filter-flags.js';
import { userId } from './references.js';

/** A flag or argument that refers to something. */
interface Place {
  readonly name: string;
  readonly refersTo: Referent;
  /** As messages call it: `--book`, `CLASS`. */
  readonly where: string;
  readonly isArgument: boolean;
}

/** A command and its values. */
export interface Line {
  readonly command: Command;
  /** As they were typed: `id:X` says that X is no name. */
  readonly typed: Values;
  /** Whole, with ids in the places of names that were found already. */
  readonly values: Values;
}

const isTypedAsId = ({ typed }: Line, { name }: Place, text: string): boolean =>
  textsOf(typed, name).includes(`id:${text}`);

/** What other references are looked for in is looked up first. */
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

/** What a reference is for certain: its ID if it is a name that exactly one thing has, else the text itself. */
async function known(refersTo: Referent, text: string, context: Context): Promise<Pick<Match, 'id' | 'type'>> {
  if (!looksLikeName(refersTo, text)) return { id: text };
  const found = await (await context.resolver()).find(refersTo, text);
  return found.is === 'one' ? found.match : { id: text };
}

/** The school of the class that a command is about; undefined when no list of classes shows it. */
async function schoolOfClass(command: Command, values: Values, context: Context): Promise<string | undefined> {
  const places = placesOf(command).filter(({ refersTo }) => refersTo === 'class');
  const text = places.map(({ name }) => textOf(values, name)).find((one) => one !== undefined);
  if (text === undefined) return undefined;
  const found = await (await context.resolver()).find('class', text);
  return found.is === 'one' ? found.match.school : undefined;
}

/** Where a name is looked for: what the other values of the command say. */
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
  const user = textOf(values, 'user');
  if (refersTo === 'role' && user !== undefined) {
    const client = await context.client();
    const params = { id: await userId(user, context) };
    return { organization: (await client.call(users.get, { params }, { signal: context.signal })).organization };
  }
  const ofClass = school ?? (refersTo === 'user' ? await schoolOfClass(command, values, context) : undefined);
  if (refersTo === 'user' && ofClass !== undefined) return { organization: { id: ofClass, type: 'School' } };
  return { organization: await organizationFor(values, context) };
}

/** Matches that an error names. */
const MAX_NAMED = 10;

/** One of several things of a name: picked on a terminal. @throws EduError `usage` elsewhere */
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
  const details: Problem[] = matches
    .slice(0, MAX_NAMED)
    .map(({ id, label }) => ({ where: `id:${id}`, message: label }));
  const more = matches.length - details.length;
  throw usageError(`${where} ${shown(text)} matches ${matches.length} ${nouns}.`, 'Give the ID of the one you mean.', [
    ...details,
    ...(more > 0 ? [{ message: `… and ${more} more` }] : []),
  ]);
}

/** The error for a name that nothing has. */
async function notFound(
  found: Extract<Found, { is: 'none' }>,
  text: string,
  { refersTo, where }: Place,
): Promise<EduError> {
  const resource = await resourceBehind(refersTo);
  const noun = resource?.noun[0] ?? refersTo;
  const [last, ...others] = [...found.closest].reverse();
  const meant = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  const hint = last === undefined ? `See: edu ${resource?.name ?? 'schools'} list` : `Did you mean ${meant}?`;
  return new EduError('not_found', `${where}: no ${noun} has the ID or name ${shown(text)}.`, { hint });
}

/** Whether what no list shows may be an id anyway. End users are in no list, and no endpoint shows one. */
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

/** The values with what `replace` finds for their references in the places of these. */
async function replaced(places: readonly Place[], given: Values, replace: Replace): Promise<Values> {
  const values: Record<string, Value | undefined> = { ...given };
  for (const place of places) {
    if (values[place.name] === undefined) continue;
    const ids: string[] = [];
    for (const text of textsOf(values, place.name)) {
      const match = await replace(place, text, values);
      ids.push(match?.id ?? text);
      if (match?.type !== undefined && values['organization-type'] === undefined)
        values['organization-type'] = match.type;
    }
    values[place.name] = Array.isArray(values[place.name]) ? ids : (ids[0] ?? '');
  }
  return values;
}

/** Says that a text is a name or key, and no id. */
const isMarked = (text: string): boolean => /^(name|ean|code):/.test(text);

/**
 * What the service itself judges is tried as an id first: what a command is about, and whose list it reads. What is
 * filtered by, what a create refers to and what is only rehearsed is looked up before.
 */
function isTried({ flags = [], prints }: Command, { name, isArgument }: Place, values: Values): boolean {
  if (name === 'organization') return values['organization-type'] !== undefined;
  if (isArgument) return values['dry-run'] !== true;
  return prints === 'list' && flags.find((flag) => flag.name === name)?.group !== FILTER;
}

/**
 * The values with ids in the places of names.
 * @throws EduError `usage` when a name is that of several things, `not_found` when it is that of none
 */
export async function withIds(command: Command, given: Values, context: Context): Promise<Values> {
  const isSought = (place: Place, text: string): boolean =>
    looksLikeName(place.refersTo, text) &&
    (isMarked(text) || text.startsWith('id:') || !isTried(command, place, given));
  const places = placesOf(command).filter((place) => textsOf(given, place.name).some((text) => isSought(place, text)));
  if (places.length === 0) return given;
  const resolver = await context.resolver();
  return replaced(places, given, async (place, text, values) => {
    if (!isSought(place, text)) return undefined;
    if (text.startsWith('id:')) return { id: text.slice(3), label: text, names: [] };
    const isCertain = isMarked(text) || isSurelyName(text);
    const find = async () =>
      resolver.find(place.refersTo, text, await scopeOf(place.refersTo, command, values, context));
    const found = await find().catch((error: unknown) => {
      // A single word may be an id: lists that cannot be asked for are no reason to send nothing.
      const isHidden = error instanceof EduError && (error.kind === 'not_found' || error.kind === 'forbidden');
      if (!isCertain && isHidden) return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    if (found.is === 'one') return found.match;
    if (found.is === 'several') return pick(found.matches, text, place, context);
    if (!isCertain && (await mayBeId(place, text, found, context))) return undefined;
    throw await notFound(found, text, place);
  });
}

/** What is likely to be a misspelt name: among numbers many are close. */
const HAS_WORD = /\p{L}{3}/u;

/** What the service says of an id that it does not know; some say 403 of everything that is not the caller's. */
export const isUnknownId = (error: unknown): error is EduError =>
  error instanceof EduError && (error.kind === 'not_found' || error.kind === 'forbidden' || error.status === 400);

/** Whether the service knows an id after it refused a request; undefined where that cannot be told. */
async function isKnownTo(
  refersTo: Referent,
  id: string,
  { method }: EduError,
  context: Context,
): Promise<boolean | undefined> {
  // A read that was refused has asked for it already.
  return method === 'GET' ? undefined : isKnownId(refersTo, id, context).catch(() => true);
}

/**
 * After the service did not know an id: the values with ids in the places of names that look like ids.
 * @returns undefined when nothing is a name @throws EduError `usage` when a name is that of several things
 */
export async function withNamesTried(line: Line, context: Context, cause: EduError): Promise<Values | undefined> {
  const { command, values: given } = line;
  const isTriable = (place: Place, text: string): boolean =>
    (cause.kind === 'forbidden' ? looksLikeName : mayBeName)(place.refersTo, text) && !isTypedAsId(line, place, text);
  const places = placesOf(command).filter((place) => textsOf(given, place.name).some((text) => isTriable(place, text)));
  if (places.length === 0) return undefined;
  const resolver = await context.resolver();
  let isChanged = false;
  const values = await replaced(places, given, async (place, text, now) => {
    const { refersTo } = place;
    if (!isTriable(place, text)) return undefined;
    // What is refused may be something else than this id: a look-up that fails is no reason to hide what.
    const isRefused = cause.kind !== 'not_found';
    const isKnown = isRefused ? await isKnownTo(refersTo, text, cause, context) : false;
    if (isKnown) return undefined;
    const found = await resolver
      .find(refersTo, text, await scopeOf(refersTo, command, now, context))
      .catch(() => undefined);
    if (found?.is === 'several') {
      isChanged = true;
      return pick(found.matches, text, place, context);
    }
    if (found?.is === 'none') {
      const isMissing = isRefused
        ? isKnown === false && found.isRead && refersTo !== 'user'
        : found.closest.length > 0 && HAS_WORD.test(text);
      if (isMissing) throw await notFound(found, text, place);
    }
    if (found?.is !== 'one' || found.match.id === text) return undefined;
    isChanged = true;
    return found.match;
  });
  return isChanged ? values : undefined;
}

/**
 * For what no service judges, such as a filter that has kept nothing: the values with ids in the places of names that
 * look like ids.
 * @returns undefined when all references are ids that exist
 * @throws EduError `not_found` when a reference names nothing, `usage` when it names several things
 */
export async function withReferencesChecked(line: Line, context: Context): Promise<Values | undefined> {
  const { command, values: given } = line;
  const resolver = await context.resolver();
  let isChanged = false;
  const values = await replaced(placesOf(command), given, async (place, text, now) => {
    if (place.refersTo === 'organization' || !mayBeName(place.refersTo, text)) return undefined;
    if (await isKnownId(place.refersTo, text, context)) return undefined;
    const found = await resolver.find(place.refersTo, text, await scopeOf(place.refersTo, command, now, context));
    if (isTypedAsId(line, place, text)) {
      if (found.is === 'one' && found.match.id === text) return undefined;
      throw await notFound({ is: 'none', closest: [], isRead: true }, `id:${text}`, place);
    }
    if (found.is === 'several') {
      isChanged = true;
      return pick(found.matches, text, place, context);
    }
    if (found.is === 'none' && found.isRead) throw await notFound(found, text, place);
    if (found.is === 'none' || found.match.id === text) return undefined;
    isChanged = true;
    return found.match;
  });
  return isChanged ? values : undefined;
}
