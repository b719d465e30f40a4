/** Wraps a `Send` with the faults of a service, a proxy or a network. */
import { randomUUID } from 'node:crypto';
import {
  type Body,
  chunksOf,
  type Headers,
  type HttpRequest,
  type HttpResponse,
  readBytes,
  type Send,
} from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { addressOf } from '../router.js';
import type { Answered } from '../service-context.js';
import { VISIBLE, type VisibleName } from '../store/schema.js';
import type { Store } from '../store/store.js';
import { mayBeJson, parsed } from './call-journal.js';
import { ConnectionReset } from './connection-reset.js';
import type { DueFault, FaultPlan } from './fault-plan.js';
import type { Fault } from './faults.js';
import type { Person } from './test-users.js';

/** The collections of lists with other names. */
const COLLECTIONS: Readonly<Record<string, VisibleName>> = {
  licenses: 'licences',
  publishers: 'organizations',
  schools: 'organizations',
};

/** A record of any collection; the changed members are looked up by name. */
type AnyRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the list's first page, and returns the collection and the id of its first item.
 * @param callerId ID of the user who sends the request, whose removal would end the list
 */
async function firstOf({ method, headers, url: given }: HttpRequest, callerId: string | undefined, send: Send) {
  const url = new URL(given);
  url.searchParams.delete('cursor');
  const { status, body } = await send({ method, headers, url: url.href });
  if (status !== 200) return undefined;
  const page = JSON.parse((await readBytes(body, MAX_PAGE_BYTES)).toString()) as Record<string, AnyRecord[]>;
  const { paging: _, ...lists } = page;
  for (const [name, items] of Object.entries(lists)) {
    const kind = COLLECTIONS[name] ?? VISIBLE.find((one) => one === name);
    const id = items.find((item) => item.id !== callerId)?.id;
    if (kind !== undefined && id !== undefined) return { kind, id };
  }
  return undefined;
}

function another(record: AnyRecord): AnyRecord {
  const id = randomUUID().replaceAll('-', '').slice(0, 24);
  return {
    ...record,
    id,
    ...(typeof record.code === 'string' ? { code: id } : {}),
    ...(typeof record.email === 'string' ? { email: `${id}@example.org` } : {}),
    ...(record.ownerId !== undefined && typeof record.name === 'string' ? { name: `${record.name} ${id}` } : {}),
  };
}

/** Changes the owner to an organization that does not exist, so that the record leaves the list. */
function moved(record: AnyRecord): AnyRecord {
  const owners = ['ownerId', 'organizationId', 'creatorId'].filter((name) => typeof record[name] === 'string');
  return { ...record, ...Object.fromEntries(owners.map((name) => [name, 'elsewhere'])) };
}

/** Changes the list that a request pages through, unless it is empty. */
async function changeList(
  { store, callerOf }: Pick<FaultyOptions, 'store' | 'callerOf'>,
  change: 'insert' | 'remove' | 'move',
  request: HttpRequest,
  send: Send,
): Promise<void> {
  const first = await firstOf(request, callerOf(request.headers)?.id, send);
  if (first === undefined) return;
  // Records are only copied and written back to the same collection, so their type does not matter.
  const records = store[first.kind] as unknown as {
    get(id: string): AnyRecord | undefined;
    insert(record: AnyRecord): void;
    update(record: AnyRecord): void;
    remove(id: string): void;
  };
  store.write(() => {
    const record = records.get(first.id);
    if (record === undefined) return;
    if (change === 'insert') records.insert(another(record));
    else if (change === 'remove') records.remove(record.id);
    else records.update(moved(record));
  });
}

/** Responses are buffered up to this size in order to cut, slow down or change them. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

interface FaultyOptions {
  readonly plan: FaultPlan;
  readonly basePath: string;
  /** Replaces `sleep` in tests. */
  readonly wait?: typeof sleep;
  readonly now: () => number;
  readonly store: Store;
  readonly callerOf: (headers: Headers) => Person | undefined;
  /** Of each response, in milliseconds. */
  readonly latency?: number | undefined;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits in real time. @throws the signal's reason if it is aborted, so that the request is not carried out */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises');
  try {
    await wait(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Aborted when the client disconnects, or when the service is closed or set back. */
const endOf = ({ signal }: HttpRequest, ended: AbortSignal): AbortSignal =>
  signal === undefined ? ended : AbortSignal.any([signal, ended]);

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
  throw new ConnectionReset('in the middle of the answer', 'UND_ERR_SOCKET');
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

/** The timer keeps the process running, as an open connection does: `AbortSignal.timeout()` alone does not. */
async function hang(end: AbortSignal): Promise<never> {
  for (;;) await sleep(MAX_TIMER_MS, end);
}

const drip = ({ pause = 20 }: Fault, end: AbortSignal, { wait = sleep }: FaultyOptions) =>
  async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at++) {
      if (at > 0) await wait(pause, end);
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

/** @param ended aborted when the service is closed or set back */
async function apply(
  fault: DueFault,
  request: HttpRequest,
  send: Send,
  ended: AbortSignal,
  options: FaultyOptions,
): Promise<HttpResponse> {
  if (fault.when === 'after') await discard((await send(request)).body);
  switch (fault.action) {
    case 'status':
      return answerOf(fault);
    case 'rate-limit':
      return tooMany(fault, options.now());
    case 'reset':
      throw new ConnectionReset(fault.when === 'after' ? 'after the work was done' : 'before anything was done');
    case 'hang':
      return hang(endOf(request, ended));
    case 'truncate':
      return streamed(await send(request), cut);
    case 'drip':
      return streamed(await send(request), drip(fault, endOf(request, ended), options));
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
      await changeList(options, fault.action, request, send);
      return send(request);
    case 'dead-cursor':
      return send(withDeadCursor(request));
    case 'latency':
      return send(request);
  }
}

/** Reads a JSON body before it is known which faults affect the request. */
async function withBytes(request: HttpRequest): Promise<HttpRequest> {
  const { method, url, headers, body, signal } = request;
  if (body === undefined || !mayBeJson(headers)) return request;
  return { method, url, headers, signal, body: await readBytes(body, MAX_HELD_BYTES) };
}

export function withFaults(send: Send, options: FaultyOptions) {
  const { plan, basePath, callerOf, wait = sleep, latency = 0 } = options;
  return async (given: HttpRequest, onFault?: (fault: Fault) => void): Promise<Answered> => {
    if (plan.isEmpty && latency === 0) return send(given);
    const { readsBodies, ended } = plan;
    const request = readsBodies ? await withBytes(given) : given;
    const bytes = readsBodies ? request.body : undefined;
    const body = bytes instanceof Uint8Array ? parsed(Buffer.from(bytes).toString()) : undefined;
    const { path, query } = addressOf(request.url, basePath);
    const caller = (): Person | undefined => callerOf(request.headers);
    const faults = plan.next({ method: request.method, path, query, caller, body }, options.now());
    const delay = faults.reduce((sum, fault) => sum + (fault.latency ?? 0), latency);
    for (const fault of faults) onFault?.(fault);
    if (delay > 0) await wait(delay, endOf(request, ended));
    const broken = faults.find((fault) => fault.action !== 'latency');
    return broken === undefined ? send(request) : apply(broken, request, send, ended, options);
  };
}
