/**
 * Exchanges one request and response through undici. It reports whether a byte may have been sent: undici gives a
 * request its connection (`onRequestStart`) right before it writes.
 */
import type { Dispatcher } from 'undici';
import type { Headers, HttpResponse } from '../../core/http.js';
import { NoResponse } from '../request/no-response.js';

type Controller = Dispatcher.DispatchController;

/** Backpressure: reading pauses when this many bytes wait for the reader, until half of them are taken. */
const MAX_WAITING_BYTES = 128 * 1024;

/** Responses without a body (RFC 9112 section 6.3), for which undici expects the bytes of a `Content-Length`. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

export interface ExchangeOptions {
  readonly signal: AbortSignal | undefined;
  /** Converts a connection error to the error that is thrown. */
  readonly explain: (error: unknown, sent: boolean) => unknown;
  /** Called when the request has a connection and is about to be written. */
  readonly onStart?: () => void;
}

/**
 * undici frees a connection one turn of the event loop after the last byte of a response; a request before that would open
 * a second connection. So a response ends only when its connection is free. Each response has a turn of its own, so that
 * the next request is sent before the next response is processed. The microtask lets undici schedule its turn first.
 */
const whenFree = (work: () => void): unknown => Promise.resolve().then(() => setImmediate(work));

type ParsedHeaders = Record<string, string | string[] | undefined>;

/** Joins the values of headers that occur several times, in place. */
function headersOf(headers: ParsedHeaders): Headers {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) headers[name] = value.join(', ');
  }
  return headers as Headers;
}

/** One exchange; also the body of its response, which closes the connection if its reader stops early. */
export class Exchange implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array> {
  /** The response, as soon as its head has arrived. Rejects with the error from `explain`. */
  readonly answer: Promise<HttpResponse>;
  readonly #options: ExchangeOptions;
  #resolve: (answer: HttpResponse) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #controller: Controller | undefined;
  #begun = false;
  #status = 0;
  readonly #chunks: Uint8Array[] = [];
  #waiting = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  /** Wakes the reader of the body. */
  #wake: (() => void) | undefined;
  readonly #stop = (): void => {
    const error = new NoResponse('the request was cancelled', { sent: this.#begun });
    this.#fail(error);
    this.#controller?.abort(error);
  };

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.signal?.addEventListener('abort', this.#stop, { once: true });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The request was cancelled while it waited for a connection, so nothing is written.
    if (this.#failure !== undefined) controller.abort(new NoResponse('the request was cancelled', { sent: false }));
    else this.#begun = true;
    this.#options.onStart?.();
  }

  onResponseStart(_: Controller, status: number, headers: ParsedHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#resolve({ status, headers: headersOf(headers), body: this });
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting > MAX_WAITING_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#release();
    whenFree(() => {
      this.#ended = true;
      this.#wake?.();
    });
  }

  onResponseError(_: Controller, error: Error): void {
    // Such a response has no body, whatever its Content-Length: that of a 304 is the size of the unmodified resource.
    if (BODILESS.has(this.#status)) this.onResponseEnd();
    else this.#fail(this.#options.explain(error, this.#begun));
  }

  #release(): void {
    this.#options.signal?.removeEventListener('abort', this.#stop);
  }

  #fail(error: unknown): void {
    if (this.#ended || this.#failure !== undefined) return;
    this.#failure = { error };
    this.#release();
    this.#reject(error);
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const value = this.#chunks.shift();
      if (value !== undefined) {
        this.#waiting -= value.length;
        if (this.#waiting < MAX_WAITING_BYTES / 2) this.#controller?.resume();
        return { done: false, value };
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#ended && this.#failure === undefined) this.#stop();
    return { done: true, value: undefined };
  }
}
