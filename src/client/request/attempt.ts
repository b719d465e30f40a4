/**
 * One attempt: sends a request, follows permitted redirects, reads the response within limits of time and size, and
 * classifies the result.
 */

import { BodyTooLarge, chunksOf, type HttpResponse, readBytes } from '../../core/http.js';
import { shellLine } from '../../core/shell.js';
import { type AttemptResult, invalidResponse, type Received, requestIdOf } from './answer.js';
import type { CallOptions, Traffic } from './client.js';
import { aboutOf, type ClientState, type TraceEvent } from './client-state.js';
import { decode, Undecodable } from './decode.js';
import { NoResponse } from './no-response.js';
import { redact, redactUrl } from './redact.js';
import type { Outgoing } from './request.js';
import { interruption, Limit, seconds } from './timeout.js';

/**
 * Waits for one full turn of the event loop before each chunk, so that a response that has arrived is read first. A
 * service that rejects an upload early responds and closes, and a write to the closed connection would lose the response.
 */
const turn = async (): Promise<void> => {
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
};

type Upload = ReturnType<typeof uploadOf>;

/**
 * Opens the body for one attempt.
 * @param onSent called with the number of bytes sent so far, for bodies with files
 * @param limit started before the last byte of such a body is sent
 * @returns `complete`: whether the last byte was sent; before that, the service cannot have carried out the request.
 *   `failure`: the error of reading a file, if any
 */
function uploadOf({ body }: Outgoing, onSent: ((bytes: number) => void) | undefined, limit: Limit) {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { body, complete: () => true, failure: (): unknown => undefined };
  }
  const form = body;
  let handedOver = 0;
  let failure: unknown;
  async function* metered(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of form.open()) {
        // Counted before it is sent, because the service may carry out the request with the last chunk.
        await turn();
        handedOver += chunk.length;
        if (handedOver >= form.size) limit.start();
        yield chunk;
        onSent?.(handedOver);
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { body: metered(), complete: () => handedOver >= form.size, failure: (): unknown => failure };
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect; undefined for other responses. @throws EduError `invalid_response` if it is not followed */
function redirectOf(
  state: ClientState,
  out: Outgoing,
  from: string,
  response: HttpResponse,
  hops: number,
): string | undefined {
  if (!REDIRECTS.has(response.status)) return undefined;
  const refusal = (what: string, hint?: string) => invalidResponse(aboutOf(state, out), response, what, hint);
  const { location = '' } = response.headers;
  if (location === '' || !URL.canParse(location, from)) throw refusal('a redirect without a valid address');
  const to = new URL(location, from);
  const { origin, protocol } = to;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw refusal('a redirect to an address that is not http or https');
  to.username = '';
  to.password = '';
  to.hash = '';
  // Never recommends an unencrypted address.
  const moved =
    origin === new URL(from).origin || protocol !== 'https:'
      ? undefined
      : `If the service has moved there, set the base URL: ${shellLine('edu', 'config', 'set', 'base-url', origin)}`;
  if (out.method !== 'GET' && out.method !== 'HEAD')
    throw refusal(`a redirect to ${origin}, which is not followed for a ${out.method}`, moved);
  if (hops >= MAX_REDIRECTS) throw refusal(`more than ${MAX_REDIRECTS} redirects, the last to ${origin}`);
  if (origin === new URL(out.url).origin) return to.href;
  if (!out.isDownload) throw refusal(`a redirect to another origin, ${origin}`, moved);
  if (protocol !== 'https:' && new URL(from).protocol === 'https:') throw refusal(`a redirect from https to ${origin}`);
  return to.href;
}

/** Max bytes of an error body, which is read only for its message. */
const MAX_ERROR_BYTES = 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/**
 * Statuses of temporary failures, after which the request may have been carried out. Proxies return 408 where they should
 * return 504. An unknown 5xx is like 500 (RFC 9110, 15); 501 and 505 mean that nothing was carried out.
 */
export const mayHaveBeenDone = (status: number): boolean =>
  status === 408 || (status >= 500 && status !== 501 && status !== 505);

function classify(answer: Received): AttemptResult {
  if (answer.status === 429) return { is: 'undone', answer };
  return { is: mayHaveBeenDone(answer.status) ? 'unknown' : 'answer', answer };
}

/** Converts the failure of an attempt to the error that retries and messages need. */
function failureOf(
  error: unknown,
  state: ClientState,
  limit: Limit,
  upload: Upload,
  signal: AbortSignal | undefined,
): unknown {
  if (upload.failure() !== undefined) return upload.failure();
  if (signal?.aborted) return interruption(signal);
  const sent = error instanceof NoResponse ? error.sent : true;
  const incomplete = sent && !upload.complete();
  if (limit.isExpired) {
    const message = `no complete response arrived within ${seconds(state.timeoutMs)}`;
    const hint = 'Wait longer with --timeout.';
    return new NoResponse(message, { sent, incomplete, timedOut: true, hint, cause: error });
  }
  if (!(error instanceof NoResponse) || !incomplete) return error;
  return new NoResponse(`${error.reason} before the upload was complete`, { ...error, incomplete, cause: error });
}

/** The first bytes of a body that is not needed as a whole, even if it ends early. */
async function readStart(body: HttpResponse['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      size += chunk.length;
      chunks.push(chunk);
      if (size >= maxBytes) break;
    }
  } catch {
    // The bytes received so far are used.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/**
 * Reads a response to its end. An error response whose body cannot be read is returned without one, because its status
 * is enough. A success whose body cannot be read is returned with the reason, because the request was carried out.
 */
async function readWhole(state: ClientState, out: Outgoing, response: HttpResponse): Promise<Received> {
  const { status, headers } = response;
  const isError = status >= 400;
  const maxBytes = isError ? Math.min(MAX_ERROR_BYTES, state.maxBytes) : state.maxBytes;
  try {
    const bytes = isError ? await readStart(response.body, maxBytes) : await readBytes(response.body, maxBytes);
    return { status, headers, bytes: await decode(bytes, headers, maxBytes) };
  } catch (error) {
    if (isError) return { status, headers, bytes: NO_BYTES };
    const what =
      error instanceof BodyTooLarge
        ? `more than ${maxBytes / 1024} kB`
        : error instanceof Undecodable
          ? `a body that is ${error.message}`
          : undefined;
    if (what === undefined) throw error;
    return { status, headers, bytes: NO_BYTES, unreadable: invalidResponse(aboutOf(state, out), response, what) };
  }
}

/** Reports one exchange of an attempt to `--debug`. */
function tracing(
  state: ClientState,
  { method }: Outgoing,
  url: string,
  number: number,
  traceparent: string | undefined,
) {
  if (state.trace === undefined) return undefined;
  const started = state.clock.now();
  return (end: Pick<TraceEvent, 'error' | 'status' | 'requestId'>): void => {
    const { clock, origin, secrets } = state;
    const durationMs = clock.now() - started;
    const [error, requestId] = [end.error, end.requestId].map((text) => text && redact(text, secrets));
    const shown = redactUrl(url, origin, secrets);
    state.trace?.({ method, url: shown, attempt: number, durationMs, traceparent, ...end, error, requestId });
  };
}

/** The counts of the client, and those of the call if it has any. */
export const trafficsOf = ({ traffic }: ClientState, { traffic: own }: CallOptions): readonly Traffic[] =>
  own === undefined ? [traffic] : [traffic, own];

/** The body of a download; its failures become errors of the attempt. */
async function* streamOf(
  { body }: HttpResponse,
  state: ClientState,
  limit: Limit,
  upload: Upload,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf(body);
  } catch (error) {
    throw failureOf(error, state, limit, upload, signal);
  } finally {
    limit.release();
  }
}

/**
 * Sends a request once, follows redirects, reads the last response, and classifies the result.
 * @param number number of the attempt, from 1
 * @throws EduError for an unreadable response, a changed file, or an interruption
 */
export async function attempt(
  state: ClientState,
  out: Outgoing,
  number: number,
  options: CallOptions,
): Promise<AttemptResult> {
  const { method, headers, anonymous } = out;
  const { signal, onSent } = options;
  for (const traffic of trafficsOf(state, options)) traffic.requests++;
  const limit = new Limit(state, signal);
  const upload = uploadOf(out, onSent, limit);
  const { body } = upload;
  // An upload has no time limit while it makes progress; the timeout starts with its last byte.
  if (body === out.body && !out.isDownload) limit.start();
  let { url } = out;
  let isStreaming = false;
  let trace: ReturnType<typeof tracing>;
  let requestId: string | undefined;
  try {
    if (signal?.aborted) throw interruption(signal);
    for (let hops = 0; ; hops++) {
      requestId = undefined;
      // Other origins, which only downloads have, are not told which requests belong together.
      const isOwn = out.isDownload !== true || new URL(url).origin === state.origin;
      const traceparent = isOwn ? state.traceContext?.next() : undefined;
      trace = tracing(state, out, url, number, traceparent);
      const response = await state.send({
        method,
        url,
        headers: traceparent === undefined ? headers : { traceparent, ...headers },
        body,
        anonymous,
        signal: limit.signal,
      });
      state.contact.made = true;
      requestId = requestIdOf(response.headers);
      const next = redirectOf(state, out, url, response, hops);
      isStreaming = next === undefined && out.isDownload === true && response.status < 300;
      let received: Received;
      if (next !== undefined) received = { ...response, bytes: await readStart(response.body, MAX_ERROR_BYTES) };
      else if (isStreaming)
        received = { ...response, bytes: NO_BYTES, stream: streamOf(response, state, limit, upload, signal) };
      else received = await readWhole(state, out, response);
      trace?.({ status: response.status, requestId });
      trace = undefined;
      if (upload.failure() !== undefined) throw upload.failure();
      if (next === undefined) return classify(received);
      url = next;
    }
  } catch (error) {
    trace?.({ requestId, error: error instanceof Error ? error.message : String(error) });
    const failure = failureOf(error, state, limit, upload, signal);
    if (!(failure instanceof NoResponse)) throw failure;
    return { is: failure.sent && !failure.incomplete ? 'unknown' : 'undone', lost: failure, requestId };
  } finally {
    if (!isStreaming) limit.release();
  }
}
