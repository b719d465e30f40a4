/** Replaces the references on a command line by IDs before anything is sent, `--dry-run` included. */
import { type Argument, type Command, type Flag, isOn, textsOf, type Value, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import { choicesAmong, describeMissing, nounsOf, placeOf } from '../../client/references/reference-messages.js';
import type { Found, Listed, Match, Scope } from '../../client/references/resolver.js';
import { type Place, scopeFor } from '../../client/references/scope.js';
import { resourcesBehind } from '../../contract/by-reference.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError, firstProblems, isKind, usageError } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { forPeople } from '../../output/sanitize.js';
import type { Choice } from '../../output/terminal/prompt.js';
import { noteResolved } from './references.js';

interface WrittenPlace extends Place {
  /** Its name in messages: `--book`, `CLASS`. */
  readonly where: string;
  readonly isArgument: boolean;
  /** True if one text contains several references. */
  readonly isList: boolean;
}

/** These are resolved first, because other names are looked up in them. */
const ORDER: readonly Referent[] = ['organization', 'school'];

const rank = ({ refersTo }: Place): number => (ORDER.includes(refersTo) ? ORDER.indexOf(refersTo) : ORDER.length);

type Places = Pick<Command, 'flags' | 'arguments'>;

function placesOf({ flags = [], arguments: args = [] }: Places): readonly WrittenPlace[] {
  const place = (one: Flag | Argument, where: string, isArgument: boolean): readonly WrittenPlace[] =>
    one.refersTo === undefined
      ? []
      : [{ name: one.name, refersTo: one.refersTo, where, isArgument, isList: !isArgument && one.many === true }];
  return [
    ...args.flatMap((one) => place(one, one.name.toUpperCase(), true)),
    ...flags.flatMap((one) => place(one, `--${one.name}`, false)),
  ].sort((a, b) => rank(a) - rank(b));
}

const MAX_NAMED = 10;
/** Max number of organizations in which users are looked up at the same time. */
const CONCURRENCY = 6;
const MAX_CLOSEST = 3;

/** Lets the user choose among items of the same name. @throws EduError `usage` if there is no terminal */
async function pick(
  matches: readonly Match[],
  text: string,
  { refersTo, where }: WrittenPlace,
  context: Context,
): Promise<Match> {
  const [, nouns] = await nounsOf(refersTo);
  const choices = await choicesAmong(matches, await context.resolver());
  if (context.canAsk) {
    return (await context.prompt()).select(
      `${matches.length} ${nouns} are called ${forPeople(text)}. Which one?`,
      choices.map(({ line, match }) => ({ name: forPeople(line), value: match })),
    );
  }
  const details = choices.map(({ match: { id }, message }) => ({ where: `id:${id}`, message }));
  throw usageError(
    `${where} ${shown(text)} matches ${matches.length} ${nouns}.`,
    'Give the ID of the one you mean.',
    firstProblems(details, MAX_NAMED),
  );
}

/** The users of a name in all organizations that the caller owns, and similar names. */
async function usersCalled(text: string, context: Context) {
  const { find, list } = await context.resolver();
  const { matches: owned = [] } = (await list('organization', {}, Number.POSITIVE_INFINITY)) ?? {};
  const choices: Choice<Match>[] = [];
  const closest: string[] = [];
  const unread: string[] = [];
  await forEachConcurrently(owned, CONCURRENCY, async ({ id, type, label }) => {
    if (type === undefined) return;
    const found = await find('user', `name:${text.replace(/^\s*name:/, '')}`, { organization: { id, type } });
    if (found.is === 'none') closest.push(...found.closest);
    if (found.is === 'none' && !found.isRead) unread.push(`the users of ${label} (${id})`);
    const several = found.is === 'several' ? found.matches : [];
    for (const value of found.is === 'one' ? [found.match] : several)
      choices.push({ name: forPeople(`${value.label}  ${value.id}  in ${label} (${id})`), value });
  });
  choices.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { choices, closest: closest.toSorted().slice(0, MAX_CLOSEST), unread: unread.sort() };
}

/** True for an address, which the service looks up everywhere. */
const isKey = async (text: string): Promise<boolean> =>
  (await resourcesBehind('user')).some(({ written }) => written.some(({ form }) => form?.test(text) === true));

async function missingError(
  found: Exclude<Found, { is: 'one' | 'several' }>,
  text: string,
  scope: Scope,
  { refersTo, where, isArgument, isList }: WrittenPlace,
): Promise<EduError> {
  // Without a list, the service's own words about the ID tell more.
  if (found.is === 'none' && !found.isRead && found.cause?.kind === 'refused') return found.cause;
  const { message, hint: advice } = await describeMissing(refersTo, text, found, scope);
  const hasComma = isList && found.is === 'none' && found.closest.some((name) => name.includes(','));
  const hint = hasComma ? `${advice}\nIn a list, write a comma of a name as \\,` : advice;
  const kind = found.is === 'hidden' ? 'forbidden' : 'not_found';
  if (!isArgument) return new EduError(kind, `${where}: ${message}.`, { hint });
  const cause = found.is === 'none' ? found.cause : undefined;
  return new EduError(kind, message, { ...cause, isReason: true, details: [], hint, cause });
}

/** @throws EduError `usage` for an ambiguous name, `not_found` for an unknown one, `forbidden` for a hidden key */
async function resolveOne(place: WrittenPlace, text: string, values: Values, context: Context): Promise<Match> {
  if (/^\s*(?:id|name|code|ean):\s*$/.test(text))
    throw usageError(`${place.where} ${shown(text)} is empty.`, 'Write the ID, code or name after the colon.');
  const { find } = await context.resolver();
  const scope = await scopeFor(place, values, find);
  const found = await find(place.refersTo, text, scope);
  if (found.is === 'one') return found.match;
  if (found.is === 'several') return pick(found.matches, text, place, context);
  const isOpen = found.is === 'none' && place.refersTo === 'user' && scope.organization === undefined;
  if (!isOpen || !context.canAsk || /^\s*id:/.test(text) || (await isKey(text)))
    throw await missingError(found, text, scope, place);
  const { choices, ...missing } = await context.during('Looking in all organizations', usersCalled(text, context));
  if (choices.length === 0) throw await missingError({ ...found, ...missing, isEverywhere: true }, text, scope, place);
  for (const what of missing.unread) await context.warn(`Cannot list ${what}.`);
  const message = `Your organization has no user called ${forPeople(text)}. Which one is meant?`;
  return (await context.prompt()).select(message, choices);
}

/** Replaces references by IDs, and adds the type of an organization. @throws EduError like `resolveOne` */
export const resolveValues = (command: Places, given: Values, context: Context): Promise<Values> =>
  context.during('Looking up references', resolveAll(command, given, context));

async function resolveAll(command: Places, given: Values, context: Context): Promise<Values> {
  const values: Record<string, Value | undefined> = { ...given };
  // The response to a write tells whether a user exists.
  const isSent = command.flags?.some(({ name }) => name === 'dry-run') === true && !isOn(values, 'dry-run');
  for (const place of placesOf(command)) {
    const { name, refersTo } = place;
    if (values[name] === undefined) continue;
    const ids: string[] = [];
    const texts = textsOf(values, name);
    for (const text of texts) {
      const match = await resolveOne(place, text, values, context).catch(async (error) => {
        const others = texts.filter((one) => one !== text);
        if (!place.isArgument || others.length === 0 || !isKind(error, 'not_found')) throw error;
        const { commandLine } = await import('../../cli/format-line.js');
        // As after an interrupted deletion.
        const line = commandLine(command, context.path, { ...given, [name]: others }, context.globals);
        throw error.with({ hint: `${error.hint}\nNothing was sent. For the others: ${line}` });
      });
      noteResolved(refersTo, text, match, context);
      if (match.isUnseen && !isSent)
        await context.warn(`No user that you may see is ${shown(text)}; it is used as the ID of an end user.`);
      ids.push(match.id);
      if (name === 'organization' && match.type !== undefined) values['organization-type'] ??= match.type;
    }
    // One item can be given by ID and by code.
    values[name] = Array.isArray(values[name]) ? [...new Set(ids)] : (ids[0] ?? '');
  }
  return values;
}

/** The items visible to the caller where the other values look; undefined if the service has no list of them. */
export async function referents(
  place: Place,
  values: Values,
  context: Context,
  maxItems: number,
): Promise<Listed | undefined> {
  const { find, list } = await context.resolver();
  return list(place.refersTo, await scopeFor(place, values, find), maxItems);
}

/** If there are more items, the user types the ID or name. */
const MAX_CHOICES = 5000;

/** Errors that any other request would meet, too. */
const HOPELESS = ['interrupted', 'terminated', 'unauthenticated', 'unreachable', 'usage'] as const;

export interface Choices {
  readonly choices: readonly Choice<string>[];
  readonly isOpen: boolean;
  /** Where the items were looked up, if there may be more elsewhere: `in your organization only`. */
  readonly where?: string | undefined;
}

async function fromService(
  { name, refersTo }: Flag | Argument,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if (refersTo === undefined) return undefined;
  const listed = await referents({ name, refersTo }, values, context, MAX_CHOICES);
  const [, nouns] = await nounsOf(refersTo);
  const where = listed && (await placeOf(refersTo, listed));
  if (listed === undefined && (await resourcesBehind(refersTo)).some(({ endpoints }) => endpoints.list !== undefined))
    await context.warn(`Cannot list ${nouns} to choose from.`);
  if (listed?.isCut === true)
    await context.say(`There are more than ${MAX_CHOICES} to choose from. Type the ID or name.`);
  else if (listed?.matches.length === 0)
    await context.say(`There are no ${nouns} to choose from${where === undefined ? '' : ` (${where})`}.`);
  if (listed === undefined || listed.isCut || listed.matches.length === 0) return undefined;
  const lines = await choicesAmong(listed.matches, await context.resolver());
  const choices = lines.map(({ line, match }) => ({ name: forPeople(line), value: match.id }));
  // The list lacks end users and users of other organizations.
  return { choices, isOpen: refersTo === 'user', where };
}

/**
 * Returns undefined if the user has to type the value, as when the list cannot be read.
 * @throws EduError if what is typed could not be sent either
 */
export async function choicesFor(
  place: Flag | Argument,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if ('choices' in place && place.choices !== undefined && !place.open) {
    return { choices: place.choices.map((choice) => ({ name: String(choice), value: String(choice) })), isOpen: false };
  }
  try {
    return await context.during('Loading the choices', fromService(place, values, context));
  } catch (error) {
    if (!(error instanceof Error) || isKind(error, ...HOPELESS)) throw error;
    await context.warn(`Cannot list the choices: ${error.message}`);
    return undefined;
  }
}
