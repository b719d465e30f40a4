/**
 * Where the service shows what a create without a natural key has made, and which of the things shown there are equal
 * to what was sent. Equal things may be there for good reasons: who looks must know what was there before. Reads only.
 */
import { account } from '../../contract/account.js';
import { classes } from '../../contract/classes.js';
import { readers } from '../../contract/readers.js';
import { subscriptions } from '../../contract/subscriptions.js';
import { users } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import type { CallOptions } from '../request/client.js';
import type { Values } from '../request/request.js';
import { differences } from './compare.js';
import type { Reader } from './find-by-key.js';

type Json = Readonly<Record<string, unknown>>;

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
  /** The whole list, page by page. @throws EduError */
  readonly pages: (options?: CallOptions) => AsyncIterable<readonly unknown[]>;
  /** Whether a thing of the list is as it was sent, as far as the list shows it. */
  readonly isEqual: (item: Json) => boolean;
}

interface Kind {
  readonly noun: string;
  readonly nouns: string;
  /** What names the list. */
  readonly list: (input: Values) => { readonly endpoint: Endpoint; readonly input: Values };
  /** With the list's own filters. */
  readonly command: (input: Values) => string;
  readonly one: string;
  /** Required fields of the create that its list shows: two that agree in them may be taken for each other. */
  readonly tells: readonly string[];
  /** False when the list does not show this one. */
  readonly isShown?: (client: Reader, input: Values, options: CallOptions) => Promise<boolean>;
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w.@+-]+$/.test(word) ? word : JSON.stringify(word));

/** `GET subscriptions` is "of the caller's own organization": what is made for another one does not show there. */
async function isOfOwnOrganization(client: Reader, input: Values, options: CallOptions): Promise<boolean> {
  const given = input.body?.organization;
  if (!isObject(given) || given.id === undefined) return true;
  const { id } = await client.call(account.show, {}, options);
  const { organization } = await client.call(users.get, { params: { id } }, options);
  return organization.id === given.id;
}

const READER: Kind = {
  noun: 'reader',
  nouns: 'readers',
  list: ({ query }) => ({ endpoint: readers.list, input: { query: { language: query?.language ?? 'EN' } } }),
  command: () => 'edu readers list',
  one: 'edu readers get',
  tells: ['title', 'subject'],
};

/** By method and path of the create. End users and files are in no list of the API document. */
const KINDS: Readonly<Record<string, Kind>> = {
  'POST /v1/classes': {
    noun: 'class',
    nouns: 'classes',
    list: ({ body }) => ({ endpoint: classes.list, input: { params: { id: textOf(body?.schoolId) } } }),
    command: ({ body }) => `edu classes list --school ${quoted(textOf(body?.schoolId))}`,
    one: 'edu classes get',
    tells: ['name', 'subjectId'],
  },
  'POST /v1/readers': READER,
  'PUT /v1/readers': READER,
  'POST /v1/subscriptions': {
    noun: 'subscription',
    nouns: 'subscriptions',
    list: () => ({ endpoint: subscriptions.list, input: {} }),
    command: () => 'edu subscriptions list',
    one: 'edu subscriptions get',
    tells: ['maximumActivations', 'expirationDate'],
    isShown: isOfOwnOrganization,
  },
};

/** Whether what an endpoint creates shows in a list at all. */
export const canShow = ({ method, path }: Endpoint): boolean => `${method} ${path}` in KINDS;

/** The id of a thing of a list. */
export const idOfItem = (item: Json): string => textOf(item.id ?? item.classId);

/**
 * The list in which a create shows. Reads nothing but, for a subscription of a named organization, whose the caller is.
 * @returns undefined when what it makes is in no list
 * @throws EduError when that can't be found out
 */
export async function showingOf(
  client: Reader,
  endpoint: Endpoint,
  input: Values,
  options: CallOptions = {},
): Promise<Showing | undefined> {
  const kind = KINDS[`${endpoint.method} ${endpoint.path}`];
  if (kind === undefined) return undefined;
  const sent = input.body ?? {};
  if (kind.isShown !== undefined && !(await kind.isShown(client, input, options))) return undefined;
  const list = kind.list(input);
  const path = list.endpoint.path.replace('{id}', encodeURIComponent(textOf(list.input.params?.id)));
  const fields = endpoint.body ?? {};
  const told = kind.tells.map((name) => textOf(sent[name]).normalize('NFC').trim());
  return {
    noun: kind.noun,
    nouns: kind.nouns,
    list: path,
    command: kind.command(input),
    one: kind.one,
    likeness: JSON.stringify([path, ...told]),
    pages: (more = {}) => client.pages(list.endpoint, list.input, { ...options, ...more }),
    // What a list leaves out counts as equal to nothing here: a thing that shows none of it is no proof of anything.
    isEqual: (item) =>
      kind.tells.every((name) => at(item, fields[name]?.readAs ?? name) !== undefined) &&
      differences(fields, sent, item).length === 0,
  };
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** The most things that a message names. */
const MOST_NAMED = 5;

/** `c17 (made 2026-11-20T09:30:00.000)`: only classes show when they were made. */
export const named = (item: Json): string => {
  const made = textOf(item.creationDate);
  return made === '' ? idOfItem(item) : `${idOfItem(item)} (made ${made})`;
};

/** `class c17`, or `classes c17 and c18`, of which there is one at least. */
export function namesOf(showing: Pick<Showing, 'noun' | 'nouns'>, items: readonly Json[]): string {
  const shown = items.slice(0, MOST_NAMED).map(named);
  const rest = items.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length === 0 ? `${showing.noun} ${last}` : `${showing.nouns} ${shown.join(', ')} and ${last}`;
}

/** The things of a list that are equal to what was sent. @throws EduError when it can't be read to its end */
export async function equalsIn(showing: Showing, options: CallOptions = {}): Promise<readonly Json[]> {
  const equals: Json[] = [];
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
    for (const item of page) if (isObject(item)) ids.push(idOfItem(item));
    if (ids.length > most) return undefined;
  }
  return ids;
}
