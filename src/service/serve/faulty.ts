/** Wraps a `Send` with the faults of a service, a proxy or a network. */
import { type Body, chunksOf, type HttpRequest, type HttpResponse, readBytes, type Send } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { addressOf } from '../router.js';
import type { Store } from '../store/store.js';
import type { DueFault, FaultPlan } from './fault-plan.js';
import type { Fault } from './faults.js';
import { changeList } from './list-change.js';

/** Thrown by a `Send` or by the body of its response: a listener resets the socket, a call in process fails. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  readonly code = 'ECONNRESET';
  constructor(when: string) {
    super(`connection reset ${when}`);
  }
}

/** Responses are buffered up to this size in order to cut, slow down or change them. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

interface FaultyOptions {
  readonly plan: FaultPlan;
  readonly basePath: string;
  /** Replaces `sleep` in tests. */
  readonly wait?: typeof sleep;
  readonly now: () => number;
  /** Aborted when the service is closed, which ends requests that hang. */
  readonly closed: AbortSignal;
  readonly store: Store;
  readonly latency?: (() => number) | undefined;
}

/** Waits in real time. @throws the signal's reason if it is aborted, so that the request is not carried out */
async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises');
  try {
    await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
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

/** Replaces a body by a stream of its bytes, of the same length. */
async function streamed(
  response: HttpResponse,
  stream: (bytes: Uint8Array) => AsyncIterable<Uint8Array>,
): Promise<HttpResponse> {
  const bytes = await readBytes(response.body, MAX_HELD_BYTES);
  return { ...response, headers: { ...response.headers, 'content-length': String(bytes.length) }, body: stream(bytes) };
}

async function* firstHalf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 1) yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw new ConnectionReset('in the middle of the answer');
}

function cut(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  // An empty response has no middle to break at, so it is lost as a whole.
  if (bytes.length === 0) throw new ConnectionReset('in the middle of the answer');
  return firstHalf(bytes);
}

async function discard(body: Body): Promise<void> {
  for await (const _ of chunksOf(body));
}

function withDeadCursor(request: HttpRequest): HttpRequest {
  const { method, url, headers, body, signal } = request;
  return { method, url: url.replace(/([?&]cursor=)[^&#]*/, '$1dead'), headers, body, signal };
}

function tooMany({ waitMs = 0, retryAfter = 'seconds' }: DueFault, now: number): HttpResponse {
  const seconds = Math.ceil(waitMs / 1000);
  const values: Readonly<Record<string, string | undefined>> = {
    seconds: String(seconds),
    date: new Date(now + seconds * 1000).toUTCString(),
    none: undefined,
  };
  const value = Object.hasOwn(values, retryAfter) ? values[retryAfter] : retryAfter;
  return answerOf({ action: 'status', status: 429, ...(value === undefined ? {} : { retryAfter: value }) });
}

async function hang(signal: AbortSignal | undefined, closed: AbortSignal): Promise<never> {
  const end = signal === undefined ? closed : AbortSignal.any([signal, closed]);
  if (!end.aborted) await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }));
  signal?.throwIfAborted();
  throw new ConnectionReset('without an answer');
}

const drip = ({ pause = 20 }: Fault, { signal }: HttpRequest, { wait = sleep }: FaultyOptions) =>
  async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at++) {
      if (at > 0) await wait(pause, signal);
      yield bytes.subarray(at, at + 1);
    }
  };

/** Terminal escapes, a bell, a right-to-left override, a spreadsheet formula, line breaks, half a surrogate pair. */
const HOSTILE = '\u001b[31m\u009b2J\u0007\u202e=1+1\r\n\ud800';
const NAMES = /^(name|title|firstName|lastName|className|translatedName|city|series|level)$/;

async function withJson(response: HttpResponse, change: (value: unknown) => unknown): Promise<HttpResponse> {
  if (!response.headers['content-type']?.includes('json')) return response;
  const value: unknown = JSON.parse((await readBytes(response.body, MAX_HELD_BYTES)).toString());
  return { ...response, body: JSON.stringify(change(value)) };
}

const hostile = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, item) => (NAMES.test(name) && typeof item === 'string' ? item + HOSTILE : item)),
  );

const looping = (url: string) => (value: unknown) => {
  const nextCursor = new URL(url).searchParams.get('cursor');
  return isObject(value) && 'paging' in value ? { ...value, paging: { nextCursor } } : value;
};

async function apply(fault: DueFault, request: HttpRequest, send: Send, options: FaultyOptions): Promise<HttpResponse> {
  const isAfter = fault.when === 'after' && ['status', 'reset', 'hang'].includes(fault.action);
  if (isAfter) await discard((await send(request)).body);
  switch (fault.action) {
    case 'status':
      return answerOf(fault);
    case 'rate-limit':
      return tooMany(fault, options.now());
    case 'reset':
      throw new ConnectionReset(fault.when === 'after' ? 'after the work was done' : 'before anything was done');
    case 'hang':
      return hang(request.signal, options.closed);
    case 'truncate':
      return streamed(await send(request), cut);
    case 'drip':
      return streamed(await send(request), drip(fault, request, options));
    case 'content-type': {
      const response = await send(request);
      return { ...response, headers: { ...response.headers, 'content-type': fault.type ?? 'text/html' } };
    }
    case 'hostile':
      return withJson(await send(request), hostile);
    case 'loop-cursor':
      return withJson(await send(request), looping(request.url));
    case 'insert':
    case 'remove':
    case 'move':
      await changeList(options.store, fault.action, request, send);
      return send(request);
    case 'dead-cursor':
      return send(withDeadCursor(request));
    case 'latency':
      return send(request);
  }
}

export function withFaults(send: Send, options: FaultyOptions) {
  const { plan, basePath, wait = sleep, latency } = options;
  return async (request: HttpRequest, onFault?: (fault: Fault) => void): Promise<HttpResponse> => {
    if (plan.isEmpty && latency === undefined) return send(request);
    const { path, query } = addressOf(request.url, basePath);
    const faults = plan.next(request.method, path, /(^|&)cursor=/.test(query), options.now());
    const delay = faults.reduce((sum, fault) => sum + (fault.latency ?? 0), latency?.() ?? 0);
    if (delay > 0) await wait(delay, request.signal);
    for (const fault of faults) onFault?.(fault);
    const broken = faults.find((fault) => fault.action !== 'latency');
    return broken === undefined ? send(request) : apply(broken, request, send, options);
  };
}
