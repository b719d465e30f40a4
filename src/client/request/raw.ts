/** Requests outside the contract, for `edu api`: any method and any path under the base URL. */

import { contract, oauth } from '../../contract/index.js';
import { createRouter } from '../../contract/routes.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import type { Headers, HttpResponse } from '../../core/http.js';
import { once } from '../../core/maps.js';
import { refusal } from '../errors/diagnose-403.js';
import { decodeText, looksLikeMarkup } from '../errors/error-body.js';
import type { Listing } from '../lists/lists.js';
import { type About, isSuccess, parse, type Received } from './answer.js';
import { mayHaveBeenDone } from './attempt.js';
import type { CallOptions, RawOptions, RawRequest } from './client.js';
import { aboutOf, type ClientState } from './client-state.js';
import { type Outgoing, rawRequestOf } from './request.js';
import { sendWithRetries, unknownOf } from './retry.js';
import { rawPath } from './url.js';

const router = once(() => {
  const endpoints = [...Object.values(contract), oauth].flatMap((resource) => Object.values(resource) as Endpoint[]);
  return createRouter(endpoints.map((target) => ({ method: target.method, path: target.path, target })));
});

/** The endpoint; undefined if the contract has none. */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  const [pathname = ''] = path.split('?');
  try {
    return router()(method, pathname)?.target;
  } catch {
    // The path is not well encoded.
    return undefined;
  }
}

const reads = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

function outOf(state: ClientState, request: RawRequest): Outgoing {
  const endpoint = endpointOf(request.method, rawPath(state.baseUrl, request.path));
  // An unknown endpoint is retried only for methods that read. Keyed creates are not looked up here, because the body has
  // any form.
  const safe = endpoint === undefined ? reads(request.method) : endpoint.repeat === 'safe';
  return rawRequestOf(state, request, safe ? 'safe' : 'unkeyed');
}

/**
 * Checks that a success is readable: announced JSON must be JSON, and a path of the contract must not return a page,
 * which would be that of a proxy or a login.
 */
function check(about: About, answer: Received, anyBody: boolean): void {
  if (answer.unreadable !== undefined) throw answer.unreadable;
  if (anyBody) return;
  const { 'content-type': type = '' } = answer.headers;
  const known = about.path.startsWith('/v1/') && endpointOf(about.method, about.path) !== undefined;
  if (type.includes('json') || (known && looksLikeMarkup(decodeText(answer.bytes, type)))) parse(() => about, answer);
}

/** Sends a raw request. @returns a response of any status @throws EduError for none, and for an invalid body of a success */
export async function raw(state: ClientState, request: RawRequest, options: RawOptions): Promise<HttpResponse> {
  const out = outOf(state, request);
  const answer = await sendWithRetries(state, out, options, { anyStatus: true });
  if (isSuccess(answer)) {
    try {
      check(aboutOf(state, out), answer, options.anyBody === true);
    } catch (error) {
      if (!(error instanceof EduError) || out.repeat === 'safe') throw error;
      const { howToCheck } = await import('../errors/how-to-check.js');
      throw error.with({ hint: `It was probably carried out. ${howToCheck(out)}` });
    }
  }
  return { status: answer.status, headers: answer.headers, body: answer.bytes };
}

/** The error for a response. A 5xx for a request that is not safe to repeat means an unknown outcome. */
export async function rawError(
  state: ClientState,
  request: RawRequest,
  answer: Received,
  options: CallOptions,
): Promise<EduError> {
  const out = outOf(state, request);
  if (out.repeat === 'safe' || !mayHaveBeenDone(answer.status)) {
    const error = await refusal(state, out, answer, options);
    const { method, path } = aboutOf(state, out);
    const isWrongPath = error.kind === 'not_found' && path.startsWith('/v1/') && endpointOf(method, path) === undefined;
    return isWrongPath ? error.with({ hint: 'The API document has no such path: check its spelling.' }) : error;
  }
  const { howToCheck } = await import('../errors/how-to-check.js');
  return unknownOf(state, out, { is: 'unknown', answer }, howToCheck(out));
}

/** Adds query parameters to a user's path; existing ones are kept, except the cursor. */
export function withPaging(path: string, paging: Readonly<Record<string, string | number | undefined>>): string {
  const [pathname = '', ...rest] = path.split('?');
  const given = rest
    .join('?')
    .split('&')
    .filter((pair) => pair !== '');
  const kept = paging.cursor === undefined ? given : given.filter((pair) => !pair.startsWith('cursor='));
  const added = Object.entries(paging)
    .filter(([name, value]) => value !== undefined && !kept.some((pair) => pair.startsWith(`${name}=`)))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const pairs = [...kept, ...added];
  return pairs.length === 0 ? pathname : `${pathname}?${pairs.join('&')}`;
}

/** The list at a path. @throws a usage error for a path outside the base URL, or of an endpoint that returns no list */
export function rawListing(state: ClientState, path: string, headers: Headers): Listing {
  const checked = rawPath(state.baseUrl, path);
  // An item may contain a single list, such as the roles of a school.
  const endpoint = endpointOf('GET', checked);
  const answer = endpoint?.list;
  if (endpoint !== undefined && answer === undefined)
    throw usageError(`GET ${path} returns a single item, not a list.`, 'Leave out --paginate.');
  return {
    kind: checked,
    path: checked,
    key: null,
    answer,
    paged: answer === undefined || answer.paged === true,
    request: (paging) =>
      rawRequestOf(state, { method: 'GET', path: withPaging(checked, { ...paging }), headers }, 'safe'),
  };
}
