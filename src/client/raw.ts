/** Requests outside the contract, for `edu api`: any method, any path under the base URL, the same care. */
import type { Repeat } from '../contract/vocabulary.js';
import type { EduError } from '../errors.js';
import type { Headers, HttpResponse } from '../http.js';
import type { Received } from './answer.js';
import { type Calls, isSuccess, refusal } from './calls.js';
import type { CallOptions, RawOptions, RawRequest } from './client.js';
import type { Listing } from './lists.js';
import { endpointOf } from './match.js';
import { persist } from './persist.js';
import { type Outgoing, rawRequestOf } from './request.js';
import { rawPath } from './url.js';

const reads = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

function outOf({ baseUrl, headers }: Calls, request: RawRequest): Outgoing {
  const endpoint = endpointOf(request.method, rawPath(baseUrl, request.path));
  // What the contract does not know is repeated only if it reads. Keyed creates are not looked up here: the body is the
  // user's own, in whatever form.
  const safe = endpoint === undefined ? reads(request.method) : endpoint.repeat === 'safe';
  const repeat: Repeat = safe ? 'safe' : 'unkeyed';
  return rawRequestOf(baseUrl, request, headers, repeat);
}

/** Sends a raw request. @throws EduError for any status but 2xx, unless `anyStatus` */
export async function raw(calls: Calls, request: RawRequest, options: RawOptions): Promise<HttpResponse> {
  const out = outOf(calls, request);
  const answer = await persist(calls.wire, out, options);
  if (!isSuccess(answer) && options.anyStatus !== true) throw await refusal(calls, out, answer, options);
  return { status: answer.status, headers: answer.headers, body: answer.bytes };
}

/** The error that an answer means. */
export const rawError = (
  calls: Calls,
  request: RawRequest,
  answer: Received,
  options: CallOptions,
): Promise<EduError> => refusal(calls, outOf(calls, request), answer, options);

/** Sets query parameters of a path that a user wrote; those that are there already stay, except the cursor. */
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

/** The list at a path. @throws a usage error for a path outside the base URL */
export function rawListing({ baseUrl, headers }: Calls, path: string, more: Headers): Listing {
  const checked = rawPath(baseUrl, path);
  return {
    kind: checked,
    path: checked,
    key: null,
    answer: undefined,
    paged: true,
    request: (paging) =>
      rawRequestOf(
        baseUrl,
        { method: 'GET', path: withPaging(checked, { ...paging }), headers: more },
        headers,
        'safe',
      ),
  };
}
