/**
 * The client's interface: calls endpoints of the contract through a `Send`.
 */
import type { AnswerOf, CallOf, Endpoint, FilePart, ItemOf } from '../../contract/vocabulary.js';
import type { EduError } from '../../core/errors.js';
import type { Headers, HttpResponse, Method } from '../../core/http.js';

/** What went over the wire for some calls. */
export interface Traffic {
  /** Attempts, first ones and retries. */
  requests: number;
  retries: number;
  /** Milliseconds of waiting before retries. */
  waitedMs: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called as the bytes of an upload leave, with how many have left so far. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** Attempts after the first; the client's own number if left out. */
  readonly retries?: number | undefined;
  /** Called before a wait for the next attempt, with its milliseconds. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** For a create: `edu` derived its natural key, so anything with that key was created by this call. */
  readonly ownsKey?: boolean | undefined;
  /** The traffic of this call is added to it. */
  readonly traffic?: Traffic | undefined;
}

export interface ListOptions extends CallOptions {
  /** Items asked for on a page; what the service is known to allow if left out. */
  readonly pageSize?: number | undefined;
  /** Stop after this many items; all of them if left out. */
  readonly limit?: number | undefined;
  /** Called when `limit` ended the list although the service had more. */
  readonly onCut?: (() => void) | undefined;
  /** How often the list is started again when its cursor dies, 5 if left out; with 0 the first death is the end. */
  readonly restarts?: number | undefined;
  /** Called each time that the list is started again. */
  readonly onRestart?: ((count: number, cause: EduError) => void) | undefined;
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
  /** The parts of a multipart body, instead of `body`. */
  readonly form?: readonly (readonly [name: string, value: string | FilePart])[] | undefined;
}

export interface RawOptions extends CallOptions {
  /** Return answers of any status instead of throwing. */
  readonly anyStatus?: boolean | undefined;
  /** Return the body of a success in any readable form. */
  readonly anyBody?: boolean | undefined;
}

/** A file on its way: the head has arrived, the bytes have not. */
export interface Download {
  /** As the service names it, made safe to stand in a folder; undefined when it does not say. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** In bytes; undefined when the service does not say. */
  readonly size: number | undefined;
  /** The bytes, readable once. @throws EduError `unreachable` when fewer come than were announced */
  readonly body: AsyncIterable<Uint8Array>;
}

/** An attempt without a final answer. */
export interface FailedAttempt {
  /** `undone`: the service cannot have carried it out, or returned 429. `unknown`: it may have carried it out. */
  readonly is: 'undone' | 'unknown';
  readonly error: EduError;
  /** The connection was not closed: the service may still be at work. */
  readonly running: boolean;
  /** The next attempt would end alike. */
  readonly hopeless: boolean;
  /** An upload broke off before its end. */
  readonly incomplete: boolean;
  /** Retry-After in milliseconds. */
  readonly wait?: number;
  /** The error for an unknown outcome. @param hint how to check */
  readonly inDoubt: (hint: string) => EduError;
}

/** The outcome of a single attempt of a call. */
export type Attempt =
  /** Carried out; undefined when the service showed nothing. */
  | { readonly is: 'done'; readonly value: unknown }
  /** A success whose body makes no sense, or where a create returns what it made, is missing or lacks the ID (`value`): probably carried out. */
  | { readonly is: 'unreadable'; readonly error: EduError; readonly isEmpty: boolean; readonly value?: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly error: EduError }
  | FailedAttempt;

export interface Client {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The traffic of all calls so far. */
  readonly traffic: Readonly<Traffic>;
  /**
   * Calls an endpoint and returns its answer, checked to be what the contract says in kind. A write that the service
   * answers with an empty body gives undefined: it was done, but nothing is shown.
   * @throws EduError; for a create, `unknown` means that it may have been done, all other kinds that it was not
   */
  call<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: CallOptions): Promise<AnswerOf<E>>;
  /**
   * Sends a call once and returns its outcome; nothing is repeated or looked up. For callers that pace many calls.
   * @throws EduError `usage` for values that can't be sent, `interrupted`
   */
  attempt<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: CallOptions): Promise<Attempt>;
  /**
   * The items of a list endpoint, page by page as they arrive, to the end of the collection. Pages are never empty; an
   * item is given once, even when the list must be started again.
   * @throws EduError after the pages that could be read: `partial` when the list's cursor died too often
   */
  pages<E extends Endpoint>(endpoint: E, input: CallOf<E>, options?: ListOptions): AsyncIterable<readonly ItemOf<E>[]>;
  /** The request that `call` would send. Sends nothing. */
  prepare<E extends Endpoint>(endpoint: E, input: CallOf<E>): PreparedRequest;
  /**
   * Sends any request under the base URL, with the same authorization, retries and errors.
   * @throws EduError for any status but 2xx, unless `anyStatus`
   */
  raw(request: RawRequest, options?: RawOptions): Promise<HttpResponse>;
  /** The error that an answer of `raw` means. */
  errorOf(request: RawRequest, response: HttpResponse, options?: CallOptions): Promise<EduError>;
  /** The items of any list under the base URL, whose answer is a bare list or holds exactly one. */
  rawPages(path: string, headers: Headers, options?: ListOptions): AsyncIterable<readonly unknown[]>;
  /**
   * Fetches a file by its address, or by its path under the base URL. The access token goes to the service only.
   * @throws EduError
   */
  download(address: string, options?: CallOptions): Promise<Download>;
}
