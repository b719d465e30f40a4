/** Creates a client. Rarely used parts are loaded on demand. */
import type { AnswerOf, CallOf, Endpoint, ItemOf } from '../../contract/vocabulary.js';
import { readBytes } from '../../core/http.js';
import { list, listingOf } from '../lists/lists.js';
import type { CallOptions, Client, ListOptions } from './client.js';
import { type ClientOptions, stateOf } from './client-state.js';
import { read } from './read.js';
import { withoutSecrets } from './redact.js';
import { describe, requestOf, type Values } from './request.js';
import { sendOnce } from './send-once.js';

export function createClient(options: ClientOptions): Client {
  const state = stateOf(options);
  const { baseUrl, secrets } = state;

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
        if (endpoint.method === 'GET') return (await read(state, endpoint, values, callOptions)) as AnswerOf<E>;
        const { sendWrite } = await import('../create/send-write.js');
        return (await sendWrite(state, client, endpoint, values, callOptions)) as AnswerOf<E>;
      }),
    attempt: (endpoint, input, callOptions = {}) =>
      sendOnce(state, endpoint, () => requestOf(state, endpoint, input as Values), 1, callOptions),
    pages: <E extends Endpoint>(endpoint: E, input: CallOf<E>, listOptions: ListOptions = {}) =>
      guardedPages(() => {
        const pages = list(state, listingOf(state, endpoint, input as Values), listOptions);
        return pages as AsyncIterable<readonly ItemOf<E>[]>;
      }),
    texts: (endpoint, input, listOptions = {}) =>
      guardedPages(() => list(state, listingOf(state, endpoint, input as Values), listOptions, true)),
    prepare: (endpoint, input) => describe(baseUrl, endpoint, input as Values),
    raw: (rawRequest, rawOptions = {}) =>
      guarded(async () => {
        const { raw } = await import('./raw.js');
        return raw(state, rawRequest, rawOptions);
      }),
    errorOf: async (rawRequest, response, callOptions = {}) => {
      const { rawError } = await import('./raw.js');
      const bytes = await readBytes(response.body, state.maxBytes);
      const error = await rawError(state, rawRequest, { ...response, bytes }, callOptions);
      return withoutSecrets(error, secrets);
    },
    rawPages: (path, more, listOptions = {}) =>
      guardedPages(async function* () {
        const { rawListing } = await import('./raw.js');
        yield* list(state, rawListing(state, path, more), listOptions);
      }),
    download: (address, use, downloadOptions = {}) =>
      guarded(async () => {
        const { download } = await import('./download.js');
        return download(state, address, use, downloadOptions);
      }),
  };
  return client;
}
