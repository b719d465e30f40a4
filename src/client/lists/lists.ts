/** Requests and reads the pages of list endpoints and of raw paths. */
import { PAGE_SIZE } from '../../contract/shared.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { pageOf } from '../request/answer.js';
import type { ListOptions } from '../request/client.js';
import { aboutOf, type ClientState } from '../request/client-state.js';
import type { PageScanner } from '../request/page-scanner.js';
import { sendAndRead } from '../request/read.js';
import { type Outgoing, requestOf, type Values } from '../request/request.js';
import { paginate, type Source } from './paginate.js';

export interface Listing {
  /** Equal for all lists of an endpoint. */
  readonly kind: string;
  /** Path and query, without cursor and size. */
  readonly path: string;
  /** The member that holds the items; null if it is unknown, or the response is a bare list. */
  readonly key: string | null;
  readonly answer: Endpoint['list'];
  /** True if the endpoint accepts a page size. */
  readonly paged: boolean;
  readonly request: (paging: { readonly limit?: number | undefined; readonly cursor?: string | undefined }) => Outgoing;
}

/** The list of an endpoint. @throws a usage error for path values that would address another endpoint */
export function listingOf(state: ClientState, endpoint: Endpoint, values: Values): Listing {
  const { list: answer } = endpoint;
  if (answer === undefined) throw new TypeError(`${endpoint.path} does not answer with a list`);
  return {
    kind: endpoint.path,
    path: requestOf(state, endpoint, values).path,
    key: answer.key,
    answer,
    paged: answer.paged === true,
    request: (paging) => requestOf(state, endpoint, { ...values, query: Object.assign({}, values.query, paging) }),
  };
}

const scannerOf = async ({ key, answer }: Listing): Promise<PageScanner | undefined> =>
  key === null ? undefined : answer && (await import('../request/page-scanner.js')).pageScanner(key, answer.of);

/**
 * The items of a list, page by page.
 * @param asText return items as `JsonText` where their text need not be changed
 */
export function list(
  state: ClientState,
  listing: Listing,
  options: ListOptions,
  asText = false,
): AsyncGenerator<readonly unknown[]> {
  const { sizeRefused } = state;
  const { kind, key, answer, paged } = listing;
  const { retries, limit, traffic, throttle } = options;
  const maxPerPage = answer?.maxPerPage ?? Math.max(PAGE_SIZE, options.pageSize ?? 0);
  const wanted = Math.min(options.pageSize ?? PAGE_SIZE, maxPerPage, Math.max(1, limit ?? maxPerPage));
  const about = aboutOf(state, { method: 'GET', path: listing.path });
  const scanner = asText ? scannerOf(listing) : undefined;
  const source: Source = {
    ...about,
    idField: answer?.of.id,
    size: paged && !sizeRefused.has(kind) ? wanted : undefined,
    maxPerPage,
    canGrow: paged && answer?.maxPerPage === undefined,
    onSizeRefused: () => sizeRefused.add(kind),
    async fetch(cursor, size, signal) {
      const out = listing.request({ limit: size, cursor });
      return sendAndRead(state, out, { signal, retries, traffic, throttle }, async (received) => {
        const bytes = received.bytes.length;
        // A 204 means that nothing was modified on a day. Other lists always have a body, also when they are empty.
        const isNothing = received.status === 204 && cursor === undefined && key === null;
        if (isNothing && answer?.of.kind !== 'object') return { bytes, items: [], next: undefined };
        const page = pageOf(key, answer?.of, () => aboutOf(state, out), received, await scanner);
        return { bytes, ...page };
      });
    },
  };
  return paginate(source, {
    ...options,
    onRestart: (count, cause) => {
      const note = `list started again (${count}): ${cause.message}`;
      state.trace?.({ method: 'GET', url: about.path, attempt: 1, note });
      options.onRestart?.(count, cause);
    },
  });
}
