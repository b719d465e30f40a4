/** A `Send` that records requests and responds from a script. */
import {
  type Body,
  type Headers,
  type HttpRequest,
  type HttpResponse,
  readBytes,
  type Send,
} from '../../src/core/http.js';

export interface Sent {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly anonymous: boolean;
}

/** A string or bytes are sent unchanged, any other value as JSON; an error is thrown instead of a response. */
export type Step = { readonly status?: number; readonly headers?: Headers; readonly body?: unknown } | Error;

export interface Scripted {
  readonly send: Send;
  readonly sent: readonly Sent[];
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'string' ||
  value instanceof Uint8Array ||
  (typeof value === 'object' && value !== null && Symbol.asyncIterator in value);

function answerOf({ status = 200, headers = {}, body = '' }: Exclude<Step, Error>): HttpResponse {
  if (isBody(body)) return { status, headers, body };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** @param script responses in order, the last one for all further requests; or a function of the request */
export function scripted(script: readonly Step[] | ((sent: Sent, index: number) => Step | Promise<Step>)): Scripted {
  const sent: Sent[] = [];
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const bytes = request.body === undefined ? Buffer.alloc(0) : await readBytes(request.body, 256 * 1024 * 1024);
    const { pathname, search } = new URL(request.url);
    const one: Sent = {
      method: request.method,
      path: pathname + search,
      url: request.url,
      headers: request.headers,
      body: bytes.toString('utf8'),
      anonymous: request.anonymous === true,
    };
    const index = sent.push(one) - 1;
    const step = typeof script === 'function' ? await script(one, index) : script[Math.min(index, script.length - 1)];
    if (step === undefined) throw new TypeError('the script is empty');
    if (step instanceof Error) throw step;
    return answerOf(step);
  };
  return { send, sent };
}
