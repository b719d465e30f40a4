/**
 * The bundled service for tests in JavaScript: `import { createService } from 'edu-cli/service'`. Works like `fetch`,
 * in process and without a socket.
 */
import type { HttpRequest, HttpResponse, Send as HttpSend, Method } from '../core/http.js';
import type { PersonaName } from './personas.js';
import { openRehearsal, type ServiceFacts } from './rehearsal.js';
import { SEED_NAMES, type SeedName } from './seeds/seed.js';
import type { JournalEntry } from './serve/call-journal.js';
import { startingAt } from './serve/clock.js';
import { readDuration } from './serve/durations.js';
import type { FaultState } from './serve/fault-plan.js';
import type { Fault } from './serve/faults.js';
import {
  OptionError,
  readCallback,
  readClient,
  readClients,
  readDirectory,
  readFaults,
  readFunction,
  readLatency,
  readPort,
  readSeed,
  readTime,
  readVariantOptions,
  requireKnown,
  seededBytes,
} from './serve/options.js';
import type { VariantsGiven } from './serve/parse-variants.js';
import type { ClientGiven } from './serve/people.js';
import { COLLECTIONS, type CollectionName, isCollection, recordsIn } from './serve/state-view.js';
import { type ExpectedRequest, verifySequence } from './serve/verify.js';
import type { Email } from './service-context.js';

export type {
  ClientGiven,
  CollectionName,
  Email,
  ExpectedRequest,
  Fault,
  FaultState,
  JournalEntry,
  PersonaName,
  SeedName,
  ServiceFacts,
  VariantsGiven,
};
export { OptionError, SEED_NAMES };

export interface ServiceOptions {
  /** What it starts with: a seed's name, or the path of an export or of a JSON file; `demo` if left out. */
  readonly seed?: SeedName | (string & {});
  /** Keep the state in this folder; it is kept in memory if left out. */
  readonly directory?: string;
  /** Where it is said to be: `http://service.test` if left out. Requests to any other origin are refused. */
  readonly baseUrl?: string;
  /** Callback URL of the bundled application. */
  readonly callbackUrl?: string;
  /** Applications that are registered besides the bundled one. */
  readonly clients?: readonly ClientGiven[];
  /** Milliseconds since 1970; the real time if left out. A fixed clock makes answers the same in each run. */
  readonly clock?: () => number;
  /** The time at which `clock` starts: ISO 8601, a Date, or milliseconds since 1970. */
  readonly now?: string | number | Date;
  /** A number of random bytes; the system's if left out. */
  readonly random?: (count: number) => Uint8Array;
  /** Ids, codes and tokens are the same in each run with the same number. */
  readonly randomSeed?: number;
  /** `20ms`, `20ms-80ms`, or milliseconds. */
  readonly latency?: string | number;
  /** Faults as text (`"POST /v1/licenses 503 every=3"`) or objects. */
  readonly faults?: readonly (string | Fault)[];
  /** Other choices where the API document leaves one: `{ createdStatus: 201, lastCursor: 'absent' }`. */
  readonly variants?: VariantsGiven;
  /** A mix of such choices, the same for each seed. */
  readonly strange?: number;
}

const OPTIONS: { readonly [N in keyof ServiceOptions]-?: true } = {
  seed: true,
  directory: true,
  baseUrl: true,
  callbackUrl: true,
  clients: true,
  clock: true,
  now: true,
  random: true,
  randomSeed: true,
  latency: true,
  faults: true,
  variants: true,
  strange: true,
};

export interface ListenOptions {
  /** 0, any free one, if left out. */
  readonly port?: number;
  /** Addresses to listen on, and names that requests may be addressed to besides; 127.0.0.1 if left out. */
  readonly hosts?: readonly string[];
  /** Certificate and private key, as PEM: HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const LISTEN_OPTIONS = ['port', 'hosts', 'tls'];

/** A socket behind which the same service answers. */
export interface Listening {
  readonly port: number;
  /** Answers through this socket hold addresses under it. */
  readonly baseUrl: string;
  /** Lets requests under way finish. */
  close(): Promise<void>;
}

/** A service that runs in this process. */
export interface TestService extends ServiceFacts {
  /** Answers a request as `fetch` would; a path is taken to be under the base URL. Never follows a redirect. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Answers at a socket of this machine as well, with the health and the control route. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Resets the data. */
  reset(seed?: SeedName | (string & {})): Promise<void>;
  /** Copies the state and returns a function that puts it back. */
  snapshot(): () => void;
  /** Moves the clock: `"90s"`, `"2d"`, or milliseconds. */
  advance(time: string | number): void;
  /** Adds faults to those in force. */
  addFaults(...faults: readonly (string | Fault)[]): void;
  clearFaults(): void;
  /** The faults in force, with how often each was met and played. */
  faults(): readonly FaultState[];
  /** Changes what it does where the API document leaves a choice. */
  setVariants(variants: VariantsGiven): void;
  /**
   * An access token for a user, by id or e-mail address.
   * @param life `"90s"` or milliseconds until it expires; never if left out
   */
  token(user: string, life?: string | number): string;
  /** Revokes a token. */
  revoke(token: string): void;
  /** Makes a token expire now. */
  expire(token: string): void;
  /** Verifies the e-mail address of an end user, by id or e-mail address. */
  verifyUser(user: string): void;
  /** The e-mails that were sent, with their passwords, oldest first. */
  emails(): readonly Email[];
  /** Registers an application with a callback URL of its own. */
  addClient(client: ClientGiven): void;
  /** What was asked so far, oldest first. */
  requests(): readonly JournalEntry[];
  /**
   * Passes when these requests came, in this order: lines such as `POST /v1/licenses 200`, or objects.
   * @throws Error that names the requests that came nearest
   */
  verify(...expected: readonly (string | ExpectedRequest)[]): void;
  /** The first thousand records of a collection, such as `users` or `licences`. */
  state(collection: CollectionName): readonly object[];
  /** Ends it and removes what it kept in temporary folders. Every call fails from then on. */
  close(): Promise<void>;
}

/** Milliseconds of a length of time. */
function durationOf(name: string, time: string | number): number {
  const found = typeof time === 'number' && Number.isFinite(time) ? time : readDuration(time);
  if (found !== undefined) return found;
  throw new OptionError(`${name} ${JSON.stringify(time)} cannot be used`, 'Write 90s, 2h or 3d, or give milliseconds.');
}

function readBaseUrl(text: unknown): string {
  const isUrl = typeof text === 'string' && /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text) && URL.canParse(text);
  if (isUrl) return text.replace(/(?<!\/)\/+$/, '');
  throw new OptionError(`baseUrl ${JSON.stringify(text)} cannot be used`, 'Write it like http://service.test/content.');
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
  const init = { status, headers: { ...headers } };
  const response = new Response(bodiless ? null : (content as ConstructorParameters<typeof Response>[0]), init);
  // The constructor leaves it empty; `fetch` tells where the response came from.
  return Object.defineProperty(response, 'url', { value: request.url.split('#', 1)[0] });
}

/** Opens the state, told by options that were checked. */
async function openFrom(options: ServiceOptions) {
  const { seed = 'demo', directory, callbackUrl, clock = Date.now, now, random, randomSeed, clients } = options;
  const { variants, strange, latency, faults } = options;
  const { randomBytes } = await import('node:crypto');
  readFunction('clock', clock);
  if (random !== undefined && randomSeed !== undefined) {
    throw new OptionError('random and randomSeed exclude each other', 'Give one of them.');
  }
  return openRehearsal({
    directory: readDirectory(directory),
    seed: readSeed(seed),
    callbackUrl: callbackUrl === undefined ? undefined : readCallback(callbackUrl),
    clock: now === undefined ? clock : startingAt(readTime('now', now), clock),
    random: readFunction('random', random) ?? (randomSeed === undefined ? randomBytes : seededBytes(randomSeed)),
    latency: readLatency(latency),
    faults: readFaults(faults),
    variants: readVariantOptions(variants, strange),
    clients: readClients(clients),
  });
}

/**
 * Makes a service in this process.
 * @throws OptionError for an option that cannot be used; what a state cannot be opened for, when `directory` is given
 */
export async function createService(options: ServiceOptions = {}): Promise<TestService> {
  requireKnown(options, Object.keys(OPTIONS));
  const baseUrl = readBaseUrl(options.baseUrl ?? 'http://service.test');
  const rehearsal = (await openFrom(options)).at(baseUrl);
  const { send, faults, journal, snapshots, people, clock, variants } = rehearsal;
  const { origin, pathname } = new URL(baseUrl);
  const sockets = new Set<Listening>();
  let isClosed = false;
  const whileOpen =
    <A extends readonly unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      if (isClosed) throw new Error('the service is closed');
      return work(...given);
    };
  /** The same for work that returns a promise, which then rejects. */
  const asyncWhileOpen = <A extends readonly unknown[], R>(work: (...given: A) => Promise<R>) => {
    const open = whileOpen(work);
    return async (...given: A): Promise<R> => open(...given);
  };
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
        return builtInResponse(request, await whileOpen(send)(plainRequest(request)));
      } catch (error) {
        request.signal.throwIfAborted();
        throw new TypeError('fetch failed', { cause: error });
      }
    },
    listen: asyncWhileOpen(async (given = {}) => {
      requireKnown(given, LISTEN_OPTIONS);
      const { port = 0, hosts, tls } = given;
      const [{ listen }, { withControl }] = await Promise.all([
        import('./serve/listen.js'),
        import('./serve/control.js'),
      ]);
      const basePath = pathname.replace(/(?<!\/)\/+$/, '').replace(/^\/$/, '');
      // Answers hold the address, which is known only when there is a port.
      let answer: HttpSend = rehearsal.send;
      const listener = await listen((request) => answer(request), { port: readPort(port), hosts, tls });
      const url = `${listener.origin}${basePath}`;
      answer = withControl({ ...rehearsal, send: rehearsal.sendAt(url) }, basePath);
      const socket: Listening = {
        port: listener.port,
        baseUrl: url,
        async close() {
          sockets.delete(socket);
          await listener.stop();
        },
      };
      sockets.add(socket);
      return socket;
    }),
    reset: asyncWhileOpen(async (name = options.seed ?? 'demo') => rehearsal.reset(readSeed(name))),
    snapshot: whileOpen(() => {
      const name = snapshots.take();
      return whileOpen(() => void snapshots.restore(name));
    }),
    advance: whileOpen((time) => clock.advance(durationOf('time', time))),
    addFaults: whileOpen((...added) => faults.add(readFaults(added))),
    clearFaults: whileOpen(() => faults.clear()),
    faults: whileOpen(() => faults.state()),
    setVariants: whileOpen((given) => void Object.assign(variants, readVariantOptions(given))),
    token: whileOpen((user, life) => people.token(user, life === undefined ? undefined : durationOf('life', life))),
    revoke: whileOpen((token) => people.revoke(token)),
    expire: whileOpen((token) => people.expire(token)),
    verifyUser: whileOpen((user) => people.verify(user)),
    emails: whileOpen(() => people.emails()),
    addClient: whileOpen((client) => void people.register(readClient(client))),
    requests: whileOpen(() => journal.entries()),
    verify: whileOpen((...expected) => {
      const verdict = verifySequence(journal.entries(), expected);
      if (verdict.ok) return;
      const near = verdict.nearMisses.map(({ request, differences }) => `\n  ${request}: ${differences.join('; ')}`);
      throw new Error(
        `no request ${JSON.stringify(verdict.missing)} came in this order. Nearest:${near.join('') || ' none'}`,
      );
    }),
    state: whileOpen((name) => {
      if (isCollection(name)) return recordsIn(rehearsal.store, name).items;
      throw new OptionError(`there is no collection ${JSON.stringify(name)}`, `Choose from ${COLLECTIONS.join(', ')}.`);
    }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all([...sockets].map((socket) => socket.close()));
      rehearsal.close();
    },
  };
}
