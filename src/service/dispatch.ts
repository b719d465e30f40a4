/** Processes a matched request: caller, permission, body and checks, then the handler inside a transaction. */
import { any, type Endpoint, type Fields } from '../contract/vocabulary.js';
import type { HttpRequest, HttpResponse } from '../core/http.js';
import { type Caller, callerOf, requirePermission } from './access.js';
import { discardUpload, type Form, keepUpload, readBody } from './body.js';
import { badFields, type FieldProblem, JSON_HEADERS } from './error-answer.js';
import type { HandlerTraits } from './handler-types.js';
import { type CursorScope, type Cursors, envelope, limitOf } from './paging.js';
import type { ServiceContext } from './service-context.js';
import type { Page } from './store/collection.js';
import { check, type Findings } from './validation.js';
import type { Variants } from './variants.js';

/** A handler with its types erased; `Handlers` in handler-types.ts has checked it against its endpoint. */
export interface AnyHandler extends HandlerTraits {
  readonly run: (call: never) => unknown;
}

export interface Target {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
}

export interface RequestContext {
  readonly core: ServiceContext;
  readonly cursors: Cursors;
}

interface Exchange extends RequestContext, Target {
  readonly request: HttpRequest;
  /** Relative to the base URL, percent-encoded. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  readonly problems: FieldProblem[];
  /** Receives notes about unknown input. */
  readonly warnings: string[];
}

/** `limitOf` and the cursors check their values. */
const PAGING: Fields = { limit: any('items on a page'), cursor: any('start of the page') };

const EMPTY_FORM: Form = { values: {}, uploads: [] };

/** Reports a parameter that is given twice, because either value might be meant. */
export function parseQuery(query: string, problems: FieldProblem[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (query === '') return values;
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) problems.push({ field: name, message: 'is given more than once' });
    values.set(name, value);
  }
  return values;
}

/** Identifies a list for its cursors, whatever the order of its query parameters. */
const listOf = ({ path, query }: Exchange): string => {
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

function withoutNulls(this: unknown, _: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

function permittedCaller({ core, handler, request }: Exchange): Caller {
  const caller = callerOf(core, request.headers);
  if (handler.needs !== undefined) requirePermission(core, caller, ...handler.needs);
  return caller;
}

/** To be called inside a transaction. */
function run(exchange: Exchange, form: Form): unknown {
  const { core, cursors, endpoint, handler, params } = exchange;
  const caller = permittedCaller(exchange);
  const problems = [...exchange.problems];
  const isPaged = endpoint.list?.paged === true;
  const fields = { ...endpoint.query, ...(isPaged ? PAGING : {}) };
  const found: Findings = { problems, warnings: [], isStrict: core.variants.strictInput };
  const query = check(fields, Object.fromEntries(exchange.query), found, true);
  const body = check(endpoint.body ?? {}, form.values, found, endpoint.encoding === 'multipart');
  // Replaces them, because a transaction may run again.
  exchange.warnings.splice(0, Number.POSITIVE_INFINITY, ...found.warnings);
  const call = { core, caller, params, query, body };
  const limit = isPaged ? limitOf(exchange.query.get('limit'), problems, core.variants) : 0;
  if (problems.length > 0) throw badFields(problems);
  if (!isPaged) return handler.run(call as never);
  const scope: CursorScope = { userId: caller.user.id, list: listOf(exchange) };
  const given = exchange.query.get('cursor');
  const cursor = given === undefined ? undefined : cursors.read(scope, given);
  const { pages } = core.variants;
  const size = pages === 'full' ? limit : Math.ceil(limit / 2);
  const full = handler.run({ ...call, page: { after: cursor?.after ?? 0, limit: size } } as never) as Page<unknown>;
  cursor?.check(full.list);
  // The handler runs even if the page will be empty, so that a caller without access gets its error.
  const page = pages === 'empty' && cursor === undefined ? { ...full, items: [], next: 0 } : full;
  return envelope(endpoint.list?.key ?? 'items', page, core.variants, (next) => cursors.issue(scope, full.list, next));
}

/** Checks the permission before a large body is read, and again in the transaction, because reading may take long. */
async function write(exchange: Exchange): Promise<unknown> {
  const { core, endpoint, request } = exchange;
  await core.store.whenFree(() => core.store.read(() => permittedCaller(exchange)), request.signal);
  const form = await readBody(core, endpoint, request);
  try {
    const work = (): unknown =>
      core.store.write(() => {
        // Inside the transaction, so that `sweepBlobs` can remove every blob that no record names.
        for (const upload of form.uploads) keepUpload(core, upload);
        return run(exchange, form);
      });
    return await core.store.whenFree(work, request.signal);
  } catch (error) {
    for (const upload of form.uploads) discardUpload(core, upload);
    throw error;
  }
}

/**
 * @param address of the request: path, decoded parameters in it, and query without the question mark
 * @throws Refusal
 */
export async function dispatch(
  context: RequestContext,
  target: Target,
  request: HttpRequest,
  address: Pick<Exchange, 'path' | 'params' | 'warnings'> & { readonly query: string },
): Promise<HttpResponse> {
  const problems: FieldProblem[] = [];
  const query = parseQuery(address.query, problems);
  const exchange: Exchange = { ...context, ...target, ...address, request, query, problems };
  const isRead = target.endpoint.method === 'GET' && target.handler.writes !== true;
  const { store } = context.core;
  const read = (): unknown => store.read(() => run(exchange, EMPTY_FORM));
  const answer = await (isRead ? store.whenFree(read, request.signal) : write(exchange));
  return respond(target, answer, context.core.variants);
}
