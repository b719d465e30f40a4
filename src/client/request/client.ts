/**
 * The client's interface: calls endpoints of the contract through a `Send`.
 */
import type { AnswerOf, CallOf, Endpoint, ItemOf } from '../../contract/vocabulary.js';
import type { EduError } from '../../core/errors.js';
import type { Headers, HttpResponse, Method } from '../../core/http.js';
import type { seenKeys } from '../../core/seen-keys.js';
import type { AttemptResult } from './answer.js';
import type { FormField } from './multipart.js';

/** Counts of requests, for some calls or for all. */
export interface Traffic {
  /** Attempts, first ones and retries. */
  requests: number;
  retries: number;
  /** Milliseconds of waiting before retries. */
  waitedMs: number;
}

/** Spaces the attempts of several calls: see `RequestThrottle`. */
export interface CallThrottle {
  /** Waits until an attempt may begin. @returns when that is, in milliseconds since the epoch */
  begin(signal: AbortSignal | undefined): Promise<number>;
  /** Records the response of an attempt. @param began the result of `begin` */
  ended(answer: Pick<HttpResponse, 'status' | 'headers'>, began: number): void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called during an upload with the number of bytes sent so far. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** Attempts after the first; by default those of the client. */
  readonly retries?: number | undefined;
  /** For a create: any item with its key was created by this call, because `edu` derived it, or found no equal item before. */
  readonly ownsKey?: boolean | undefined;
  /** The traffic of this call is added to it. */
  readonly traffic?: Traffic | undefined;
  /** Decides when the attempts of safe and unkeyed calls begin; by default, at once. */
  readonly throttle?: CallThrottle | undefined;
}

export interface ListOptions extends CallOptions {
  /** Requested items per page; by default the max that the service is known to allow. */
  readonly pageSize?: number | undefined;
  /** Stop after this many items; by default return all. */
  readonly limit?: number | undefined;
  /** Called if `limit` ended the list although there were more items. */
  readonly onCut?: (() => void) | undefined;
  /** Max number of restarts after an expired cursor; 5 by default. */
  readonly restarts?: number | undefined;
  /** Return items also when the service repeats them, for a caller that drops repeated ones: saves the memory of their IDs. */
  readonly mayRepeat?: boolean | undefined;
  /** The items returned so far, shared by lists that together return each item once. */
  readonly seen?: ReturnType<typeof seenKeys> | undefined;
  /** Called each time the list is restarted. */
  readonly onRestart?: ((count: number, cause: EduError) => void) | undefined;
}

/** A request as `--dry-run` shows it, without the access token. */
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
  /** The parts of a multipart body, instead of `body`. */
  readonly form?: readonly FormField[] | undefined;
}

export interface RawOptions extends CallOptions {
  /** Return the body of a success in any readable form. */
  readonly anyBody?: boolean | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** True as soon as the download cannot start again, because its bytes were passed on. */
  readonly isFinal?: (() => boolean) | undefined;
}

/** A download whose headers have arrived. */
export interface Download {
  /** The service's name for the file, sanitized; undefined if there is none. */
  readonly filename: string | undefined;
  /** In bytes; undefined if the service does not announce it. */
  readonly size: number | undefined;
  /** The bytes, readable once. @throws EduError `unreachable` if fewer arrive than were announced */
  readonly body: AsyncIterable<Uint8Array>;
}

/** An attempt without a final response. */
export interface FailedAttempt {
  /** `undone`: the service cannot have carried it out, or returned 429. `unknown`: it may have carried it out. */
  readonly is: 'undone' | 'unknown';
  readonly error: EduError;
  /** The request timed out on an open connection, so the service may still be processing it. */
  readonly running: boolean;
  /** The next attempt would fail in the same way. */
  readonly hopeless: boolean;
  /** An upload ended early. */
  readonly incomplete: boolean;
  /** Retry-After in milliseconds. */
  readonly wait?: number;
  /** The error for an unknown outcome. @param hint how to check */
  readonly inDoubt: (hint: string) => EduError;
  /** The result by which `call` decides whether to retry. */
  readonly outcome: AttemptResult;
}

/** The outcome of a single attempt of a call. */
export type Attempt =
  /** Carried out; undefined if the response is empty. */
  | { readonly is: 'done'; readonly value: unknown }
  /** A success whose body is invalid, or empty or without an ID for a create that returns its item; probably carried out. */
  | { readonly is: 'unreadable'; readonly error: EduError; readonly isEmpty: boolean; readonly value?: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly error: EduError }
  | FailedAttempt;

export interface Client {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The traffic of all calls so far. */
  readonly traffic: Readonly<Traffic>;
  /** The trace ID of all requests (W3C Trace Context). */
  readonly traceId: string | undefined;
  /** True if the service has ever responded, which proves that the address is right. */
  readonly hasResponded: boolean;
  /**
   * Calls an endpoint and returns its response, checked to be of the kind that the contract describes; undefined for an
   * empty response to a write.
   * @throws EduError; for a create, `outcome_unknown` means that it may have been carried out, all other kinds that it was not
   */
  call<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: CallOptions): Promise<AnswerOf<E>>;
  /**
   * Sends a call once and returns its outcome, without retries or look-ups, for callers that throttle many calls.
   * @throws EduError `usage` for values that cannot be sent, `interrupted`
   */
  attempt<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: CallOptions): Promise<Attempt>;
  /**
   * The items of a list endpoint, page by page, to the end of the list. Pages are never empty, and each item is returned
   * once even if the list must be restarted.
   * @throws EduError after the pages that could be read: `partial` if the list's cursor expired too often
   */
  pages<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: ListOptions): AsyncIterable<readonly ItemOf<E>[]>;
  /** As `pages`, but items are `JsonText` where their text need not be changed; the others are parsed. */
  texts<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: ListOptions): AsyncIterable<readonly unknown[]>;
  /** The request that `call` would send. */
  prepare<E extends Endpoint>(endpoint: E, input: CallOf<E>): PreparedRequest;
  /**
   * Sends any request under the base URL, with the same authorization and retries.
   * @returns the last response, of any status
   */
  raw(request: RawRequest, options?: RawOptions): Promise<HttpResponse>;
  /** The error for a response of `raw`. */
  errorOf(request: RawRequest, response: HttpResponse, options?: CallOptions): Promise<EduError>;
  /** The items of any list under the base URL whose response is a list, or an object with exactly one. */
  rawPages(path: string, headers: Headers, options?: ListOptions): AsyncIterable<readonly unknown[]>;
  /**
   * Fetches a file by its address, or by its path under the base URL. The access token is sent only to the service.
   * @param use reads the file; called again with each response, if the one before broke off
   * @throws EduError
   */
  download<T>(address: string, use: (file: Download) => Promise<T>, options?: DownloadOptions): Promise<T>;
}
