/** The journal of requests, for tests that check them. It contains no access token, secret, code or state. */
import { type Body, chunksOf, type Headers, type HttpRequest, type HttpResponse, type Send } from '../../core/http.js';
import { isTooDeep } from '../../core/json.js';
import { addressOf } from '../router.js';
import type { Answered } from '../service-context.js';
import type { Fault } from './faults.js';
import { maskedPath } from './request-log.js';
import type { Person } from './test-users.js';

const MAX_ENTRIES = 1_000;
const MAX_BODY_BYTES = 64 * 1024;

export interface JournalEntry {
  /** Position among all requests since the start, from 1. */
  readonly number: number;
  /** Time of arrival by the service's clock: ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Path and query relative to the base URL; values that could be secret are `…`. */
  readonly path: string;
  readonly headers: Headers;
  /** The JSON body of a request under `/v1`, if it is small. */
  readonly body?: unknown;
  /** The response: headers, and the JSON body if it is small; secret values are `…`. */
  readonly answer?: { readonly headers: Headers; readonly body?: unknown };
  /** 0 while there is no response, or if the connection broke. */
  readonly status: number;
  /** Milliseconds until the response, or until the connection broke. */
  readonly milliseconds?: number;
  /** The user whose token came with the request. */
  readonly caller?: Person;
  /** Unknown members and parameters, which a client may have misspelled. */
  readonly warnings: readonly string[];
  readonly faults: readonly string[];
}

/** The record of a request. Secrets are removed only when the journal is read, to keep requests fast. */
interface Recorded extends Pick<JournalEntry, 'number' | 'method' | 'headers'> {
  readonly time: number;
  readonly url: string;
  body?: unknown;
  answer?: HttpResponse;
  milliseconds?: number;
  readonly caller: Person | undefined;
  warnings: readonly string[];
  readonly faults: string[];
}

/** A `Send` that reports the faults of a request. */
type FaultySend = (request: HttpRequest, onFault: (fault: Fault) => void) => Promise<Answered>;

interface JournalOptions {
  readonly now: () => number;
  readonly basePath: string;
  readonly callerOf: (headers: Headers) => Person | undefined;
}

export function journalOf({ now, basePath, callerOf }: JournalOptions) {
  let recorded: Recorded[] = [];
  let last = 0;
  /** Number of the last request before the journal was cleared. */
  let cleared = 0;
  /** Only of requests that a fault affected, because adding to a WeakMap is slow. */
  const faultsOf = new WeakMap<HttpRequest, readonly string[]>();

  const entryOf = (recorded: Recorded): JournalEntry => {
    const { number, time, method, url, headers, body, answer, milliseconds, caller, warnings, faults } = recorded;
    const { path, query } = addressOf(url, basePath);
    return {
      number,
      at: new Date(time).toISOString(),
      method,
      path: maskedPath(query === '' ? path : `${path}?${query}`),
      headers: maskedHeaders(headers),
      ...(body === undefined ? {} : { body: masked(body) }),
      status: answer?.status ?? 0,
      ...(answer === undefined ? {} : { answer: answerOf(answer) }),
      ...(milliseconds === undefined ? {} : { milliseconds }),
      ...(caller === undefined ? {} : { caller }),
      warnings,
      faults: [...faults],
    };
  };

  const withRecordedBody = (request: HttpRequest, entry: Recorded): HttpRequest => {
    const { method, url, headers, body } = request;
    if (body === undefined || !mayBeJson(headers)) return request;
    if (!addressOf(url, basePath).path.startsWith('/v1/')) return request;
    const record = (bytes: Buffer): void => {
      entry.body = parsed(bytes.toString());
    };
    return { method, url, headers, signal: request.signal, body: tee(body, record) };
  };

  return {
    /** @param after number of the request after which to start */
    entries: (after = 0): readonly JournalEntry[] =>
      recorded
        .slice(-MAX_ENTRIES)
        .filter(({ number }) => number > after)
        .map(entryOf),
    /** Number of the last request. */
    last: () => last,
    /** How many requests since the start, or since the journal was cleared, are no longer in it. */
    forgotten: () => Math.max(0, last - cleared - MAX_ENTRIES),
    clear(): void {
      recorded = [];
      cleared = last;
    },
    save(): () => void {
      const saved = [recorded.slice(), last, cleared] as const;
      return () => {
        [recorded, last, cleared] = [saved[0].slice(), saved[1], saved[2]];
      };
    },
    /** The faults that affected a request, for the request log. */
    noteOn(request: HttpRequest): string | undefined {
      const faults = faultsOf.get(request);
      return faults && `fault: ${faults.join(', ')}`;
    },
    wrap:
      (send: FaultySend): Send =>
      async (request) => {
        const { method, url, headers } = request;
        const number = ++last;
        const caller = callerOf(headers);
        const entry: Recorded = { number, time: now(), method, url, headers, caller, warnings: [], faults: [] };
        const start = performance.now();
        recorded.push(entry);
        // Allows 10 % more, so that a full journal is not copied for each request.
        if (recorded.length > 1.1 * MAX_ENTRIES) recorded = recorded.slice(-MAX_ENTRIES);
        try {
          const response = await send(withRecordedBody(request, entry), (fault) => {
            entry.faults.push(notationOf(fault));
            faultsOf.set(request, entry.faults);
          });
          entry.answer = keptAnswer(response);
          entry.warnings = response.warnings ?? [];
          return response;
        } finally {
          entry.milliseconds = Math.round((performance.now() - start) * 10) / 10;
        }
      },
  };
}

/** The notation of `parseFault`, without the frequency. */
const notationOf = ({ action, status, when }: Fault): string =>
  `${action === 'status' ? status : action}${when === 'after' ? ' after' : ''}`;

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['access_token', 'client_secret', 'code_verifier', 'password']);

/** Removes secrets from headers, but keeps the scheme of a token and the part of an address before its query. */
const maskedHeaders = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (SECRET_HEADERS.has(name)) return [name, value.replace(/^(\w+ )?.*$/s, '$1…')];
      return [name, name === 'location' || name === 'referer' ? value.replace(/\?.*$/s, '?…') : value];
    }),
  );

/** Removes secrets from JSON, including tokens in editor addresses. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, item) => {
      if (SECRET_MEMBERS.has(name)) return '…';
      return typeof item === 'string' ? item.replace(/([?&]token=)[^&]*/g, '$1…') : item;
    }),
  );

/** Keeps small JSON bodies only; long lists and files would fill the memory. */
export function keptAnswer({ status, headers, body }: HttpResponse): HttpResponse {
  const isKept = typeof body === 'string' && body.length <= MAX_BODY_BYTES && headers['content-type']?.includes('json');
  return isKept ? { status, headers, body } : { status, headers, body: '' };
}

function answerOf({ headers, body }: HttpResponse): NonNullable<JournalEntry['answer']> {
  const value = typeof body === 'string' ? parsed(body) : undefined;
  return { headers: maskedHeaders(headers), ...(value === undefined ? {} : { body: masked(value) }) };
}

/** Returns true unless a request says that its body has another type. */
export const mayBeJson = (headers: Headers): boolean => (headers['content-type'] ?? 'json').includes('json');

/** Returns undefined for invalid or deeply nested JSON: a broken response, or a request that is answered with 400. */
export function parsed(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Forwards the bytes, then passes them to `onEnd` if there are few enough. */
async function* tee(body: Body, onEnd: (bytes: Buffer) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    yield chunk;
  }
  if (size <= MAX_BODY_BYTES) onEnd(Buffer.concat(chunks));
}
