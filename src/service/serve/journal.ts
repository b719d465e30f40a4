/**
 * What was asked of the service, for tests that want to see what their program sent. No access token, secret, code or
 * state gets in. It knows nothing of sockets.
 */
import { type Body, chunksOf, type HttpRequest, type Send } from '../../http.js';
import { addressOf } from '../router.js';
import { harmlessPath } from './requestLog.js';

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
  /** The JSON body of a call under `/v1`, where there was a small one. */
  body?: unknown;
  /** 0 while there is no answer, or when the connection broke. */
  status: number;
  /** The faults that were played on it, in words. */
  readonly faults: string[];
}

export interface JournalOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly basePath: string;
}

export class Journal {
  #entries: JournalEntry[] = [];
  #last = 0;
  readonly #open = new WeakMap<HttpRequest, JournalEntry>();
  readonly #options: JournalOptions;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** The requests that came after the one with this number, oldest first. */
  entries(after = 0): readonly JournalEntry[] {
    return this.#entries.filter(({ number }) => number > after);
  }

  clear(): void {
    this.#entries = [];
  }

  /** Adds a fault to what is known of a request under way. */
  noteFault(request: HttpRequest, fault: string): void {
    this.#open.get(request)?.faults.push(fault);
  }

  /** What the log shall say of a request: the faults played on it. */
  noteOn(request: HttpRequest): string | undefined {
    const faults = this.#open.get(request)?.faults ?? [];
    return faults.length === 0 ? undefined : `fault: ${faults.join(', ')}`;
  }

  /** Wraps a `Send` so that what passes is written down. */
  wrap(send: Send): Send {
    return async (request) => {
      const entry = this.#begin(request);
      const response = await send(this.#overhear(request, entry));
      entry.status = response.status;
      return response;
    };
  }

  #begin(request: HttpRequest): JournalEntry {
    const { path, query } = addressOf(request.url, this.#options.basePath);
    const entry: JournalEntry = {
      number: ++this.#last,
      at: new Date(this.#options.now()).toISOString(),
      method: request.method,
      path: harmlessPath(query === '' ? path : `${path}?${query}`),
      status: 0,
      faults: [],
    };
    this.#entries.push(entry);
    // cut seldom, so that a full journal does not cost a move of all its entries with each request
    if (this.#entries.length > 2 * MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES);
    this.#open.set(request, entry);
    return entry;
  }

  #overhear(request: HttpRequest, entry: JournalEntry): HttpRequest {
    const { body, headers } = request;
    const isJson = headers['content-type']?.includes('json') === true && entry.path.startsWith('/v1/');
    if (body === undefined || !isJson) return request;
    const overheard = { ...request, body: tee(body, (bytes) => remember(entry, bytes)) };
    // who asks about the copy means the request
    this.#open.set(overheard, entry);
    return overheard;
  }
}

function remember(entry: JournalEntry, bytes: Buffer): void {
  try {
    entry.body = JSON.parse(bytes.toString());
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
