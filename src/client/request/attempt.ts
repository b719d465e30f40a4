/** One attempt: sends a request, follows permitted redirects and reads the response within limits of time and size. */
import { BodyTooLarge, chunksOf, type HttpResponse, readBytes } from '../../core/http.js';
import { type About, nonsense, type Received, requestIdOf } from './answer.js';
import type { CallOptions } from './client.js';
import { aboutOf, type Wire } from './client-state.js';
import { decode, Undecodable } from './decode.js';
import { NoAnswer } from './no-response.js';
import { redact, redactUrl } from './redact.js';
import { redirectOf } from './redirect.js';
import type { Outgoing } from './request.js';
import { interruption, type Limit, limitOf, seconds } from './timeout.js';
import { type Upload, uploadOf } from './upload.js';

/** An error's body is read for its words only. */
const MOST_WORDS = 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** What an attempt ended with, as retries and people need it. */
function trouble(error: unknown, wire: Wire, limit: Limit, upload: Upload, signal: AbortSignal | undefined): unknown {
  if (upload.failure() !== undefined) return upload.failure();
  if (signal?.aborted) return interruption(signal);
  const sent = error instanceof NoAnswer ? error.sent : true;
  const incomplete = sent && !upload.complete();
  if (limit.expired()) {
    const message = `no complete response arrived within ${seconds(wire.timeouts.whole)}`;
    return new NoAnswer(message, {
      sent,
      incomplete,
      timedOut: true,
      hint: 'Wait longer with --timeout.',
      cause: error,
    });
  }
  if (!(error instanceof NoAnswer) || !incomplete) return error;
  const { again, timedOut, nonsense: odd, hint } = error;
  return new NoAnswer(`${error.message} before the upload was complete`, {
    sent,
    incomplete,
    again,
    timedOut,
    nonsense: odd,
    hint,
    cause: error,
  });
}

async function discard(response: HttpResponse): Promise<void> {
  try {
    await readBytes(response.body, MOST_WORDS);
  } catch {
    // The body is not needed; the connection is then closed instead of kept.
  }
}

/** The first bytes of an error body, even if it breaks off. */
async function readStart(body: HttpResponse['body'], most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      size += chunk.length;
      chunks.push(chunk);
      if (size >= most) break;
    }
  } catch {
    // What has come is all there is.
  }
  return Buffer.concat(chunks).subarray(0, most);
}

/**
 * Reads an answer to its end. The words of a refusal are welcome but not needed: its status says enough. So it does of a
 * success whose body cannot be read: reading it throws the reason, and the request is known to be done.
 */
async function readWhole(wire: Wire, about: About, response: HttpResponse): Promise<Received> {
  const { status, headers } = response;
  const refused = status >= 400;
  const most = refused ? MOST_WORDS : wire.most;
  try {
    const bytes = refused ? await readStart(response.body, most) : await readBytes(response.body, most);
    return {
      status,
      headers,
      bytes: headers['content-encoding'] === undefined ? bytes : await decode(bytes, headers, most),
    };
  } catch (error) {
    if (refused) return { status, headers, bytes: NO_BYTES };
    const what =
      error instanceof BodyTooLarge
        ? `more than ${Math.round(most / 1024 / 1024)} MB`
        : error instanceof Undecodable
          ? `a body that is ${error.message}`
          : undefined;
    if (what === undefined) throw error;
    return { status, headers, bytes: NO_BYTES, unreadable: nonsense(about, response, what) };
  }
}

/** Sends, follows redirects, and hands the last answer to `take` while the limits still hold. */
async function exchange<T>(
  wire: Wire,
  out: Outgoing,
  number: number,
  limit: Limit,
  upload: Upload,
  anywhere: boolean,
  take: (response: HttpResponse, url: string) => Promise<T>,
): Promise<T> {
  let url = out.url;
  for (let hops = 0; ; hops++) {
    const started = wire.clock.now();
    const seen = (answer: HttpResponse | undefined, error?: unknown) =>
      wire.trace?.({
        method: out.method,
        url: redactUrl(url, wire.origin, wire.secrets()),
        attempt: number,
        durationMs: wire.clock.now() - started,
        ...(answer === undefined
          ? { error: redact(error instanceof Error ? error.message : String(error), wire.secrets()) }
          : { status: answer.status, requestId: requestIdOf(answer.headers) }),
      });
    try {
      const { method, headers, anonymous } = out;
      const response = await wire.send({ method, url, headers, body: upload.body, anonymous, signal: limit.signal });
      wire.contact.made = true;
      const next = redirectOf(wire, out, url, response, hops, anywhere);
      const taken = next === undefined ? await take(response, url) : undefined;
      if (next !== undefined) await discard(response);
      seen(response);
      if (next === undefined) return taken as T;
      url = next;
    } catch (error) {
      seen(undefined, error);
      throw error;
    }
  }
}

/**
 * Sends a request once and reads the answer.
 * @param number which attempt of the call this is, from 1
 * @returns the answer, of any status
 * @throws NoAnswer when none came; EduError for an answer that can't be read, a file that changed, an interruption
 */
export async function attempt(wire: Wire, out: Outgoing, number: number, options: CallOptions): Promise<Received> {
  // An upload takes as long as it moves, but its answer is to come as soon as any other.
  const upload = uploadOf(out, options.onSent, () => limit.start(wire.timeouts.whole));
  const limit = limitOf(wire, upload.body === out.body ? wire.timeouts.whole : undefined, options.signal);
  try {
    if (options.signal?.aborted) throw interruption(options.signal);
    const received = await exchange(wire, out, number, limit, upload, false, (response) =>
      readWhole(wire, aboutOf(wire, out), response),
    );
    if (upload.failure() !== undefined) throw upload.failure();
    return received;
  } catch (error) {
    throw trouble(error, wire, limit, upload, options.signal);
  } finally {
    limit.release();
  }
}

/** An answer whose body is still to come. */
export interface Arriving {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** Where it came from in the end. */
  readonly url: string;
  /** @throws NoAnswer when it is cut off */
  readonly body: AsyncIterable<Uint8Array>;
  /** Stops it. */
  readonly stop: () => void;
}

/** Sends a GET once, follows redirects to other origins too, and leaves the body to be read by the caller. */
export async function attemptStream(
  wire: Wire,
  out: Outgoing,
  number: number,
  options: CallOptions,
): Promise<Arriving> {
  const upload = uploadOf(out);
  const limit = limitOf(wire, undefined, options.signal);
  try {
    if (options.signal?.aborted) throw interruption(options.signal);
    return await exchange(wire, out, number, limit, upload, true, async ({ status, headers, body }, url) => {
      async function* guarded(): AsyncGenerator<Uint8Array> {
        try {
          yield* chunksOf(body);
        } catch (error) {
          throw trouble(error, wire, limit, upload, options.signal);
        } finally {
          limit.release();
        }
      }
      return { status, headers, url, body: guarded(), stop: limit.release };
    });
  } catch (error) {
    limit.release();
    throw trouble(error, wire, limit, upload, options.signal);
  }
}
