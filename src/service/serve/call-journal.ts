/**
 * The journal of requests, for tests that check the requests of their program. It contains no access token, secret,
 * code or state.
 */
import { type Body, chunksOf, type Headers, type HttpRequest, type HttpResponse, type Send } from '../../core/http.js';
import { addressOf } from '../router.js';
import { harmlessPath } from './request-log.js';

/** Requests that are remembered; the oldest give way. */
const MOST_ENTRIES = 1_000;
/** The largest JSON body that is remembered, in bytes. */
const MOST_BODY = 64 * 1024;

export interface JournalEntry {
  /** Counts all requests since the start, from 1. */
  readonly number: number;
  /** When it came, by the service's clock: ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Path and query under the base URL; values that could be secret are `…`. */
  readonly path: string;
  /** Those of the request; values that are secret are `…`. */
  readonly headers: Headers;
  /** The JSON body of a call under `/v1`, where there was a small one. */
  readonly body?: unknown;
  /** What was answered: headers, and the JSON body where there was a small one; values that are secret are `…`. */
  readonly answer?: { readonly headers: Headers; readonly body?: unknown };
  /** 0 while there is no answer, or when the connection broke. */
  readonly status: number;
  /** The faults that were played on it, in words. */
  readonly faults: readonly string[];
}

/** What is noted while a request runs. It is made fit to be shown only when someone looks. */
interface Note {
  readonly number: number;
  readonly time: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  body: unknown;
  answer: HttpResponse | undefined;
  status: number;
  faults: readonly string[] | undefined;
}

export interface JournalOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Path of the service's base URL, without a slash at the end. */
  readonly basePath: string;
}

export class Journal {
  #notes: Note[] = [];
  #last = 0;
  /** The faults played on requests. Most requests never get in: entries of a WeakMap cost more than they look. */
  readonly #faults = new WeakMap<HttpRequest, string[]>();
  readonly #options: JournalOptions;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** The requests that came after the one with this number, oldest first. */
  entries(after = 0): readonly JournalEntry[] {
    return this.#notes
      .slice(-MOST_ENTRIES)
      .filter(({ number }) => number > after)
      .map((note) => this.#entryOf(note));
  }

  clear(): void {
    this.#notes = [];
  }

  /** Adds a fault to what is known of a request under way. */
  noteFault(request: HttpRequest, fault: string): void {
    const faults = this.#faults.get(request);
    if (faults === undefined) this.#faults.set(request, [fault]);
    else faults.push(fault);
  }

  /** What the log shall say of a request: the faults played on it. */
  noteOn(request: HttpRequest): string | undefined {
    const faults = this.#faults.get(request);
    return faults && `fault: ${faults.join(', ')}`;
  }

  /** Wraps a `Send` so that what passes is written down. */
  wrap(send: Send): Send {
    return async (request) => {
      const note = this.#begin(request);
      const overheard = this.#overhear(request, note);
      try {
        const response = await send(overheard);
        note.status = response.status;
        note.answer = keptAnswer(response);
        return response;
      } finally {
        const played = this.#faults.get(overheard);
        note.faults = played;
        // who asks about the request later does not know of the copy
        if (played !== undefined) this.#faults.set(request, played);
      }
    };
  }

  #begin(request: HttpRequest): Note {
    const { method, url, headers } = request;
    const [number, time] = [++this.#last, this.#options.now()];
    const note: Note = {
      number,
      time,
      method,
      url,
      headers,
      body: undefined,
      answer: undefined,
      status: 0,
      faults: undefined,
    };
    this.#notes.push(note);
    // Cut seldom, so that a full journal does not cost a move of all its entries with each request.
    if (this.#notes.length > 1.1 * MOST_ENTRIES) this.#notes = this.#notes.slice(-MOST_ENTRIES);
    return note;
  }

  #entryOf({ number, time, method, url, headers, body, answer, status, faults = [] }: Note): JournalEntry {
    const { path, query } = addressOf(url, this.#options.basePath);
    return {
      number,
      at: new Date(time).toISOString(),
      method,
      path: harmlessPath(query === '' ? path : `${path}?${query}`),
      headers: maskedHeaders(headers),
      ...(body === undefined ? {} : { body: masked(body) }),
      status,
      ...(answer === undefined ? {} : { answer: answerOf(answer) }),
      faults,
    };
  }

  #overhear(request: HttpRequest, note: Note): HttpRequest {
    const { body, headers, url } = request;
    if (body === undefined || !headers['content-type']?.includes('json')) return request;
    if (!addressOf(url, this.#options.basePath).path.startsWith('/v1/')) return request;
    const { method, signal } = request;
    return { method, url, headers, signal, body: tee(body, (bytes) => remember(note, bytes)) };
  }
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['access_token', 'client_secret', 'code_verifier', 'password']);

/** Headers without secrets: of a token its scheme stays, of an address with a code or a state the part before the query. */
const maskedHeaders = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (SECRET_HEADERS.has(name)) return [name, value.replace(/^(\w+ )?.*$/s, '$1…')];
      return [name, name === 'location' || name === 'referer' ? value.replace(/\?.*$/s, '?…') : value];
    }),
  );

/** JSON without secrets, those of editor addresses included. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, item) => {
      if (SECRET_MEMBERS.has(name)) return '…';
      return typeof item === 'string' ? item.replace(/([?&]token=)[^&]*/g, '$1…') : item;
    }),
  );

/** An answer as the journal keeps it: lists of thousands and files would fill the memory. */
export function keptAnswer({ status, headers, body }: HttpResponse): HttpResponse {
  const isKept = typeof body === 'string' && body.length <= MOST_BODY && headers['content-type']?.includes('json');
  return isKept ? { status, headers, body } : { status, headers, body: '' };
}

function answerOf({ headers, body }: HttpResponse): NonNullable<JournalEntry['answer']> {
  const shown = maskedHeaders(headers);
  if (typeof body !== 'string' || body === '') return { headers: shown };
  try {
    return { headers: shown, body: masked(JSON.parse(body)) };
  } catch {
    return { headers: shown };
  }
}

function remember(note: Note, bytes: Buffer): void {
  try {
    note.body = JSON.parse(bytes.toString());
  } catch {
    // what is no JSON is answered with 400; there is nothing to remember
  }
}

/** Passes bytes on and, at their end, hands over what was small enough to keep. */
async function* tee(body: Body, onEnd: (bytes: Buffer) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size <= MOST_BODY) chunks.push(chunk);
    yield chunk;
  }
  if (size <= MOST_BODY) onEnd(Buffer.concat(chunks));
}

/** Faults in the words that `parseFault` takes, without how often. */
export function faultInWords({
  action,
  status,
  when,
}: {
  readonly action: string;
  readonly status?: number;
  readonly when?: string;
}): string {
  return `${action === 'status' ? status : action}${when === 'after' ? ' after' : ''}`;
}
