/** Builds a request, which can be sent several times, from an endpoint and its values. */
import type { Endpoint, Field, Fields, Repeat } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { exactJson, putNumber } from '../../core/exact-json.js';
import type { Headers } from '../../core/http.js';
import type { PreparedRequest, RawRequest } from './client.js';
import { type FormBody, type FormField, formBody, formFields } from './multipart.js';
import { encode, endpointPath, rawPath } from './url.js';

/** The values of a call to any endpoint. */
export interface Values {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A request that can be sent several times. */
export interface Outgoing extends Omit<PreparedRequest, 'body'> {
  readonly body?: string | Uint8Array | FormBody | undefined;
  readonly repeat: Repeat;
  readonly anonymous?: true | undefined;
  /** The body of a success is streamed, without a limit of time, and redirects are followed to any origin. */
  readonly isDownload?: true | undefined;
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Removes undefined members and empty objects, because `settings: {}` has no meaning for the service. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isPlainObject(value)) return value;
  const kept: Record<string, unknown> = {};
  let isEmpty = true;
  // Faster than Object.keys, which matters in a bulk job.
  for (const name in value) {
    const member = withoutEmpty(value[name]);
    if (member === undefined) continue;
    isEmpty = false;
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: member, enumerable: true });
    else kept[name] = member;
  }
  return isEmpty ? undefined : kept;
}

/** Sends numbers that a service returned as texts, and large ones, which exact-json.ts reads as texts, as numbers. */
function restoreNumbers(body: unknown, fields: Fields): void {
  if (!isPlainObject(body)) return;
  for (const name in fields) {
    const value = body[name];
    const { kind, choices = [], fields: inner } = fields[name] as Field;
    const isNumeric = kind === 'number' || kind === 'integer' || typeof choices[0] === 'number';
    if (inner !== undefined) restoreNumbers(value, inner);
    else if (isNumeric && typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value)) putNumber(body, name, value);
  }
}

function jsonValue({ body: fields = {} }: Endpoint, values: Values): unknown {
  const body = withoutEmpty(values.body ?? {}) ?? {};
  restoreNumbers(body, fields);
  return body;
}

/** `application/x-www-form-urlencoded` (HTML standard): like a query, but a space is `+`. */
function formText(body: Readonly<Record<string, unknown>>): string {
  return Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encode(name)}=${encode(String(value).toWellFormed()).replaceAll('%20', '+')}`)
    .join('&');
}

const ACCEPT = 'application/json';
const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/** Headers that all requests of a client share. */
export interface CommonHeaders {
  readonly plain: Headers;
  /** Those of requests with a JSON body. */
  readonly json: Headers;
}

/** Those that belong to a multipart body; none for another body. */
const formHeaders = (body: Outgoing['body']): Headers =>
  typeof body === 'object' && 'open' in body
    ? { 'content-type': body.contentType, 'content-length': String(body.size) }
    : {};

export function commonHeaders(headers: Headers): CommonHeaders {
  const plain = { accept: ACCEPT, ...headers };
  return { plain, json: { ...plain, 'content-type': CONTENT_TYPES.json } };
}

/** Where requests are sent: the base URL without a trailing slash, and the headers of each request. */
interface Destination {
  readonly baseUrl: string;
  readonly headers: CommonHeaders;
}

/**
 * The request of an endpoint.
 * @throws a usage error for path values that would address another endpoint: empty, `.`, `..`
 */
export function requestOf(
  { baseUrl, headers: { plain, json } }: Destination,
  endpoint: Endpoint,
  values: Values,
): Outgoing {
  const path = endpointPath(endpoint, values.params ?? {}, values.query);
  const { method, repeat, encoding, authenticated } = endpoint;
  const anonymous = authenticated === false ? true : undefined;
  let body: Outgoing['body'];
  let headers = plain;
  if (encoding === 'multipart') {
    body = formBody(formFields(values.body ?? {}));
    headers = { ...plain, ...formHeaders(body) };
  } else if (encoding === 'form') {
    body = formText(values.body ?? {});
    headers = { ...plain, 'content-type': CONTENT_TYPES.form };
  } else if (endpoint.body !== undefined) {
    body = exactJson(jsonValue(endpoint, values));
    headers = json;
  }
  return { method, url: baseUrl + path, path, headers, repeat, body, anonymous };
}

/** The request for display: files are described, nothing is random, and uninformative headers are omitted. */
export function describe(baseUrl: string, endpoint: Endpoint, values: Values): PreparedRequest {
  const path = endpointPath(endpoint, values.params ?? {}, values.query);
  const { method, encoding = 'json' } = endpoint;
  const request = { method, url: baseUrl + path, path };
  if (endpoint.body === undefined) return Object.assign(request, { headers: { accept: ACCEPT } });
  const body = encoding === 'json' ? jsonValue(endpoint, values) : describeForm(formFields(values.body ?? {}));
  return Object.assign(request, { headers: { accept: ACCEPT, 'content-type': CONTENT_TYPES[encoding] }, body });
}

/** The parts of a form for display, by name; files are described. */
export function describeForm(fields: readonly FormField[]): Readonly<Record<string, unknown>> {
  const parts: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    const part =
      typeof value === 'string'
        ? value
        : { filename: value.filename, contentType: value.contentType, size: value.size };
    const before = parts[name];
    parts[name] = before === undefined ? part : [before, part].flat();
  }
  return parts;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
// The transport sets these. `host` would send the request with its token to another virtual host.
const RESERVED = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
]);

function rawHeaders(headers: Headers): Headers {
  const names = Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    if (!TOKEN.test(name)) throw usageError(`${JSON.stringify(name)} is not a valid header name.`);
    if (RESERVED.has(lower)) throw usageError(`The header ${lower} cannot be set: it belongs to the connection.`);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw usageError(`The value of the header ${lower} contains characters that are not allowed.`);
    }
    return [lower, value] as const;
  });
  return Object.fromEntries(names);
}

/**
 * A request outside the contract.
 * @param repeat how it may be retried, from the contract if the endpoint is known
 * @throws a usage error for a path outside the base URL, or an invalid header
 */
export function rawRequestOf({ baseUrl, headers: common }: Destination, request: RawRequest, repeat: Repeat): Outgoing {
  const { method, form } = request;
  const path = rawPath(baseUrl, request.path);
  const own = rawHeaders(request.headers ?? {});
  const body = form === undefined ? request.body : formBody(form);
  const headers = { ...(body === undefined ? common.plain : common.json), ...own, ...formHeaders(body) };
  return { method, url: baseUrl + path, path, repeat, headers, body };
}
