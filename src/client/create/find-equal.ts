/**
 * Finds listed items equal to a create without a natural key. They may have existed before, so the caller must know
 * the earlier list.
 */
import { resourceOf } from '../../contract/resource.js';
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { getPath, isObject, type JsonObject } from '../../core/json.js';
import type { CallOptions } from '../request/client.js';
import type { Values } from '../request/request.js';
import { differences } from './compare.js';
import { listOfCreated, ownOrganization, type Reader } from './list-of-created.js';

/** The list in which a create shows, and what to look for in it. */
export interface Showing {
  /** What one is called in messages, and several. */
  readonly noun: string;
  readonly nouns: string;
  /** Path of the list: the same for all that show in it. */
  readonly list: string;
  /** The command that prints it. */
  readonly command: string;
  /** The command that prints one thing of it. */
  readonly one: string;
  /** The same for two creates that may be taken for each other by what the list shows. */
  readonly likeness: string;
  /** The likeness of creates that may have made an item of the list. */
  readonly likenessOf: (item: JsonObject) => string;
  /** The whole list, page by page. @throws EduError */
  readonly pages: (options?: CallOptions) => AsyncIterable<readonly unknown[]>;
  /** The id of an item of the list. */
  readonly idOf: (item: JsonObject) => string;
  /** No two things of the list are meant to be equal. */
  readonly isDistinct: boolean;
  /** Whether a thing of the list is as it was sent, as far as the list shows it. */
  readonly isEqual: (item: JsonObject) => boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** A value as likenesses compare it: a reference by its id, a day without the time, a number without leading zeros. */
function plain({ kind }: Field, value: unknown): string {
  const text = textOf(isObject(value) ? value.id : value)
    .normalize('NFC')
    .trim();
  if (kind === 'date') return text.slice(0, 10);
  return kind === 'number' || kind === 'integer' ? String(Number(text)) : text;
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w.@+-]+$/.test(word) ? word : JSON.stringify(word));

/** Whether a list of the caller's own organization shows what is made for the one that the body names, if any. */
async function isForOwn(client: Reader, { body }: Values, options: CallOptions): Promise<boolean> {
  const given = getPath(body, 'organization.id');
  return given === undefined || (await ownOrganization(client, options)).id === given;
}

const recognisedIn = (endpoint: Endpoint) => {
  const { recognised } = resourceOf(endpoint) ?? {};
  return endpoint.repeat === 'unkeyed' && recognised?.by === 'equality' ? recognised : undefined;
};

/** Whether what an endpoint creates shows in a list at all. */
export const canShow = (endpoint: Endpoint): boolean => recognisedIn(endpoint) !== undefined;

/**
 * The list in which a create shows. Reads nothing but, for a subscription of a named organization, whose the caller is.
 * @returns undefined when what it makes is in no list
 * @throws EduError when the look-up fails
 */
export async function showingOf(
  client: Reader,
  endpoint: Endpoint,
  input: Values,
  options: CallOptions = {},
): Promise<Showing | undefined> {
  const resource = resourceOf(endpoint);
  const recognised = recognisedIn(endpoint);
  if (resource === undefined || recognised === undefined) return undefined;
  const sent = input.body ?? {};
  if (recognised.shows === 'own' && !(await isForOwn(client, input, options))) return undefined;
  const [list] = (await listOfCreated(client, endpoint, input, options)) ?? [];
  if (list === undefined) return undefined;
  const parent = textOf(list.input.params?.id);
  const path = list.endpoint.path.replace('{id}', encodeURIComponent(parent));
  const filter = list.endpoint.params?.id?.refersTo;
  const fields = endpoint.body ?? {};
  const idName = list.endpoint.list?.of.id ?? 'id';
  const { name, noun } = resource;
  const likeness = (read: (name: string, field: Field) => unknown): string =>
    JSON.stringify([
      path,
      ...recognised.fields.map((one) => {
        const field = fields[one] as Field;
        return plain(field, read(one, field));
      }),
    ]);
  return {
    noun: noun[0],
    nouns: noun[1],
    list: path,
    command: `edu ${name} list${filter === undefined ? '' : ` --${filter} ${quoted(parent)}`}`,
    one: `edu ${name} get`,
    idOf: (item) => textOf(item[idName]),
    likeness: likeness((one) => sent[one]),
    likenessOf: (item) => likeness((one, { readAs = one }) => getPath(item, readAs)),
    pages: (more = {}) => client.pages(list.endpoint, list.input, { ...options, ...more }),
    isDistinct: recognised.distinct === true,
    // What a list leaves out counts as equal to nothing here: a thing that shows none of it is no proof of anything.
    isEqual: (item) =>
      recognised.fields.every((name) => getPath(item, fields[name]?.readAs ?? name) !== undefined) &&
      differences(fields, sent, item).length === 0,
  };
}

/** The most things that a message names. */
const MOST_NAMED = 5;

/** `c17 (created 2026-11-20T09:30:00.000)`: only classes show when they were made. */
export const named = ({ idOf }: Pick<Showing, 'idOf'>, item: JsonObject): string => {
  const made = textOf(item.creationDate);
  return made === '' ? idOf(item) : `${idOf(item)} (created ${made})`;
};

/** `class c17`, or `classes c17 and c18`, of which there is one at least. */
export function namesOf(showing: Pick<Showing, 'noun' | 'nouns' | 'idOf'>, items: readonly JsonObject[]): string {
  const shown = items.slice(0, MOST_NAMED).map((item) => named(showing, item));
  const rest = items.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length === 0 ? `${showing.noun} ${last}` : `${showing.nouns} ${shown.join(', ')} and ${last}`;
}

/** The things of a list that are equal to what was sent. @throws EduError when it can't be read to its end */
export async function equalsIn(showing: Showing, options: CallOptions = {}): Promise<readonly JsonObject[]> {
  const equals: JsonObject[] = [];
  for await (const page of showing.pages(options)) {
    for (const item of page) if (isObject(item) && showing.isEqual(item)) equals.push(item);
  }
  return equals;
}

/** The ids of all things of a list; undefined when there are more than `most`. @throws EduError when it can't be read to its end */
export async function idsIn(
  showing: Showing,
  most: number,
  options: CallOptions = {},
): Promise<readonly string[] | undefined> {
  const ids: string[] = [];
  for await (const page of showing.pages(options)) {
    for (const item of page) if (isObject(item)) ids.push(showing.idOf(item));
    if (ids.length > most) return undefined;
  }
  return ids;
}
