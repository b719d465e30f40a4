/**
 * The bundled service for JavaScript tests: `import { createService } from 'edu-cli/service'`. It is called like
 * `fetch`, in process and without a socket.
 */
import type { HttpRequest, HttpResponse, Method } from '../core/http.js';
import type { PersonaName } from './personas.js';
import { openRehearsal, type ServiceFacts } from './rehearsal.js';
import { basePathOf, withoutTrailingSlash } from './router.js';
import { SEED_NAMES, type SeedName } from './seeds/seed.js';
import type { JournalEntry } from './serve/call-journal.js';
import { readDuration } from './serve/durations.js';
import type { FaultState } from './serve/fault-plan.js';
import type { Fault } from './serve/faults.js';
import { badOption, OptionError } from './serve/option-error.js';
import type { VariantsGiven } from './serve/parse-variants.js';
import {
  readClient,
  readFaults,
  readPort,
  readSeed,
  readVariantOptions,
  requireKnown,
  type SharedOptions,
} from './serve/service-options.js';
import { COLLECTIONS, type CollectionName, isCollection, recordsIn } from './serve/state-view.js';
import type { ClientGiven } from './serve/test-users.js';
import { type ExpectedRequest, verifySequence } from './serve/verify-requests.js';
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

export interface ServiceOptions extends SharedOptions {
  /** Default `http://service.test`. Requests to any other origin are rejected. */
  readonly baseUrl?: string;
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
  /** Default 0: any free port. */
  readonly port?: number;
  /** Addresses to listen on, and further host names that requests may use; default 127.0.0.1. */
  readonly hosts?: readonly string[];
  /** Certificate and private key in PEM format; serves HTTPS if given. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const LISTEN_OPTIONS = ['port', 'hosts', 'tls'];

export interface Listening {
  readonly port: number;
  /** URLs in responses sent by this server start with it. */
  readonly baseUrl: string;
  /** Waits until running requests have finished. */
  close(): Promise<void>;
}

/** A service that runs in this process. */
export interface TestService extends ServiceFacts {
  /** Like the built-in `fetch`, but never follows redirects. Paths are relative to the base URL. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Also serves over HTTP on this machine, with the health and control routes. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Replaces all data by a seed; default: the one the service started with. */
  reset(seed?: SeedName | (string & {})): Promise<void>;
  /** Copies the state and returns a function that restores it. */
  snapshot(): () => void;
  /** Advances the clock: `"90s"`, `"2d"`, or milliseconds. */
  advance(time: string | number): void;
  addFaults(...faults: readonly (string | Fault)[]): void;
  clearFaults(): void;
  /** The active faults, each with the number of requests that matched it and that it affected. */
  faults(): readonly FaultState[];
  /** Changes the behaviour where the API document leaves a choice. */
  setVariants(variants: VariantsGiven): void;
  /**
   * Issues an access token for a user, named by id or e-mail address.
   * @param life `"90s"` or milliseconds until it expires; default: never
   */
  token(user: string, life?: string | number): string;
  revoke(token: string): void;
  expire(token: string): void;
  /** Marks the address of an end user, named by id or e-mail address, as verified. */
  verifyUser(user: string): void;
  /** The e-mails that were sent, with their passwords, oldest first. */
  emails(): readonly Email[];
  /** Registers an application with its own callback URL. */
  addClient(client: ClientGiven): void;
  /** The requests received so far, oldest first. */
  requests(): readonly JournalEntry[];
  /**
   * Checks that these requests came in this order: lines such as `POST /v1/licenses 200`, or objects.
   * @throws Error that names the most similar requests
   */
  verify(...expected: readonly (string | ExpectedRequest)[]): void;
  /** The first thousand records of a collection, such as `users` or `licences`. */
  state(collection: CollectionName): readonly object[];
  /** Stops the service and removes its temporary folders. Later calls fail. */
  close(): Promise<void>;
}

function durationOf(name: string, time: string | number): number {
  const found = typeof time === 'number' && Number.isFinite(time) ? time : readDuration(time);
  if (found !== undefined) return found;
  throw badOption(name, time, 'Write 90s, 2h or 3d, or give milliseconds.');
}

function readBaseUrl(text: unknown): string {
  const isUrl = typeof text === 'string' && /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text) && URL.canParse(text);
  if (isUrl) return withoutTrailingSlash(text);
  throw badOption('baseUrl', text, 'Write it like http://service.test/content.');
}

function headersOf(headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {};
  headers.forEach((value, name) => {
    plain[name] = value;
  });
  return plain;
}

function plainRequest(request: Request): HttpRequest {
  const body = request.body === null ? {} : { body: request.body as unknown as AsyncIterable<Uint8Array> };
  const { url, signal } = request;
  return { method: request.method as Method, url, headers: headersOf(request.headers), signal, ...body };
}

function builtInResponse(request: Request, { status, headers, body }: HttpResponse): Response {
  const bodiless = status === 204 || status === 304 || request.method === 'HEAD';
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : ReadableStream.from(body);
  const init = { status, headers: { ...headers } };
  const response = new Response(bodiless ? null : (content as ConstructorParameters<typeof Response>[0]), init);
  // The constructor leaves `url` empty, unlike `fetch`.
  return Object.defineProperty(response, 'url', { value: request.url.split('#', 1)[0] });
}

/** @throws OptionError for an invalid option, BadSeed for unusable data, StateError if `directory` cannot be opened */
export async function createService(options: ServiceOptions = {}): Promise<TestService> {
  requireKnown(options, Object.keys(OPTIONS));
  const baseUrl = readBaseUrl(options.baseUrl ?? 'http://service.test');
  if (options.random !== undefined && options.randomSeed !== undefined) {
    throw new OptionError('random and randomSeed exclude each other', 'Give one of them.');
  }
  const rehearsal = await openRehearsal(options, basePathOf(baseUrl));
  const { faults, journal, snapshots, people, clock, variants } = rehearsal;
  const send = rehearsal.sendAt(baseUrl);
  const { origin } = new URL(baseUrl);
  const sockets = new Set<Listening>();
  let isClosed = false;
  const whileOpen =
    <A extends readonly unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      if (isClosed) throw new Error('the service is closed');
      return work(...given);
    };
  const asyncWhileOpen = <A extends readonly unknown[], R>(work: (...given: A) => Promise<R>) => {
    const open = whileOpen(work);
    return async (...given: A): Promise<R> => open(...given);
  };
  return {
    ...rehearsal.factsAt(baseUrl),
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
      const { listenFor } = await import('./serve/serve.js');
      const listener = await listenFor(rehearsal, { port: readPort(port), hosts, tls });
      const socket: Listening = {
        port: listener.port,
        baseUrl: listener.baseUrl,
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
    emails: whileOpen(() => people.emails),
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
