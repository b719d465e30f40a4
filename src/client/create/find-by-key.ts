/**
 * What became of a create whose outcome is unknown: its natural key is looked up, and what is found is held against what
 * was sent. Used for single commands and for the rows of a bulk job alike; it never creates anything.
 */
import { account } from '../../contract/account.js';
import { books } from '../../contract/books.js';
import { licenses } from '../../contract/licenses.js';
import { publishers } from '../../contract/publishers.js';
import { schools } from '../../contract/schools.js';
import { LANGUAGES, ORGANIZATION_TYPES } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import type { CallOptions, Client } from '../request/client.js';
import type { Values } from '../request/request.js';
import { differences, sameKey } from './compare.js';

type Json = Readonly<Record<string, unknown>>;

export type Finding =
  /** It is there, and all that was sent is as it was sent. `found` has the shape that the create answers with. */
  | { readonly is: 'ours'; readonly found: Json }
  | { readonly is: 'absent' }
  /** The key is taken by something else. */
  | { readonly is: 'different'; readonly found: Json; readonly differences: readonly string[] }
  /** The key is taken, but the caller may not see by what. */
  | { readonly is: 'invisible' };

/** What a look-up needs of a client. */
export type Reader = Pick<Client, 'call' | 'pages'>;

interface LookUp {
  /** What it is called in messages. */
  readonly noun: string;
  /** Documented to be unique: the service refuses a second one. Of e-mail addresses and EANs the document says no such thing. */
  readonly unique: boolean;
  /** Everything that has the key; `invisible` when something has it that the caller may not see. */
  readonly find: (
    client: Reader,
    key: string,
    input: Values,
    options: CallOptions,
  ) => Promise<readonly Json[] | 'invisible'>;
  /** The found thing as the create answers with it. */
  readonly written?: (found: Json) => Json;
}

/** The answer; `absent` for 404, `invisible` for 403. Other errors pass. */
async function seek<T>(call: Promise<T>): Promise<T | 'absent' | 'invisible'> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EduError && error.kind === 'not_found') return 'absent';
    if (error instanceof EduError && error.kind === 'forbidden') return 'invisible';
    throw error;
  }
}

async function filter(pages: AsyncIterable<readonly unknown[]>, matches: (item: Json) => boolean): Promise<Json[]> {
  const found: Json[] = [];
  for await (const page of pages) for (const item of page) if (isObject(item) && matches(item)) found.push(item);
  return found;
}

/** The id in an answer of `GET users/userId/:email`, whose shape is not shown: bare, `{id}`, or the only text in it. */
export function idIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer.trim() === '' ? undefined : answer.trim();
  if (typeof answer === 'number') return String(answer);
  if (Array.isArray(answer)) return answer.length === 1 ? idIn(answer[0]) : undefined;
  if (!isObject(answer)) return undefined;
  for (const name of ['id', 'userId', 'user_id', 'userid']) {
    const id = answer[name];
    if (typeof id === 'string' || typeof id === 'number') return idIn(id);
  }
  const [only, ...others] = Object.values(answer);
  return others.length === 0 ? idIn(only) : undefined;
}

async function findUser(
  client: Reader,
  email: string,
  _: Values,
  options: CallOptions,
): Promise<readonly Json[] | 'invisible'> {
  const answer: unknown = await seek(client.call(users.findByEmail, { params: { email } }, options));
  if (answer === 'invisible') return answer;
  const id = answer === 'absent' ? undefined : idIn(answer);
  if (id === undefined) return [];
  const user = await seek(client.call(users.get, { params: { id } }, options));
  // The address leads to a user, so there is one, whether it can be read or not.
  return user === 'absent' || user === 'invisible' ? 'invisible' : [user];
}

const isOneOf = <T extends string>(choices: readonly T[], value: unknown): value is T =>
  choices.some((choice) => choice === value);

/** The organization that a book is created for: the one given, else the caller's own. */
async function organizationOf(client: Reader, input: Values, options: CallOptions) {
  const given = input.body?.organization;
  if (isObject(given) && typeof given.id === 'string' && isOneOf(ORGANIZATION_TYPES, given.type)) {
    return { id: given.id, type: given.type };
  }
  const { id } = await client.call(account.show, {}, options);
  return (await client.call(users.get, { params: { id } }, options)).organization;
}

async function findBook(
  client: Reader,
  ean: string,
  input: Values,
  options: CallOptions,
): Promise<readonly Json[] | 'invisible'> {
  const { id, type } = await organizationOf(client, input, options);
  const asked = input.query?.language;
  const language = isOneOf(LANGUAGES, asked) ? asked : 'EN';
  const query = { organization: id, type, language };
  return filter(client.pages(books.list, { query }, options), (book) => sameKey(ean, book.ean, false));
}

/** A licence owned by a school cannot be read by its creator; the list of licences may show it all the same. */
async function findLicence(
  client: Reader,
  code: string,
  input: Values,
  options: CallOptions,
): Promise<readonly Json[] | 'invisible'> {
  const found = await seek(client.call(licenses.getByCode, { params: { code } }, options));
  if (found === 'absent') return [];
  if (found !== 'invisible') return [found];
  const type = input.body?.type === 'Teacher' ? 'TEACHER' : 'BOOKS';
  const pages = client.pages(licenses.list, { query: { type } }, options);
  try {
    const listed = await filter(pages, (licence) => licence.code === code);
    return listed.length > 0 ? listed : 'invisible';
  } catch (error) {
    if (
      error instanceof EduError &&
      ['forbidden', 'not_found', 'refused', 'conflict', 'invalid_response'].includes(error.kind)
    ) {
      return 'invisible';
    }
    throw error;
  }
}

/** By code a licence's books have a `title`, in a create answer the same text is their `name`. */
const asWritten = (licence: Json): Json => ({
  ...licence,
  ...(Array.isArray(licence.books)
    ? {
        books: licence.books.map((book: unknown) => {
          if (!isObject(book) || !('title' in book)) return book;
          const { title, ...rest } = book;
          return { ...rest, name: title };
        }),
      }
    : {}),
});

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`;

const LOOK_UPS: ReadonlyMap<string, LookUp> = new Map<string, LookUp>([
  [
    nameOf(licenses.create),
    {
      noun: 'licence',
      unique: true,
      find: findLicence,
      written: asWritten,
    },
  ],
  [
    nameOf(publishers.create),
    {
      noun: 'publisher',
      unique: true,
      find: (client, name, _, options) =>
        filter(client.pages(publishers.list, {}, options), (item) => sameKey(name, item.name, false)),
    },
  ],
  [
    nameOf(schools.create),
    {
      noun: 'school',
      unique: true,
      find: (client, name, _, options) =>
        filter(client.pages(schools.list, {}, options), (item) => sameKey(name, item.name, false)),
    },
  ],
  [nameOf(users.create), { noun: 'user', unique: false, find: findUser }],
  [nameOf(books.create), { noun: 'book', unique: false, find: findBook }],
]);

/** The natural key in a keyed create: its field and value, and what the thing is called. */
export interface Key {
  readonly noun: string;
  readonly field: string;
  readonly value: string;
  /** The service refuses a second one with the same key. */
  readonly unique: boolean;
}

/** The key of a create, or undefined when it has none: the endpoint is not keyed, or the field was left out. */
export function keyOf(endpoint: Endpoint, input: Values): Key | undefined {
  const lookUp = LOOK_UPS.get(nameOf(endpoint));
  const { key: field = '' } = endpoint;
  const value = input.body?.[field];
  if (lookUp === undefined || typeof value !== 'string' || value === '') return undefined;
  return { noun: lookUp.noun, field, value, unique: lookUp.unique };
}

/**
 * Looks a create up by its natural key. Reads only, as often as wanted.
 * @param endpoint a keyed create: licences, publishers, schools, users, books
 * @param input the values that were sent
 * @throws TypeError for a create without a key; the client's errors when the look-up itself fails
 */
export async function lookUp(
  client: Reader,
  endpoint: Endpoint,
  input: Values,
  options: CallOptions = {},
): Promise<Finding> {
  const key = keyOf(endpoint, input);
  const how = LOOK_UPS.get(nameOf(endpoint));
  if (key === undefined || how === undefined) throw new TypeError(`${nameOf(endpoint)} has no key to look up`);
  const { signal, retries } = options;
  const found = await how.find(client, key.value, input, { signal, retries });
  if (found === 'invisible') return { is: 'invisible' };
  const [first] = found;
  if (first === undefined) return { is: 'absent' };
  const { body: fields = {} } = endpoint;
  // The key was compared already, and more leniently where the service may be.
  const { [key.field]: _, ...others } = fields;
  for (const item of found) {
    if (differences(others, input.body ?? {}, item).length === 0)
      return { is: 'ours', found: how.written?.(item) ?? item };
  }
  return { is: 'different', found: first, differences: differences(others, input.body ?? {}, first) };
}
