/**
 * Finds listed items equal to a create without a natural key. They may have existed before, so the caller must know
 * the earlier list.
 */
import { resourceOf } from '../../contract/resource.js';
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { asId, getPath, isObject, type JsonObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import type { CallOptions } from '../request/client.js';
import type { Values } from '../request/request.js';
import { differences } from './compare.js';
import { filterItems, listOfCreated, ownOrganization, type Reader } from './list-of-created.js';

/** The list that shows the item of a create, and how to find the item in it. */
export interface Showing {
  /** The noun for one item in messages, and for several. */
  readonly noun: string;
  readonly nouns: string;
  /** Path of the list, the same for all of its items. */
  readonly list: string;
  readonly command: string;
  /** Equal for creates whose items look the same in the list. */
  readonly likeness: string;
  /** The likeness of the creates that may have created a listed item. */
  readonly likenessOf: (item: JsonObject) => string;
  /** The whole list, page by page. @throws EduError */
  readonly pages: (options?: CallOptions) => AsyncIterable<readonly unknown[]>;
  readonly idOf: (item: JsonObject) => string;
  /** True if the items of the list are meant to be distinct. */
  readonly isDistinct: boolean;
  /** True if a listed item equals the sent values, as far as the list shows them. */
  readonly isEqual: (item: JsonObject) => boolean;
}

/** Normalizes a value for a likeness: a reference to its ID, a date without the time, a number without leading zeros. */
function plain({ kind }: Field, value: unknown): string {
  const text = String((isObject(value) ? value.id : value) ?? '')
    .normalize('NFC')
    .trim();
  if (kind === 'date') return text.slice(0, 10);
  return kind === 'number' || kind === 'integer' ? String(Number(text)) : text;
}

/** True if the body names no organization, or the caller's own. */
async function isForOwn(client: Reader, { body }: Values, options: CallOptions): Promise<boolean> {
  const given = getPath(body, 'organization.id');
  return given === undefined || (await ownOrganization(client, options)).id === given;
}

const recognisedIn = (endpoint: Endpoint) => {
  const { recognised } = resourceOf(endpoint) ?? {};
  return endpoint.repeat === 'unkeyed' && recognised?.by === 'equality' ? recognised : undefined;
};

/** True if a list shows the items that an endpoint creates. */
export const canShow = (endpoint: Endpoint): boolean => recognisedIn(endpoint) !== undefined;

/**
 * The list that shows the item of a create. Reads at max the caller's organization.
 * @returns undefined if no list shows it
 * @throws EduError if the look-up fails
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
  const parent = asId(list.input.params?.id) ?? '';
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
    command: shellLine('edu', name, 'list', ...(filter === undefined ? [] : [`--${filter}`, parent])),
    idOf: (item) => asId(item[idName]) ?? '',
    likeness: likeness((one) => sent[one]),
    likenessOf: (item) => likeness((one, { readAs = one }) => getPath(item, readAs)),
    pages: (more = {}) => client.pages(list.endpoint, list.input, { ...options, ...more }),
    isDistinct: recognised.distinct === true,
    // An item without a compared field is not equal: it cannot prove anything.
    isEqual: (item) =>
      recognised.fields.every((name) => getPath(item, fields[name]?.readAs ?? name) !== undefined) &&
      differences(fields, sent, item).length === 0,
  };
}

const MAX_NAMED = 5;

/** `c17 (created 2026-11-20T09:30:00.000)`; only classes have a creation date. */
export const named = ({ idOf }: Pick<Showing, 'idOf'>, item: JsonObject): string => {
  const created = asId(item.creationDate);
  return created === undefined ? idOf(item) : `${idOf(item)} (created ${created})`;
};

/** `class c17`, or `classes c17 and c18`, for at least one item. */
export function namesOf(showing: Pick<Showing, 'noun' | 'nouns' | 'idOf'>, items: readonly JsonObject[]): string {
  const shown = items.slice(0, MAX_NAMED).map((item) => named(showing, item));
  const rest = items.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length === 0 ? `${showing.noun} ${last}` : `${showing.nouns} ${shown.join(', ')} and ${last}`;
}

/** True if an item was not deleted: classes remain in lists with the date of their deletion. */
export const isActive = (item: unknown): boolean => !isObject(item) || (item.deactivationDate ?? null) === null;

/** The listed items that equal the sent values. @throws EduError if the list cannot be read completely */
export const equalsIn = (showing: Showing, options: CallOptions = {}): Promise<readonly JsonObject[]> =>
  filterItems(showing.pages(options), showing.isEqual);

/** The IDs of all listed items; undefined if there are more than `max`. @throws EduError if the list cannot be read completely */
export async function idsIn(showing: Showing, max: number, options: CallOptions = {}) {
  const ids: string[] = [];
  for await (const page of showing.pages(options)) {
    for (const item of page) if (isObject(item)) ids.push(showing.idOf(item));
    if (ids.length > max) return undefined;
  }
  return ids;
}
