/** Replaces the references on a command line by IDs before anything is sent, `--dry-run` included (PRODUCT.md section 2). */
import { type Argument, type Command, type Flag, textsOf, type Value, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import { choicesAmong, describeMissing, lineOf, nounsOf } from '../../client/references/reference-messages.js';
import type { Found, Listed, Match } from '../../client/references/resolver.js';
import { type Place, scopeFor } from '../../client/references/scope.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError, firstProblems, usageError } from '../../core/errors.js';
import type { Choice } from '../../output/terminal/prompt.js';
import { noteResolved } from './references.js';

interface WrittenPlace extends Place {
  /** Its name in messages: `--book`, `CLASS`. */
  readonly where: string;
  readonly isArgument: boolean;
}

/** These are resolved first, because other names are looked up in them. */
const ORDER: readonly Referent[] = ['organization', 'school'];

const rank = ({ refersTo }: Place): number => (ORDER.includes(refersTo) ? ORDER.indexOf(refersTo) : ORDER.length);

function placesOf({ flags = [], arguments: args = [] }: Pick<Command, 'flags' | 'arguments'>): readonly WrittenPlace[] {
  const place = (one: Flag | Argument, where: string, isArgument: boolean): readonly WrittenPlace[] =>
    one.refersTo === undefined ? [] : [{ name: one.name, refersTo: one.refersTo, where, isArgument }];
  return [
    ...args.flatMap((one) => place(one, one.name.toUpperCase(), true)),
    ...flags.flatMap((one) => place(one, `--${one.name}`, false)),
  ].sort((a, b) => rank(a) - rank(b));
}

const MAX_NAMED = 10;

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
    const { forPeople } = await import('../../output/sanitize.js');
    return (await context.prompt()).select(
      `${matches.length} ${nouns} are called ${forPeople(text)}. Which one?`,
      choices.map((choice) => ({ name: forPeople(`${choice.message}  ${choice.id}`), value: choice })),
    );
  }
  const details = choices.map(({ id, message }) => ({ where: `id:${id}`, message }));
  throw usageError(
    `${where} ${shown(text)} matches ${matches.length} ${nouns}.`,
    'Give the ID of the one you mean.',
    firstProblems(details, MAX_NAMED),
  );
}

async function missingError(
  found: Exclude<Found, { is: 'one' | 'several' }>,
  text: string,
  { refersTo, where, isArgument }: WrittenPlace,
): Promise<EduError> {
  // Without a list, the service's own words about the ID tell more.
  if (found.is === 'none' && !found.isRead && found.cause?.kind === 'refused') return found.cause;
  const { message, hint } = await describeMissing(refersTo, text, found);
  if (found.is === 'hidden') return new EduError('forbidden', `${where}: ${message}.`, { hint });
  const { status, method, path, requestId } = found.cause ?? {};
  return isArgument
    ? new EduError('not_found', message, { hint, status, method, path, requestId, cause: found.cause })
    : new EduError('not_found', `${where}: ${message}.`, { hint });
}

/**
 * Finds the item that a text means.
 * @throws EduError `usage` for an ambiguous name, `not_found` for an unknown one, `forbidden` for a hidden key
 */
async function resolveOne(place: WrittenPlace, text: string, values: Values, context: Context): Promise<Match> {
  if (/^\s*(?:id|name|code|ean):\s*$/.test(text))
    throw usageError(`${place.where} ${shown(text)} is empty.`, 'Write the ID, code or name after the colon.');
  const { find } = await context.resolver();
  const lookUp = async (): Promise<Found> => find(place.refersTo, text, await scopeFor(place, values, find));
  const found = await context.during('Looking up references', lookUp());
  if (found.is === 'several') return pick(found.matches, text, place, context);
  if (found.is !== 'one') throw await missingError(found, text, place);
  return found.match;
}

/**
 * Returns the values with references replaced by IDs, and the type of a referenced organization.
 * @throws EduError like `resolveOne`
 */
export async function resolveValues(command: Command, given: Values, context: Context): Promise<Values> {
  const values: Record<string, Value | undefined> = { ...given };
  const isWrite = command.flags?.some(({ name }) => name === 'dry-run') === true;
  for (const place of placesOf(command)) {
    const { name, refersTo } = place;
    if (values[name] === undefined) continue;
    const ids: string[] = [];
    for (const text of textsOf(values, name)) {
      const match = await resolveOne(place, text, values, context);
      noteResolved(refersTo, text, match, context);
      if (match.isUnseen && !isWrite)
        await context.warn(`No user that you may see is ${shown(text)}; it is used as the ID of an end user.`);
      ids.push(match.id);
      if (name === 'organization' && match.type !== undefined) values['organization-type'] ??= match.type;
    }
    values[name] = Array.isArray(values[name]) ? ids : (ids[0] ?? '');
  }
  return values;
}

/**
 * Lists the items visible to the caller, in the organization or school that the other values name.
 * @returns undefined when the service has no list of them
 */
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

export interface Choices {
  readonly choices: readonly Choice<string>[];
  readonly isOpen: boolean;
}

async function fromService(
  { name, refersTo }: Flag | Argument,
  values: Values,
  context: Context,
): Promise<Choices | undefined> {
  if (refersTo === undefined) return undefined;
  const listed = await referents({ name, refersTo }, values, context, MAX_CHOICES);
  if (listed?.isCut === true)
    await context.say(`There are more than ${MAX_CHOICES} to choose from. Type the ID or name.`);
  if (listed === undefined || listed.isCut || listed.matches.length === 0) return undefined;
  const { forPeople } = await import('../../output/sanitize.js');
  const choices = listed.matches.map((match) => ({ name: forPeople(lineOf(match)), value: match.id }));
  // The list lacks end users and users of other organizations.
  return { choices, isOpen: refersTo === 'user' };
}

/** Returns undefined if the user has to type the value, as when the list cannot be read. */
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
    await context.warn(`Cannot list the choices: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
