/**
 * Carries a matched request through its endpoint: caller, permission, body, checks, and the handler in a transaction.
 */
import type { Endpoint } from '../contract/vocabulary.js';
import type { HttpRequest, HttpResponse } from '../core/http.js';
import { readBody } from './body.js';
import { type Caller, type Callers, requirePermission } from './caller.js';
import type { CursorScope, Cursors } from './cursors.js';
import { badFields, type FieldProblem, JSON_HEADERS } from './error-answer.js';
import type { Form } from './multipart.js';
import { envelope, limitOf } from './paging.js';
import type { ServiceContext } from './service-context.js';
import type { Page } from './store/collection.js';
import type { TableName } from './store/schema.js';
import { discardUpload, finishUpload, keepUpload } from './uploads.js';
import { check } from './validation.js';
import type { Variants } from './variants.js';

/** A handler without its types: the mapped type over the contract has seen to it that it fits its endpoint. */
export interface AnyHandler {
  readonly needs?: readonly [resource: string, operation: string];
  readonly writes?: true;
  readonly pages?: TableName;
  readonly run: (call: never) => unknown;
}

export interface Target {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
}

export interface RequestContext {
  readonly core: ServiceContext;
  readonly callers: Callers;
  readonly cursors: Cursors;
}

interface Asked {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Parsed query; a name given twice has a problem noted. */
  readonly query: ReadonlyMap<string, string>;
  readonly problems: FieldProblem[];
}

const EMPTY_FORM: Form = { values: {}, uploads: [] };

/** The parameters of a query. One that is given twice is a problem: either value might be meant. */
export function parseQuery(query: string, problems: FieldProblem[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (query === '') return values;
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) problems.push({ field: name, message: 'is given more than once' });
    values.set(name, value);
  }
  return values;
}

const isRead = ({ endpoint, handler }: Target): boolean => endpoint.method === 'GET' && handler.writes !== true;

/** What a list is, for its cursors: path and query without the page. */
const listOf = ({ path, query }: Asked): string => {
  const rest = [...query].filter(([name]) => name !== 'limit' && name !== 'cursor');
  return JSON.stringify([path, rest.sort(([one], [other]) => (one < other ? -1 : 1))]);
};

function respond(
  { endpoint }: Target,
  answer: unknown,
  { createdStatus, blank, idLists, doneBody }: Variants,
): HttpResponse {
  const { returns, list, method, path, repeat } = endpoint;
  if (returns === undefined && list === undefined) {
    if (method === 'DELETE') return { status: 204, headers: {}, body: '' };
    return doneBody === 'empty'
      ? { status: 200, headers: {}, body: '' }
      : { status: 200, headers: JSON_HEADERS, body: '{}' };
  }
  const isWrapped = idLists === 'wrapped' && list?.key === null && path.startsWith('/v1/users/');
  const body = JSON.stringify(isWrapped ? { users: answer } : answer, blank === 'null' ? undefined : withoutNulls);
  return { status: repeat === 'safe' ? 200 : createdStatus, headers: JSON_HEADERS, body };
}

/** For `JSON.stringify`: leaves blank members out; in lists null stays. */
function withoutNulls(this: unknown, _: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** Checks everything, then runs the handler. Inside a transaction. */
function run({ core, cursors }: RequestContext, target: Target, caller: Caller, asked: Asked, form: Form): unknown {
  const { endpoint, handler } = target;
  const problems = [...asked.problems];
  const query = check(endpoint.query ?? {}, Object.fromEntries(asked.query), problems, true);
  const body = check(endpoint.body ?? {}, form.values, problems, endpoint.encoding === 'multipart');
  const call = { core, caller, params: asked.params, query, body };
  if (handler.pages === undefined) {
    const refusal = badFields(problems);
    if (refusal !== undefined) throw refusal;
    return handler.run(call as never);
  }
  const limit = limitOf(asked.query.get('limit'), problems, core.variants);
  const refusal = badFields(problems);
  if (refusal !== undefined) throw refusal;
  const scope: CursorScope = { userId: caller.user.id, list: listOf(asked), collection: handler.pages };
  const cursor = asked.query.get('cursor');
  const after = cursor === undefined ? 0 : cursors.read(scope, cursor);
  const { pages } = core.variants;
  const size = pages === 'full' ? limit : Math.ceil(limit / 2);
  const full = handler.run({ ...call, page: { after, limit: size } } as never) as Page<unknown>;
  // A caller who may not see the list gets no empty page either.
  const page = pages === 'empty' && cursor === undefined ? { items: [], next: 0 } : full;
  return envelope(endpoint.list?.key ?? 'items', page, core.variants, (next) => cursors.issue(scope, next));
}

function permittedCaller({ core, callers }: RequestContext, { handler }: Target, request: HttpRequest): Caller {
  const caller = callers(request.headers);
  if (handler.needs !== undefined) requirePermission(core, caller, ...handler.needs);
  return caller;
}

/**
 * A write: who may not do it is told before the body is read. Caller and permission are looked at again inside the
 * transaction, because reading may take long.
 */
async function write(context: RequestContext, target: Target, asked: Asked, request: HttpRequest): Promise<unknown> {
  const { core } = context;
  core.store.read(() => permittedCaller(context, target, request));
  const form = target.endpoint.body === undefined ? EMPTY_FORM : await readBody(core, target.endpoint, request);
  try {
    const result = core.store.write(() => {
      // Inside, so that a blob which no record names is one that was left behind.
      for (const upload of form.uploads) keepUpload(core, upload);
      return run(context, target, permittedCaller(context, target, request), asked, form);
    });
    for (const upload of form.uploads) finishUpload(core, upload);
    return result;
  } catch (error) {
    for (const upload of form.uploads) discardUpload(core, upload);
    throw error;
  }
}

/** What the request's address says. */
export interface Matched {
  /** Under the base URL, percent-encoded. */
  readonly path: string;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** As it stands behind the question mark. */
  readonly query: string;
}

/**
 * The response of an endpoint to a request.
 * @throws Refusal
 */
export async function dispatch(
  context: RequestContext,
  target: Target,
  request: HttpRequest,
  { path, params, query }: Matched,
): Promise<HttpResponse> {
  const problems: FieldProblem[] = [];
  const asked: Asked = { path, params, query: parseQuery(query, problems), problems };
  const { store } = context.core;
  const answer = isRead(target)
    ? store.read(() => run(context, target, permittedCaller(context, target, request), asked, EMPTY_FORM))
    : await write(context, target, asked, request);
  return respond(target, answer, context.core.variants);
}
