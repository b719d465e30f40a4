/**
 * The bundled service for tests in JavaScript: `import { createService } from 'edu-cli/service'`. Shaped like `fetch`, in
 * process, without a socket. The built-in `Request` and `Response` are touched only when it is called.
 */
import type { HttpRequest, HttpResponse, Method } from '../core/http.js';
import type { PersonaName } from './personas.js';
import { openRehearsal, type ServiceFacts } from './rehearsal.js';
import { SEED_NAMES, type SeedName } from './seeds/seed.js';
import type { JournalEntry } from './serve/call-journal.js';
import { parseDuration, parseDurationRange } from './serve/durations.js';
import type { FaultState } from './serve/fault-plan.js';
import { type Fault, faultsOf, parseFaults } from './serve/faults.js';

export type { Fault, FaultState, JournalEntry, PersonaName, SeedName, ServiceFacts };
export { SEED_NAMES };

export interface ServiceOptions {
  /** What it starts with: `demo` if left out. */
  readonly seed?: SeedName;
  /** Keep the state in this folder; it is kept in memory if left out. */
  readonly directory?: string;
  /** Where it is said to be: `http://service.test` if left out. Requests to any other origin are refused. */
  readonly baseUrl?: string;
  /** Callback URL of the bundled application. */
  readonly callbackUrl?: string;
  /** Milliseconds since 1970; the real time if left out. A fixed clock makes answers the same in each run. */
  readonly clock?: () => number;
  /** So many random bytes; the system's if left out. */
  readonly random?: (count: number) => Uint8Array;
  /** `20ms`, `20ms-80ms`, or milliseconds. */
  readonly latency?: string | number;
  /** Faults as text (`"POST /v1/licenses 503 every=3"`) or objects. */
  readonly faults?: readonly (string | Fault)[];
}

/** A service that runs in this process. */
export interface TestService extends ServiceFacts {
  /** Answers a request as `fetch` would; a path is taken to be under the base URL. Never follows a redirect. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Starts afresh. */
  reset(seed?: SeedName): Promise<void>;
  /** Copies the state and returns a function that puts it back. */
  snapshot(): () => void;
  /** Moves the clock: `"90s"`, `"2d"`, or milliseconds. */
  advance(time: string | number): void;
  /** Adds faults to those in force. */
  addFaults(...faults: readonly (string | Fault)[]): void;
  clearFaults(): void;
  /** The faults in force, with how often each was met and played. */
  faults(): readonly FaultState[];
  /** What was asked so far, oldest first. */
  requests(): readonly JournalEntry[];
  /** Ends it and removes what it kept in temporary folders. */
  close(): void;
}

const parsed = (faults: readonly (string | Fault)[]): Fault[] =>
  faults.flatMap((fault) => (typeof fault === 'string' ? parseFaults(fault) : faultsOf(fault)));

function latencyOf(latency: string | number | undefined) {
  if (latency === undefined) return undefined;
  const range = parseDurationRange(String(latency));
  if (range === undefined) throw new TypeError(`"${latency}" is no latency: write 20ms or 20ms-80ms`);
  return range;
}

function headersOf(headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {};
  headers.forEach((value, name) => {
    plain[name] = value;
  });
  return plain;
}

/** A built-in request in the service's form. */
function plainRequest(request: Request): HttpRequest {
  const body = request.body === null ? {} : { body: request.body as unknown as AsyncIterable<Uint8Array> };
  const { url, signal } = request;
  return { method: request.method as Method, url, headers: headersOf(request.headers), signal, ...body };
}

/** A response of the service as the built-in one. */
function builtInResponse(request: Request, { status, headers, body }: HttpResponse): Response {
  const bodiless = status === 204 || status === 304 || request.method === 'HEAD';
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : ReadableStream.from(body);
  return new Response(bodiless ? null : (content as ConstructorParameters<typeof Response>[0]), {
    status,
    headers: { ...headers },
  });
}

/**
 * Makes a service in this process.
 * @throws what a state can't be opened for, when `directory` is given
 */
export async function createService(options: ServiceOptions = {}): Promise<TestService> {
  const { seed = 'demo', directory, callbackUrl, clock = Date.now } = options;
  const { randomBytes } = await import('node:crypto');
  const baseUrl = (options.baseUrl ?? 'http://service.test').replace(/(?<!\/)\/+$/, '');
  const opened = await openRehearsal({
    directory,
    seed,
    callbackUrl,
    clock,
    random: options.random ?? randomBytes,
    latency: latencyOf(options.latency),
    faults: parsed(options.faults ?? []),
  });
  const rehearsal = opened.at(baseUrl);
  const { send, faults, journal, snapshots } = rehearsal;
  const { origin } = new URL(baseUrl);
  return {
    ...rehearsal.facts,
    async fetch(input, init) {
      const address = typeof input === 'string' && input.startsWith('/') ? `${baseUrl}${input}` : input;
      const request = new Request(address, init);
      if (new URL(request.url).origin !== origin) {
        throw new TypeError('fetch failed', { cause: new Error(`${request.url} is not under ${baseUrl}`) });
      }
      request.signal.throwIfAborted();
      try {
        return builtInResponse(request, await send(plainRequest(request)));
      } catch (error) {
        throw new TypeError('fetch failed', { cause: error });
      }
    },
    reset: (name = seed) => rehearsal.reset(name),
    snapshot() {
      const name = snapshots.take();
      return () => void snapshots.restore(name);
    },
    advance(time) {
      const milliseconds = typeof time === 'number' ? time : parseDuration(time);
      if (milliseconds === undefined) throw new TypeError(`"${time}" is no length of time: write 90s or 2d`);
      rehearsal.clock.advance(milliseconds);
    },
    addFaults: (...added) => faults.add(parsed(added)),
    clearFaults: () => faults.clear(),
    faults: () => faults.state(),
    requests: () => journal.entries(),
    close: () => rehearsal.close(),
  };
}
