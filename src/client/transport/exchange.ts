/**
 * Exchanges one request and response through undici. It reports whether a byte may have been sent: undici gives a
 * request its connection (`onRequestStart`) right before it writes.
 */
import type { Dispatcher } from 'undici';
import type { Headers, HttpResponse } from '../../core/http.js';
import { NoAnswer } from '../request/no-response.js';

type Controller = Dispatcher.DispatchController;

/** Answers up to this many bytes are taken in one piece, which costs less than a stream. */
const SMALL = 256 * 1024;
/** The service is held up when this many bytes wait for the reader, until half of them are taken. */
const MOST_WAITING = 128 * 1024;

/** Answers without a body (RFC 9112 section 6.3). undici misses the bytes that a `Content-Length` in one of them promises. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

export interface ExchangeOptions {
  readonly signal: AbortSignal | undefined;
  /** What is thrown for an error of the connection. */
  readonly explain: (error: unknown, sent: boolean) => unknown;
  /** Called when the request has its connection, and is about to be written. */
  readonly onStart?: () => void;
}

/**
 * undici frees a connection one turn of the event loop after the last byte of an answer; a request made before that would
 * open a second one. So an answer ends when its connection is free. Each has a turn of its own: what follows from it,
 * the next request as a rule, is done before the next answer is looked at. The microtask lets undici ask for its turn first.
 */
const whenFree = (work: () => void): void => queueMicrotask(() => setImmediate(work));

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

export class Exchange implements Dispatcher.DispatchHandler {
  /** The answer: as soon as its head is there, or whole when it is small. Rejects with what `explain` makes of an error. */
  readonly answer: Promise<HttpResponse>;
  readonly #options: ExchangeOptions;
  #resolve: (answer: HttpResponse) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #controller: Controller | undefined;
  #begun = false;
  #status = 0;
  #headers: Headers = {};
  #isSmall = false;
  readonly #chunks: Uint8Array[] = [];
  #waiting = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  /** Wakes the reader of the body. */
  #wake: (() => void) | undefined;
  readonly #stop = (): void => {
    const error = new NoAnswer('the request was cancelled', { sent: this.#begun });
    this.#fail(error);
    this.#controller?.abort(error);
  };

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.signal?.addEventListener('abort', this.#stop);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // Given up while it waited for a connection: nothing is written then.
    if (this.#failure !== undefined) controller.abort(new NoAnswer('the request was cancelled', { sent: false }));
    else this.#begun = true;
    this.#options.onStart?.();
  }

  onResponseStart(
    _: Controller,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headersOf(headers);
    const length = this.#headers['content-length'];
    this.#isSmall = length !== undefined && Number(length) <= SMALL;
    if (!this.#isSmall) this.#resolve({ status, headers: this.#headers, body: this.#body() });
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (!this.#isSmall && this.#waiting > MOST_WAITING) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#release();
    whenFree(() => {
      this.#ended = true;
      if (this.#isSmall) this.#resolve({ status: this.#status, headers: this.#headers, body: this.#whole() });
      this.#wake?.();
    });
  }

  onResponseError(_: Controller, error: Error): void {
    // Such an answer has no body, whatever its Content-Length: 304 gives that of the unmodified resource.
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
    // A small answer that breaks off keeps its status and the part of its body that arrived.
    if (this.#isSmall) this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body() });
    else this.#reject(error);
    this.#wake?.();
  }

  #whole(): Uint8Array {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }

  /** The body as it comes. A reader that stops early closes the connection. */
  async *#body(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#waiting -= chunk.length;
          if (this.#waiting < MOST_WAITING / 2) this.#controller?.resume();
          yield chunk;
        } else if (this.#failure !== undefined) throw this.#failure.error;
        else if (this.#ended) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (!this.#ended && this.#failure === undefined) this.#stop();
    }
  }
}
