/** The bundled service for JavaScript tests, called like `fetch`: `import { createService } from 'edu-cli/service'`. */
import { type HttpRequest, type HttpResponse, type Method, withoutTrailingSlash } from '../core/http.js';
import type { PersonaName } from './personas.js';
import { openRehearsal, type Rehearsal, type ServiceFacts } from './rehearsal.js';
import { basePathOf } from './router.js';
import { SEED_NAMES, type SeedName } from './seeds/seed.js';
import type { JournalEntry } from './serve/call-journal.js';
import type { FaultState } from './serve/fault-plan.js';
import type { Fault } from './serve/faults.js';
import { badOption, OptionError, requireDuration, requireKnown } from './serve/option-values.js';
import type { VariantsGiven } from './serve/parse-variants.js';
import {
  type AuthorizeOptions,
  readClient,
  readFaults,
  readKept,
  readPort,
  readSeed,
  readVariantOptions,
  type SharedOptions,
} from './serve/service-options.js';
import { type ClientGiven, recordsIn } from './serve/test-users.js';
import type { ExpectedRequest } from './serve/verify-requests.js';
import type { Part } from './snapshots.js';
import type { Email } from './store/records.js';

export type {
  AuthorizeOptions,
  ClientGiven,
  Email,
  ExpectedRequest,
  Fault,
  FaultState,
  JournalEntry,
  Part,
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

export interface KeepOptions {
  /** What stays as it is. `data` includes e-mails and tokens. */
  readonly keep?: readonly Part[];
}

export interface ResetOptions extends KeepOptions {
  /** Default: the seed that the service started with. */
  readonly seed?: SeedName | (string & {});
}

const OPTIONS = [
  ...['seed', 'directory', 'baseUrl', 'callbackUrl', 'clients', 'clock', 'now', 'randomSeed', 'latency', 'faults'],
  ...['variants', 'strange', 'strictInput'],
];

export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Addresses to listen on, and further host names that requests may use; default 127.0.0.1. */
  readonly hosts?: readonly string[];
  /** Certificate and private key in PEM format; serves HTTPS if given. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

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
  /** Sets everything back to the start: data, e-mails, tokens, requests, faults, clock and variants. Ports stay open. */
  reset(options?: ResetOptions): Promise<void>;
  /** Like a new process with the same options: data in a `directory` stays, and everything else is as after `reset`. */
  restart(): Promise<void>;
  /** Saves everything that `reset` sets back, and returns a function that restores it. */
  snapshot(): (options?: KeepOptions) => void;
  /** Advances the clock: `"90s"`, `"2d"`, or milliseconds. */
  advance(time: string | number): void;
  addFaults(...faults: readonly (string | Fault)[]): void;
  clearFaults(): void;
  /** The active faults, each with the number of requests that matched it and that it affected. */
  faults(): readonly FaultState[];
  /** Changes the behaviour where the API document leaves a choice. */
  setVariants(variants: VariantsGiven): void;
  /** Issues an access token to a user (id or e-mail address). @param life `"90s"` or milliseconds; default: for ever */
  token(user: string, life?: string | number): string;
  /** Logs a user in and consents. Returns the callback address with `code` and `state`, or with an error. */
  authorize(options: AuthorizeOptions): Promise<string>;
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
   * Checks that each of these requests came, in this order: lines such as `POST /v1/licenses 200`, `… times=2`,
   * `… at-least=2`, `… never`, `… as=school`, or objects.
   * @throws Error with what came, and the most similar requests
   */
  verify(...expected: readonly (string | ExpectedRequest)[]): void;
  /** Like `verify`, and that no other requests came. */
  verifyOnly(...expected: readonly (string | ExpectedRequest)[]): void;
  /** The first thousand records of a collection, such as `users` or `licences`. @throws Error that names all collections */
  state(collection: string): readonly object[];
  /** Stops the service and removes its temporary folders. Later calls fail. */
  close(): Promise<void>;
}

function readBaseUrl(text: unknown): string {
  const isUrl = typeof text === 'string' && /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text) && URL.canParse(text);
  if (isUrl) return withoutTrailingSlash(text);
  throw badOption('baseUrl', text, 'Write it like http://service.test/content.');
}

function plainRequest({ method, url, headers, body, signal }: Request): HttpRequest {
  const given = body === null ? {} : { body: body as unknown as AsyncIterable<Uint8Array> };
  return { method: method as Method, url, headers: Object.fromEntries(headers), signal, ...given };
}

/** Adds the hint of an error to its message, because test runners show nothing else. */
async function withRemedy<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Error && 'hint' in error && error.hint !== '') error.message += `. ${error.hint}`;
    throw error;
  });
}

/** Fails as the body of a `fetch` does. */
async function* asFetched(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    signal.throwIfAborted();
    throw new TypeError('terminated', { cause: error });
  }
}

/** The cause of a rejected `fetch`, with the code that the network would give. */
const unreachable = (message: string, code: 'ENOTFOUND' | 'ECONNREFUSED'): Error =>
  Object.assign(new Error(message), { code });

function builtInResponse(request: Request, { status, headers, body }: HttpResponse): Response {
  const bodiless = status === 204 || status === 304 || request.method === 'HEAD';
  const content =
    typeof body === 'string' || body instanceof Uint8Array
      ? body
      : ReadableStream.from(asFetched(body, request.signal));
  const init = { status, headers: { ...headers } };
  const response = new Response(bodiless ? null : (content as ConstructorParameters<typeof Response>[0]), init);
  // The constructor leaves `url` empty, unlike `fetch`.
  return Object.defineProperty(response, 'url', { value: request.url.split('#', 1)[0] });
}

/** @throws OptionError for an invalid option or unusable data, StateError if `directory` cannot be opened */
export async function createService(options: ServiceOptions = {}): Promise<TestService> {
  requireKnown(options, OPTIONS);
  const baseUrl = readBaseUrl(options.baseUrl ?? 'http://service.test');
  const rehearsal = await withRemedy(
    openRehearsal(options, basePathOf(baseUrl), (line) => process.emitWarning(line.trimEnd())),
  );
  const send = rehearsal.sendAt(baseUrl);
  const { origin } = new URL(baseUrl);
  const sockets = new Set<Listening['close']>();
  let isClosed = false;
  const open = (): Rehearsal => {
    if (isClosed) throw unreachable('the service is closed', 'ECONNREFUSED');
    return rehearsal;
  };
  const verify = (expected: readonly (string | ExpectedRequest)[], only: boolean): void => {
    const { ok, message } = open().verify(expected, only);
    if (!ok) throw new Error(message);
  };
  return {
    ...rehearsal.factsAt(baseUrl),
    async fetch(input, init) {
      const address = typeof input === 'string' && input.startsWith('/') ? `${baseUrl}${input}` : input;
      const request = new Request(address, init);
      if (new URL(request.url).origin !== origin) {
        throw new TypeError('fetch failed', {
          cause: unreachable(`${request.url} is not under ${baseUrl}`, 'ENOTFOUND'),
        });
      }
      request.signal.throwIfAborted();
      try {
        open();
        return builtInResponse(request, await send(plainRequest(request)));
      } catch (error) {
        request.signal.throwIfAborted();
        throw new TypeError('fetch failed', { cause: error });
      }
    },
    async listen(given = {}) {
      open();
      requireKnown(given, ['port', 'hosts', 'tls']);
      const { port = 0, hosts, tls } = given;
      const { listenFor } = await import('./serve/serve.js');
      const listener = await listenFor(rehearsal, { port: readPort(port), hosts, tls });
      const close = (): Promise<void> => listener.stop();
      sockets.add(close);
      return { port: listener.port, baseUrl: listener.baseUrl, close };
    },
    async reset(given = {}) {
      requireKnown(given, ['seed', 'keep']);
      await open().reset(readKept(given.keep), given.seed === undefined ? undefined : readSeed(given.seed));
    },
    restart: async () => open().restart(),
    snapshot() {
      const name = open().snapshots.take();
      return (given = {}) => {
        requireKnown(given, ['keep']);
        open().snapshots.restore(name, readKept(given.keep));
      };
    },
    advance: (time) => open().clock.advance(requireDuration('time', time)),
    addFaults: (...added) => open().faults.add(readFaults(added)),
    clearFaults: () => open().faults.add([], true),
    faults: () => open().faults.state(),
    setVariants: (given) => void Object.assign(open().variants, readVariantOptions(given)),
    token: (user, life) => open().people.token(user, life === undefined ? undefined : requireDuration('life', life)),
    authorize: async (given) => open().authorize(given),
    revoke: (token) => open().people.revoke(token),
    expire: (token) => open().people.expire(token),
    verifyUser: (user) => open().people.verify(user),
    emails: () => open().people.emails(),
    addClient: (client) => void open().people.register(readClient(client)),
    requests: () => open().journal.entries(),
    verify: (...expected) => verify(expected, false),
    verifyOnly: (...expected) => verify(expected, true),
    state: (name) => recordsIn(open().store, name).items,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all([...sockets].map((close) => close()));
      rehearsal.close();
    },
  };
}
