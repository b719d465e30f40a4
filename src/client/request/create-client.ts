/** Creates a client. Rarely used parts are loaded on demand. */
import { account } from '../../contract/account.js';
import type { AnswerOf, CallOf, Endpoint, ItemOf } from '../../contract/vocabulary.js';
import { readBytes, withoutTrailingSlash } from '../../core/http.js';
import { accessOf } from '../errors/diagnose-403.js';
import { list, listingOf } from '../lists/lists.js';
import { type Calls, read } from './calls.js';
import type { CallOptions, Client, ListOptions } from './client.js';
import type { ClientOptions, ClientState } from './client-state.js';
import { systemClock } from './clock.js';
import { withoutSecrets } from './redact.js';
import { commonHeaders, describe, type Outgoing, requestOf, type Values } from './request.js';
import { sendOnce } from './send-once.js';

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 60_000;

function stateOf(options: ClientOptions, baseUrl: string): ClientState {
  const { token, secrets = [] } = options;
  return {
    send: options.send,
    origin: new URL(baseUrl).origin,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    retries: options.retries,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
    contact: { made: false },
    traffic: { requests: 0, retries: 0, waitedMs: 0 },
    maxBytes: options.maxBytes ?? MAX_BYTES,
    trace: options.trace,
    traceContext: options.traceContext,
    // The caller may add a renewed token.
    secrets: token === undefined || secrets.includes(token) ? secrets : [...secrets, token],
    tokenFrom: options.tokenFrom,
  };
}

export function createClient(options: ClientOptions): Client {
  const baseUrl = withoutTrailingSlash(options.baseUrl);
  const state = stateOf(options, baseUrl);
  const { secrets } = state;
  // gzip reduces the size of a list by nine tenths; decompression is limited where responses are read.
  const headers = commonHeaders({ 'accept-encoding': 'gzip', 'user-agent': options.userAgent ?? 'edu' });
  const request = (endpoint: Endpoint, values: Values): Outgoing => requestOf(baseUrl, endpoint, values, headers);
  const calls: Calls = {
    state,
    access: accessOf(state, options.token, () => request(account.show, {})),
    baseUrl,
    headers,
    request,
  };
  const lists = { calls, sizeRefused: new Set<string>() };

  /** Redacts secrets in errors of `work`. */
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw withoutSecrets(error, secrets);
    }
  }

  async function* guardedPages<T>(work: () => AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
    try {
      yield* work();
    } catch (error) {
      throw withoutSecrets(error, secrets);
    }
  }

  const client: Client = {
    baseUrl,
    traffic: state.traffic,
    traceId: state.traceContext?.traceId,
    get hasResponded() {
      return state.contact.made;
    },
    call: <E extends Endpoint>(endpoint: E, input: CallOf<E>, callOptions: CallOptions = {}) =>
      guarded(async () => {
        const values = input as Values;
        // The response is checked against the contract, from which its type is derived.
        if (endpoint.method === 'GET') return (await read(calls, endpoint, values, callOptions)) as AnswerOf<E>;
        const { sendWrite } = await import('../create/send-write.js');
        return (await sendWrite(calls, client, endpoint, values, callOptions)) as AnswerOf<E>;
      }),
    attempt: (endpoint, input, callOptions = {}) =>
      sendOnce(calls, endpoint, () => request(endpoint, input as Values), 1, callOptions),
    pages: <E extends Endpoint>(endpoint: E, input: CallOf<E>, listOptions: ListOptions = {}) =>
      guardedPages(() => {
        const pages = list(lists, listingOf(calls, endpoint, input as Values), listOptions);
        return pages as AsyncIterable<readonly ItemOf<E>[]>;
      }),
    texts: (endpoint, input, listOptions = {}) =>
      guardedPages(() => list(lists, listingOf(calls, endpoint, input as Values), listOptions, true)),
    prepare: (endpoint, input) => describe(baseUrl, endpoint, input as Values),
    raw: (rawRequest, rawOptions = {}) =>
      guarded(async () => {
        const { raw } = await import('./raw.js');
        return raw(calls, rawRequest, rawOptions);
      }),
    errorOf: async (rawRequest, response, callOptions = {}) => {
      const { rawError } = await import('./raw.js');
      const bytes = await readBytes(response.body, state.maxBytes);
      const error = await rawError(calls, rawRequest, { ...response, bytes }, callOptions);
      return withoutSecrets(error, secrets);
    },
    rawPages: (path, more, listOptions = {}) =>
      guardedPages(async function* () {
        const { rawListing } = await import('./raw.js');
        yield* list(lists, rawListing(calls, path, more), listOptions);
      }),
    download: (address, callOptions = {}) =>
      guarded(async () => {
        const { download } = await import('./download.js');
        return download(calls, address, callOptions);
      }),
  };
  return client;
}
