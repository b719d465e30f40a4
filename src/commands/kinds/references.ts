/** Arguments that name items, and the items that were read to resolve them. */
import { type Argument, type Flag, flag } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { idsOf } from '../../client/references/id-in.js';
import { organizationIn } from '../../client/references/item-index.js';
import type { Match } from '../../client/references/resolver.js';
import { nameForm } from '../../client/references/spelling.js';
import { classes, schoolClass } from '../../contract/classes.js';
import { type Resource, waysOf } from '../../contract/resource.js';
import type { OrganizationReference } from '../../contract/shared.js';
import { user } from '../../contract/users.js';
import type { AnswerOf, Endpoint, Referent } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, ignoreEduError, isKind } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';
import { either } from '../../core/plural.js';

const plural = (word: string): string => (word.endsWith('s') ? `${word}es` : `${word}s`);

/** In characters. */
const MAX_LABEL = 100;

/** The argument that names an item, or with `many` several: `ID, code or name of the licence`. */
export function argumentFor(resource: Resource, many = false): Argument {
  const { noun, refersTo, written } = resource;
  const words = waysOf(resource);
  return {
    name: written.some(({ through }) => through !== undefined) ? noun[0] : 'id',
    description: many ? `${either(words.map(plural))} of ${noun[1]}` : `${either(words)} of the ${noun[0]}`,
    ...(many ? { many } : {}),
    ...(refersTo === undefined ? {} : { refersTo }),
  };
}

/** Schools may have classes of the same name. */
export const OF_SCHOOL: Flag = flag('--school SCHOOL', 'school in which to look up classes and users by name', {
  refersTo: 'school',
  changesNothing: true,
});

/** The IDs of a class's members. @throws EduError `invalid_response` if they are not shown */
export async function membersOf(id: string, context: Context): Promise<readonly string[]> {
  const item = await fetchItem(schoolClass, id, context);
  const { requireFit } = await import('../../client/request/misfit.js');
  return idsOf(getPath(requireFit(classes.get, item), 'usersInClass')) ?? [];
}

export const CLASS: Argument = { ...argumentFor(schoolClass), name: 'class' };

/** For commands about several users, such as assignments. */
export const USERS: Argument = argumentFor(user, true);

/** What the texts of a command line mean, by kind and ID. */
type Resolved = Map<string, { readonly text: string; readonly match: Match }>;

const resolved = new WeakMap<Context, Resolved>();

const keyOf = (refersTo: Referent | undefined, id: string): string => `${refersTo} ${id}`;

/** Notes what a text was resolved to. */
export const noteResolved = (refersTo: Referent, text: string, match: Match, context: Context): void =>
  void getOrSet(resolved, context, (): Resolved => new Map()).set(keyOf(refersTo, match.id), { text, match });

const meantBy = (refersTo: Referent | undefined, id: string, context: Context) =>
  resolved.get(context)?.get(keyOf(refersTo, id));

/** An item as the user typed it, for messages; its ID if it was not typed. */
export const asTyped = (refersTo: Referent | undefined, id: string, context: Context): string =>
  meantBy(refersTo, id, context)?.text ?? id;

/** An item in messages, by its label if that contains the key or name that the user typed, else by both: `c1 "5a"`. */
export function inWords(refersTo: Referent | undefined, id: string, context: Context): string {
  const { text: typed = id, match } = meantBy(refersTo, id, context) ?? {};
  if (match === undefined || match.names.length === 0) return typed;
  const label = excerpt(match.label, MAX_LABEL);
  const name = nameForm(typed.replace(/^\s*\w+:/, ''));
  const isNamed = match.names.some((one) => nameForm(one) === name) && nameForm(label).includes(name);
  return isNamed ? label : `${typed} "${label}"`;
}

/** The query for names in the language of the command, if the endpoint has it. */
export const languageOf = (
  { query }: Endpoint,
  context: Context,
): { readonly query?: { readonly language: string } } =>
  query?.language === undefined ? {} : { query: { language: context.language() } };

/** Calls an endpoint for one item, with names in the language of the command. */
export async function callFor(endpoint: Endpoint, id: string, context: Context): Promise<unknown> {
  const [name = ''] = Object.keys(endpoint.params ?? {});
  const client = await context.client();
  return client.call(endpoint, { params: { [name]: id }, ...languageOf(endpoint, context) } as never, {
    signal: context.signal,
  });
}

type Got<R> = R extends { readonly endpoints: { readonly get: infer E } } ? AnswerOf<E> : unknown;

/**
 * Reads an item by ID, unless it was read to resolve the ID.
 * @param isForUpdate returns an item that only a list shows, because its creator may update it
 * @throws EduError of that read; it names the owner if another organization may read the item
 */
export async function fetchItem<R extends Resource>(
  resource: R,
  id: string,
  context: Context,
  isForUpdate = false,
): Promise<Got<R>> {
  const { get } = resource.endpoints;
  if (get === undefined) throw new TypeError(`The resource ${resource.name} has no endpoint "get".`);
  const { match } = meantBy(resource.refersTo, id, context) ?? {};
  try {
    const read = match?.item ?? match?.denied;
    if (read instanceof EduError) throw read;
    return (read ?? (await callFor(get, id, context))) as Got<R>;
  } catch (error) {
    if (!isKind(error, 'forbidden')) throw error;
    const { findListed } = await import('../../client/references/find-listed.js');
    const found = await findListed(await context.client(), resource, 'id', id, { signal: context.signal });
    if (found !== undefined && isForUpdate) return found as Got<R>;
    const owner = found === undefined ? match?.organization : organizationIn(found);
    if (owner === undefined) throw error;
    // Of the caller's own organization: the roles do not permit it.
    const own = await context.callersOrganization().catch(ignoreEduError);
    throw own?.id === owner.id ? error : belongingTo(owner, error);
  }
}

/** Names the owner of an item that the service does not show. */
function belongingTo({ id, type }: OrganizationReference, error: EduError): EduError {
  const whose = type.toLowerCase();
  return error.with({ hint: `It belongs to ${whose} ${id}; only that ${whose} can open it.` });
}
