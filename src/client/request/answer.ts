/**
 * Reads and parses responses and checks them against the contract. Unknown fields and values pass unchanged; an
 * invalid response becomes one error that describes it.
 */
import { isUtf8 } from 'node:buffer';
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { parseJson } from '../../core/exact-json.js';
import type { Headers } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { looksLikeMarkup, textOf, wordsOfJson, wordsOfMarkup } from '../errors/error-body.js';

/** An answer that has arrived whole. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Why the body of a success is not available: too large, or in a broken encoding. The request was carried out anyway. */
  readonly unreadable?: EduError;
  /** An earlier attempt of the same call may have gone through. */
  readonly uncertain?: boolean;
}

/** What an error says about the request it is about. */
export interface About {
  readonly method: string;
  /** Path and query, without secrets. */
  readonly path: string;
  /** Where the access token came from, if it was not a login: `EDU_TOKEN`. */
  readonly tokenFrom?: string | undefined;
}

const ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-trace-id',
  'cf-ray',
];

/** The name under which the service's operators find a request in their logs. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of ID_HEADERS) {
    const id = headers[name];
    if (id !== undefined && id !== '') return excerpt(id, 80);
  }
  return undefined;
}

/** The path as a message shows it: long cursors cut. */
export const shownPath = (path: string): string => excerpt(path, 200);

/** `GET /v1/account` */
export const nameOf = ({ method, path }: About): string => `${method} ${shownPath(path)}`;

/** ` [request abc]`, or nothing. */
export const requestNote = (headers: Headers): string => {
  const id = requestIdOf(headers);
  return id === undefined ? '' : ` [request ${id}]`;
};

const typeOf = (headers: Headers): string => excerpt((headers['content-type'] ?? '').split(';')[0] ?? '', 80);

/**
 * An answer that makes no sense.
 * @param what the end of "the service returned …"
 */
export function nonsense(
  about: About,
  answer: Pick<Received, 'status' | 'headers'>,
  what: string,
  hint?: string,
): EduError {
  const type = typeOf(answer.headers);
  const note = requestNote(answer.headers);
  const facts = { ...about, status: answer.status, requestId: requestIdOf(answer.headers) };
  return new EduError(
    'invalid_response',
    `the service returned ${what} (${[type, `status ${answer.status}`].filter((part) => part !== '').join(', ')})${note}`,
    {
      ...facts,
      hint:
        hint ?? 'Check the base URL (`edu config get base-url`), and that no proxy or login page answers in its place.',
    },
  );
}

/** `HTML page "Sign in"`, `text "…"`: what a body that should have been JSON is. */
function portrait(text: string): string {
  if (looksLikeMarkup(text)) {
    const words = wordsOfMarkup(text);
    return words === '' ? 'a page instead of JSON' : `a page instead of JSON: ${JSON.stringify(excerpt(words, 120))}`;
  }
  const begins = JSON.stringify(excerpt(text, 120));
  return /^\s*[[{"]/.test(text)
    ? `JSON that is broken or cut off after ${text.length} characters: ${begins}`
    : `something that is not JSON: ${begins}`;
}

/**
 * The JSON value of an answer; undefined when the body is empty.
 * @throws EduError `invalid_response`
 */
export function parse(about: About, answer: Received): unknown {
  if (answer.unreadable !== undefined) throw answer.unreadable;
  if (answer.bytes.length === 0) return undefined;
  const text = textOf(answer.bytes, 'utf-8');
  // "JSON text exchanged between systems … MUST be encoded using UTF-8" (RFC 8259): decoding other bytes changes the text.
  if (text.includes('\ufffd') && !isUtf8(answer.bytes)) throw nonsense(about, answer, 'text that is not UTF-8');
  try {
    return parseJson(text);
  } catch {
    if (text.trim() === '') return undefined;
    throw nonsense(about, answer, portrait(text));
  }
}

export type Json = Readonly<Record<string, unknown>>;

/** `null`, `a list`, `the text "abc"`: a value of the wrong kind, for a message. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') {
    const { text } = wordsOfJson(value);
    const keys = excerpt(Object.keys(value).slice(0, 8).join(', '), 120);
    return `an object with ${keys === '' ? 'no fields' : `the fields ${keys}`}${text && `: ${excerpt(text, 120)}`}`;
  }
  return typeof value === 'string' ? `the text ${JSON.stringify(excerpt(value, 80))}` : `the ${typeof value} ${value}`;
}

const isText = (headers: Headers): boolean => /^\s*text\/plain/i.test(headers['content-type'] ?? '');

/** An answer whose shape the document does not show: any JSON, or plain text. Markup is still no answer. */
function anything(about: About, answer: Received): unknown {
  if (answer.unreadable !== undefined) throw answer.unreadable;
  const text = textOf(answer.bytes, answer.headers['content-type']).trim();
  if (text === '') return undefined;
  if (looksLikeMarkup(text)) throw nonsense(about, answer, portrait(text));
  // An id that came bare, such as 00017 or one beyond 2^53, must not become a number.
  if (/^\d+$/.test(text) && String(Number(text)) !== text) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (isText(answer.headers) || /^[\w.:@-]{1,200}$/.test(text)) return text;
    throw error instanceof SyntaxError ? nonsense(about, answer, portrait(text)) : error;
  }
}

/** Whether the `error` of a success holds something: a gateway may wrap a refusal in a 200. */
const isSaid = (error: unknown): boolean => error !== undefined && error !== null && error !== false && error !== '';

/**
 * The answer of an endpoint that does not answer with a list, right in kind.
 * @returns undefined for an empty body, where the endpoint is a write: it was done, but nothing is shown
 * @throws EduError `invalid_response`
 */
export function objectOf(endpoint: Endpoint, about: About, answer: Received): unknown {
  const { returns } = endpoint;
  if (returns === undefined || returns.kind !== 'object') {
    const value = anything(about, answer);
    if (isObject(value) && isSaid(value.error)) throw nonsense(about, answer, kindOf(value));
    return returns === undefined && (value === null || typeof value === 'string') ? undefined : value;
  }
  const value = parse(about, answer);
  if (value === undefined && endpoint.method !== 'GET') return undefined;
  const expected = `instead of ${withArticle(returns)}`;
  if (!isObject(value)) throw nonsense(about, answer, `${kindOf(value)} ${expected}`);
  const known = Object.keys(returns.fields ?? {});
  if (!known.some((name) => Object.hasOwn(value, name))) throw nonsense(about, answer, `${kindOf(value)} ${expected}`);
  return value;
}

const withArticle = ({ description }: Field): string =>
  /^(an?|the) /.test(description) ? description : `the ${description}`;

/** One page of a list. */
export interface Page {
  readonly items: readonly unknown[];
  /** Where the next page starts; undefined at the end. */
  readonly next: string | undefined;
}

function nextOf(about: About, answer: Received, value: Json): string | undefined {
  const { paging } = value;
  if (paging === undefined || paging === null) return undefined;
  if (!isObject(paging)) throw nonsense(about, answer, `a "paging" that is ${kindOf(paging)}`);
  const { nextCursor } = paging;
  if (nextCursor === undefined || nextCursor === null || nextCursor === '') return undefined;
  if (typeof nextCursor === 'string') return nextCursor;
  if (typeof nextCursor === 'number') return String(nextCursor);
  throw nonsense(about, answer, `a "nextCursor" that is ${kindOf(nextCursor)}`);
}

/** The items of an object whose member that holds them has no known name: the only list in it. */
function onlyList(value: Json): unknown {
  const lists = Object.values(value).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * One page from an answer.
 * @param key the member that holds the items; null when that is not known, or the answer is a bare list
 * @param of what an item is; undefined when that is not known
 * @throws EduError `invalid_response`: a page that can't be read must never look like an empty one
 */
export function pageOf(key: string | null, of: Field | undefined, about: About, answer: Received): Page {
  const value = parse(about, answer);
  // "No content" where a bare list is expected is a list of nothing; a paged one always has its envelope.
  if (value === undefined && answer.status === 204 && key === null) return { items: [], next: undefined };
  const wanted = key === null ? 'instead of a list' : `instead of a list under "${key}"`;
  const items =
    key === null && Array.isArray(value)
      ? value
      : isObject(value)
        ? key === null
          ? onlyList(value)
          : value[key]
        : undefined;
  if (!Array.isArray(items)) throw nonsense(about, answer, `${kindOf(value)} ${wanted}`);
  if (of?.kind === 'object') {
    const odd = items.find((item) => !isObject(item));
    if (odd !== undefined)
      throw nonsense(about, answer, `a list that contains ${kindOf(odd)} instead of ${withArticle(of)}`);
  }
  return { items, next: isObject(value) ? nextOf(about, answer, value) : undefined };
}
