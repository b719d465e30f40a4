/**
 * Resolves references of a single command to IDs (PRODUCT.md section 2), by the resource's keys that have an endpoint: the
 * e-mail address of a user, the code of a licence.
 */
import { type Argument, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import { findListed } from '../../client/references/find-listed.js';
import { idIn } from '../../client/references/id-in.js';
import type { Resource, Written } from '../../contract/resource.js';
import { user } from '../../contract/users.js';
import type { AnswerOf, Endpoint } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, isKind, usageError } from '../../core/errors.js';
import { either } from '../../core/plural.js';

export const CLASS: Argument = { name: 'class', description: 'ID or name of the class', refersTo: 'class' };

const plural = (word: string): string => (word.endsWith('s') ? `${word}es` : `${word}s`);

/** The argument that names an item, or with `many` several: `ID or name of the licence, or code:CODE`. */
export function argumentFor({ noun: [noun, nouns], refersTo, written }: Resource, many = false): Argument {
  const isExact = ({ prefix, form }: Written): boolean => prefix !== undefined && form === undefined;
  const exact = written.filter(isExact).map(({ prefix, noun: key }) => `, or ${prefix}${key.toUpperCase()}`);
  const words = ['ID', ...written.filter((one) => !isExact(one)).map(({ noun: key }) => key)];
  return {
    name: written.some(({ through }) => through !== undefined) ? noun : 'id',
    description:
      (many ? `${either(words.map(plural))} of ${nouns}` : `${either(words)} of the ${noun}`) + exact.join(''),
    ...(many ? { many } : {}),
    ...(refersTo === undefined ? {} : { refersTo }),
  };
}

/** For commands about several users, such as assignments. */
export const USERS: Argument = argumentFor(user, true);

/** Calls an endpoint for one item, with names in the language of the command. */
export async function callFor(endpoint: Endpoint, id: string, context: Context): Promise<unknown> {
  const [name = ''] = Object.keys(endpoint.params ?? {});
  const query = endpoint.query?.language === undefined ? {} : { query: { language: context.language() } };
  const client = await context.client();
  return client.call(endpoint, { params: { [name]: id }, ...query } as never, { signal: context.signal });
}

/** The key that a text is written as; undefined for an ID. */
const keyIn = ({ written }: Resource, text: string): Written | undefined =>
  written.find(
    ({ through, prefix, form }) =>
      through !== undefined && (prefix === undefined ? form?.test(text) : text.startsWith(prefix)),
  );

/** @throws EduError `not_found` if no item has the key */
async function findByKey(
  { noun: [noun], endpoints }: Resource,
  { noun: keyNoun, prefix = '', through = '' }: Written,
  text: string,
  context: Context,
): Promise<unknown> {
  const key = text.slice(prefix.length);
  if (key === '')
    throw usageError(
      `The ${noun} ${keyNoun} behind "${prefix}" is empty.`,
      `Write ${prefix}${keyNoun.toUpperCase()}, or the ID of the ${noun}.`,
    );
  return callFor(endpoints[through] as Endpoint, key, context).catch((error: unknown) => {
    if (!isKind(error, 'not_found')) throw error;
    throw error.with({ message: `no ${noun} has the ${keyNoun} ${excerpt(key, 100)}`, details: [] });
  });
}

/** Resolves a text to the ID of an item, if it is a key with an endpoint. @throws EduError `not_found` for an unknown key */
export async function idFor(resource: Resource, text: string, context: Context): Promise<string> {
  const key = keyIn(resource, text);
  if (key === undefined) return text;
  const id = idIn(await findByKey(resource, key, text, context).catch(orListed(resource, text, context)));
  if (id !== undefined) return id;
  const { method, path } = resource.endpoints[key.through ?? ''] as Endpoint;
  throw new EduError('invalid_response', `the response contains no ID of the ${resource.noun[0]} ${shown(text)}`, {
    method,
    path: path.replace(/\{\w+\}/, encodeURIComponent(text)),
    hint: `Give the ${resource.noun[0]} by ID.`,
  });
}

type Got<R> = R extends { readonly endpoints: { readonly get: infer E } } ? AnswerOf<E> : unknown;

/** Reads an item by ID or key. */
export async function fetchItem<R extends Resource>(resource: R, text: string, context: Context): Promise<Got<R>> {
  const { get, ...others } = resource.endpoints;
  if (get === undefined) throw new TypeError(`The resource ${resource.name} has no endpoint "get".`);
  const key = keyIn(resource, text);
  // The endpoint of a key may return the item, or only its ID.
  if (key !== undefined && others[key.through ?? '']?.returns?.fields !== undefined)
    return (await findByKey(resource, key, text, context)) as Got<R>;
  return (await callFor(get, await idFor(resource, text, context), context)) as Got<R>;
}

/** Handles an error of a read: an item that may not be read is taken from the caller's lists, if these show it. */
const orListed =
  (resource: Resource, text: string, context: Context) =>
  async (error: unknown): Promise<unknown> => {
    if (!isKind(error, 'forbidden')) throw error;
    const { prefix = '', field } = keyIn(resource, text) ?? { field: 'id' };
    const { signal } = context;
    const found = await findListed(await context.client(), resource, String(field), text.slice(prefix.length), {
      signal,
    });
    if (found === undefined) throw error;
    return found;
  };

/** Reads an item by ID or key before an update, which its creator may send even if it may not read the item. */
export const fetchForUpdate = <R extends Resource>(resource: R, text: string, context: Context): Promise<Got<R>> =>
  fetchItem(resource, text, context).catch(orListed(resource, text, context)) as Promise<Got<R>>;

/** Resolves the users of the argument `user`, one after the other. */
export async function givenUsers(
  values: Values,
  context: Context,
): Promise<readonly { readonly id: string; readonly given: string }[]> {
  const found: { id: string; given: string }[] = [];
  for (const given of textsOf(values, 'user')) found.push({ id: await idFor(user, given, context), given });
  return found;
}
