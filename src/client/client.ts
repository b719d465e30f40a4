/**
 * The client as the rest of the program sees it. It calls endpoints of the contract through a `Send` and knows nothing
 * of terminals, settings or where requests go.
 */
import type { AnswerOf, CallOf, Endpoint, ItemOf } from '../contract/vocabulary.js';
import type { Headers, HttpResponse, Method } from '../http.js';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called as the bytes of an upload leave, with how many have left so far. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

export interface ListOptions extends CallOptions {
  /** Items asked for on a page; what the service is known to allow if left out. */
  readonly pageSize?: number | undefined;
  /** Stop after this many items; all of them if left out. */
  readonly limit?: number | undefined;
  /** Called when `limit` ended the list although the service had more. */
  readonly onCut?: (() => void) | undefined;
}

/** A request as it would go out, without the access token: what `--dry-run` shows. */
export interface PreparedRequest {
  readonly method: Method;
  readonly url: string;
  /** Path and query under the base URL. */
  readonly path: string;
  readonly headers: Headers;
  /** The JSON value, or the parts of a multipart body (a file is described, not read). */
  readonly body?: unknown;
}

/** A request outside the contract, for `edu api`. */
export interface RawRequest {
  readonly method: Method;
  /** Path under the base URL, with its query. */
  readonly path: string;
  readonly headers?: Headers | undefined;
  readonly body?: string | Uint8Array | undefined;
}

export interface Client {
  readonly baseUrl: string;
  /** Calls an endpoint and returns its answer, checked to be what the contract says in kind. */
  call<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: CallOptions): Promise<AnswerOf<E>>;
  /** The items of a list endpoint, page by page as they arrive, to the end of the collection. */
  pages<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: ListOptions): AsyncIterable<readonly ItemOf<E>[]>;
  /** The request that `call` would send. Sends nothing. */
  prepare<E extends Endpoint>(endpoint: E, input: CallOf<E>): PreparedRequest;
  /** Sends any request under the base URL, with the same authorization, retries and errors. */
  raw(request: RawRequest, options?: CallOptions): Promise<HttpResponse>;
}
