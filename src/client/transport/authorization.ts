/** Adds the access token to requests to one origin, and to no others. */
import { chunksOf, type HttpRequest, type HttpResponse, type Send } from '../../core/http.js';

export interface Authorization {
  /** Scheme, host and port that the token belongs to. */
  readonly origin: string;
  /** Checked to be valid in a header. */
  readonly token: string | undefined;
  /** `check` is the URL of GET account, which every valid token may call; `renew` returns undefined if there is no other. */
  readonly renewal?: { readonly check: string; readonly renew: (rejected: string) => string | undefined } | undefined;
}

const isWhole = ({ body }: HttpRequest): boolean =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array;

/** Ends a response that is not used. */
async function drop({ body }: HttpResponse): Promise<void> {
  for await (const _ of chunksOf(body)) break;
}

/**
 * Wraps a `Send` so that it adds the token to requests, unless they are anonymous or have their own `authorization`.
 * A request whose token is rejected was not carried out, and is sent again with a renewed one.
 */
export function authorized(send: Send, { origin, token, renewal }: Authorization): Send {
  if (token === undefined) return send;
  const home = new URL(origin).origin;
  let current = token;
  /** True until the service has accepted a renewed token, so that it is not renewed for each request. */
  let isNew = false;

  /** @returns false if there is no other token */
  function renewed(rejected: string): boolean {
    if (current !== rejected) return true;
    if (isNew) return false;
    isNew = true;
    try {
      current = renewal?.renew(rejected) ?? rejected;
    } catch {
      // The response of the service says what is wrong.
    }
    return current !== rejected;
  }

  /** True if a response is about the token: 403 means "not allowed" as well (service-api-v1.md, "Errors" 2). */
  async function isRejection(used: string, { status }: HttpResponse, { url, signal }: HttpRequest): Promise<boolean> {
    if (status !== 403 || renewal === undefined) return status === 401;
    if (current !== used || isNew) return current !== used;
    if (url === renewal.check) return true;
    try {
      const headers = { authorization: `Bearer ${used}` };
      const checked = await send({ method: 'GET', url: renewal.check, headers, signal });
      await drop(checked);
      return checked.status === 401 || checked.status === 403;
    } catch {
      return false;
    }
  }

  return async (request) => {
    const { headers } = request;
    const isOwnOrigin = new URL(request.url).origin === home;
    if (request.anonymous || headers.authorization !== undefined || !isOwnOrigin) return send(request);
    for (;;) {
      const used = current;
      // A member after the spread would give each object a hidden class of its own in V8 11, and slow down all that read it.
      const response = await send({ ...request, headers: { authorization: `Bearer ${used}`, ...headers } });
      if (response.status !== 401 && response.status !== 403) isNew = false;
      if (!isWhole(request) || !(await isRejection(used, response, request)) || !renewed(used)) return response;
      await drop(response);
    }
  };
}
