/**
 * A `Send` on which faults are played: what a service, a proxy or a network can do to a request. It works in process and
 * over HTTP alike, and does not know which.
 */
import { type Body, chunksOf, type HttpRequest, type HttpResponse, readBytes, type Send } from '../../core/http.js';
import { addressOf } from '../router.js';
import { ConnectionReset } from './broken.js';
import type { FaultPlan } from './fault-plan.js';
import type { Fault } from './faults.js';

/** The largest answer that is held in memory in order to cut it. */
const MOST_CUT = 64 * 1024 * 1024;

export interface FaultyOptions {
  readonly plan: FaultPlan;
  /** Path of the service's base URL, without a slash at the end. */
  readonly basePath: string;
  /** Waits for so many milliseconds; ends early when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Added to every request, in milliseconds. */
  readonly latency?: (() => number) | undefined;
  /** Told which faults were played on a request. */
  readonly onFault?: ((request: HttpRequest, fault: Fault) => void) | undefined;
}

function answerOf({ status = 500, retryAfter, body }: Fault): HttpResponse {
  const text = body ?? JSON.stringify({ error: 'FaultPlayed', message: `status ${status}, as the rehearsal asked` });
  const bodiless = status === 204 || status === 304;
  const type = /^\s*[[{]/.test(text) ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  return {
    status,
    headers: {
      ...(bodiless ? {} : { 'content-type': type }),
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    body: bodiless ? '' : text,
  };
}

/** The first half of the bytes, then the connection breaks. */
async function* firstHalf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 1) yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw new ConnectionReset('in the middle of the answer');
}

async function cut(response: HttpResponse): Promise<HttpResponse> {
  const bytes = await readBytes(response.body, MOST_CUT);
  // an answer without a body has no middle: its head is lost instead
  if (bytes.length === 0) throw new ConnectionReset('in the middle of the answer');
  return {
    status: response.status,
    headers: { ...response.headers, 'content-length': String(bytes.length) },
    body: firstHalf(bytes),
  };
}

async function discard(body: Body): Promise<void> {
  for await (const _ of chunksOf(body));
}

/** The same request with a cursor that the service can't know. */
function withDeadCursor(request: HttpRequest): HttpRequest {
  const { method, url, headers, body, signal } = request;
  return { method, url: url.replace(/([?&]cursor=)[^&#]*/, '$1dead'), headers, body, signal };
}

async function play(fault: Fault, request: HttpRequest, send: Send): Promise<HttpResponse> {
  if (fault.when === 'after' && fault.action !== 'truncate') await discard((await send(request)).body);
  switch (fault.action) {
    case 'status':
      return answerOf(fault);
    case 'reset':
      throw new ConnectionReset(fault.when === 'after' ? 'after the work was done' : 'before anything was done');
    case 'truncate':
      return cut(await send(request));
    case 'dead-cursor':
      return send(withDeadCursor(request));
    case 'latency':
      return send(request);
  }
}

/**
 * Wraps a service so that the planned faults happen to it.
 * @param send the service
 */
export function withFaults(send: Send, options: FaultyOptions): Send {
  const { plan, basePath, wait, latency, onFault } = options;
  return async (request) => {
    if (plan.isEmpty && latency === undefined) return send(request);
    const { path, query } = addressOf(request.url, basePath);
    const faults = plan.next(request.method, path, /(^|&)cursor=/.test(query));
    const delay = faults.reduce((sum, fault) => sum + (fault.latency ?? 0), latency?.() ?? 0);
    if (delay > 0) await wait(delay, request.signal);
    for (const fault of faults) onFault?.(request, fault);
    const broken = faults.find((fault) => fault.action !== 'latency');
    return broken === undefined ? send(request) : play(broken, request, send);
  };
}
