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
import { isObject, type JsonObject } from '../../core/json.js';
import { decodeText, looksLikeMarkup, wordsOfJson, wordsOfMarkup } from '../errors/error-body.js';
import type { NoResponse } from './no-response.js';
import type { PageScanner } from './page-scanner.js';

/** A response with its complete body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body of a download, instead of `bytes`. @throws NoResponse if it ends early */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** Why the body of a success cannot be read: too large, or broken encoding. The request was carried out. */
  readonly unreadable?: EduError;
}

export const isSuccess = ({ status }: Pick<Received, 'status'>): boolean => status >= 200 && status < 300;

/** The result of one attempt: a response, or the reason why there is none. */
export interface AttemptResult {
  /**
   * - `answer`: a final response, success or error.
   * - `undone`: not carried out: no byte was sent, the service returned 429, or the upload ended early.
   * - `unknown`: maybe carried out: a reset or timeout after bytes were sent, or a 5xx.
   */
  readonly is: 'answer' | 'undone' | 'unknown';
  readonly answer?: Received;
  readonly lost?: NoResponse;
  /** The ID of the request, if the start of a response arrived. */
  readonly requestId?: string | undefined;
}

/** The request in an error. */
export interface About {
  readonly method: string;
  /** Path and query, without secrets. */
  readonly path: string;
  /** The source of the access token if it was not a login: `EDU_TOKEN`. */
  readonly tokenFrom?: string | undefined;
}

/** Describes the request of an error; a function, because most responses lead to none. */
export type AboutOf = () => About;

const ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-trace-id',
  'cf-ray',
];

/** The ID by which the operator finds a request in the service's logs. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of ID_HEADERS) {
    const id = headers[name];
    if (id !== undefined && id !== '') return excerpt(id, 80);
  }
  return undefined;
}

/** `GET /v1/account`, where long cursors are shortened. */
export const nameOf = ({ method, path }: About): string => `${method} ${excerpt(path, 200)}`;

/** ` [request abc]`, or an empty string. */
export const requestNote = (id: string | undefined): string => (id === undefined ? '' : ` [request ${id}]`);

const OTHER_SERVER =
  'Check the base URL (`edu config get base-url`), and that no proxy or login page answers in its place.';

/**
 * The error for an invalid response.
 * @param what the end of "the service returned …"
 */
export function invalidResponse(
  about: About,
  { status, headers }: Pick<Received, 'status' | 'headers'>,
  what: string,
  hint = OTHER_SERVER,
): EduError {
  const type = excerpt((headers['content-type'] ?? '').split(';')[0] ?? '', 80);
  const facts = type === '' ? `status ${status}` : `${type}, status ${status}`;
  const requestId = requestIdOf(headers);
  const message = `the service returned ${what} (${facts})${requestNote(requestId)}`;
  return new EduError('invalid_response', message, { ...about, isReason: true, status, requestId, hint });
}

/** Describes a body that is not JSON: `a page instead of JSON: "Sign in"`. */
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

/** The text of a response with JSON. @throws EduError `invalid_response` */
function jsonText(about: AboutOf, answer: Received): string {
  if (answer.unreadable !== undefined) throw answer.unreadable;
  const text = decodeText(answer.bytes, 'utf-8');
  // RFC 8259: "JSON text exchanged between systems … MUST be encoded using UTF-8". Decoding other bytes changes the text.
  if (text.includes('\ufffd') && !isUtf8(answer.bytes))
    throw invalidResponse(about(), answer, 'text that is not UTF-8');
  return text;
}

/**
 * The JSON value, or the form, of a response; undefined if the body is empty.
 * @throws EduError `invalid_response`
 */
export function parse(about: AboutOf, answer: Received): unknown {
  const text = jsonText(about, answer);
  if (answer.bytes.length === 0) return undefined;
  try {
    return parseJson(text);
  } catch {
    const trimmed = text.trim();
    if (trimmed === '') return undefined;
    // The encoding of the token response is not documented either: a form, whatever type it is said to be.
    if (/^[\w.%-]+=.*$/.test(trimmed)) return Object.fromEntries(new URLSearchParams(trimmed));
    throw invalidResponse(about(), answer, portrait(text));
  }
}

/** Describes a value of the wrong kind: `null`, `a list of 3`, `the text "abc"`. */
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

/** Reads a response whose shape is not documented: any JSON, or plain text, but not markup. */
function anything(about: AboutOf, answer: Received): unknown {
  if (answer.unreadable !== undefined) throw answer.unreadable;
  const { 'content-type': type = '' } = answer.headers;
  const text = decodeText(answer.bytes, type).trim();
  if (text === '') return undefined;
  if (looksLikeMarkup(text)) throw invalidResponse(about(), answer, portrait(text));
  // A bare ID, such as 00017 or one above 2^53, must not become a number.
  if (/^\d+$/.test(text) && String(Number(text)) !== text) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (/^\s*text\/plain/i.test(type) || /^[\w.:@-]{1,200}$/.test(text)) return text;
    throw error instanceof SyntaxError ? invalidResponse(about(), answer, portrait(text)) : error;
  }
}

/** True if a success contains an `error`: a gateway may wrap an error in a 200. */
const isFilled = (error: unknown): boolean => error !== undefined && error !== null && error !== false && error !== '';

/**
 * The response of an endpoint that does not return a list, checked to be of the right kind.
 * @returns undefined for an empty body of a write, which was carried out
 * @throws EduError `invalid_response`
 */
export function objectOf(endpoint: Endpoint, about: AboutOf, answer: Received): unknown {
  const { returns } = endpoint;
  if (returns === undefined || returns.kind !== 'object') {
    const value = anything(about, answer);
    if (isObject(value) && isFilled(value.error)) throw invalidResponse(about(), answer, kindOf(value));
    return returns === undefined && !isObject(value) ? undefined : value;
  }
  const value = parse(about, answer);
  if (value === undefined && endpoint.method !== 'GET') return undefined;
  if (isObject(value)) for (const name in returns.fields) if (Object.hasOwn(value, name)) return value;
  throw invalidResponse(about(), answer, `${kindOf(value)} instead of ${withArticle(returns)}`);
}

const withArticle = ({ description }: Field): string =>
  /^(an?|the) /.test(description) ? description : `the ${description}`;

export interface Page {
  readonly items: readonly unknown[];
  /** The cursor of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** In UTF-16 units. Servers accept addresses of a few kilobytes. */
const MAX_CURSOR = 64 * 1024;

function nextOf(about: AboutOf, answer: Received, value: JsonObject): string | undefined {
  const { paging } = value;
  if (paging === undefined || paging === null) return undefined;
  if (!isObject(paging)) throw invalidResponse(about(), answer, `a "paging" that is ${kindOf(paging)}`);
  const { nextCursor } = paging;
  if (nextCursor === undefined || nextCursor === null || nextCursor === '') return undefined;
  if (typeof nextCursor === 'string' && nextCursor.length > MAX_CURSOR)
    throw invalidResponse(
      about(),
      answer,
      `a "nextCursor" of ${nextCursor.length} characters, more than ${MAX_CURSOR}`,
    );
  if (typeof nextCursor === 'string') return nextCursor;
  if (typeof nextCursor === 'number') return String(nextCursor);
  throw invalidResponse(about(), answer, `a "nextCursor" that is ${kindOf(nextCursor)}`);
}

/** The only list in an object; undefined if there is none or several. */
function onlyList(value: JsonObject): unknown {
  const lists = Object.values(value).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * Reads a page from a response.
 * @param key the member that holds the items; null if it is unknown, or the response is a bare list
 * @param of the field that describes an item; undefined if it is unknown
 * @param scan finds items without parsing them
 * @throws EduError `invalid_response`, so that an unreadable page never looks like an empty one
 */
export function pageOf(
  key: string | null,
  of: Field | undefined,
  about: AboutOf,
  answer: Received,
  scan?: PageScanner,
): Page {
  const scanned = scan?.(jsonText(about, answer));
  if (scanned !== undefined) return { items: scanned.items, next: nextOf(about, answer, scanned.envelope) };
  const value = parse(about, answer);
  const wanted = key === null ? 'instead of a list' : `instead of a list under "${key}"`;
  const items =
    key === null && Array.isArray(value)
      ? value
      : isObject(value)
        ? key === null
          ? onlyList(value)
          : value[key]
        : undefined;
  if (!Array.isArray(items)) throw invalidResponse(about(), answer, `${kindOf(value)} ${wanted}`);
  if (of?.kind === 'object') {
    const odd = items.find((item) => !isObject(item));
    if (odd !== undefined)
      throw invalidResponse(about(), answer, `a list that contains ${kindOf(odd)} instead of ${withArticle(of)}`);
  }
  return { items, next: isObject(value) ? nextOf(about, answer, value) : undefined };
}
