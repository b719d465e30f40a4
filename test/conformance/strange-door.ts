/**
 * Reaches the bundled service under a mix of variants. Responses are converted to the default form, as a tolerant
 * client reads them, and then checked against every rule.
 */
import { type HttpRequest, type HttpResponse, readBytes, type Send } from '../../src/core/http.js';
import { strangeVariants } from '../../src/service/serve/parse-variants.js';
import type { Variants } from '../../src/service/variants.js';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import { withNulls } from './answer-check.js';
import { bundledInProcess } from './bundled.js';
import type { Door } from './door.js';
import { operationOf } from './openapi-check.js';

const MAX_BYTES = 50 * 1024 * 1024;
const ERRORS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
};
const rowOf = new Map(DOCUMENTED.map((row) => [row.route, row]));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The same request with a limit that the service accepts: the maximum is not documented. */
function withinMaximum(request: HttpRequest, { maxLimit, largeLimit }: Variants): HttpRequest {
  if (largeLimit === 'cut') return request;
  const { method, headers, body, signal } = request;
  const url = request.url.replace(/([?&]limit=)(\d+)(?=&|$)/, (_, name: string, limit: string) => {
    return name + Math.min(Number(limit), maxLimit);
  });
  return { method, url, headers, body, signal };
}

/** The JSON of a successful response in the default form. */
function plainJson(route: string, json: unknown): unknown {
  if (route === 'GET /v1/users/userId/{email}') return { id: isObject(json) ? (json.id ?? json.userId) : json };
  const row = rowOf.get(route);
  if (isObject(json) && row?.page !== undefined) {
    const paging = isObject(json.paging) ? json.paging : {};
    return withNulls(route, { ...json, paging: { nextCursor: paging.nextCursor || null } });
  }
  if (isObject(json) && row?.answer === 'open' && Array.isArray(json.users)) return json.users;
  return withNulls(route, json);
}

/** An error in the default form; a page and an empty body contain no message. */
function plainError(status: number, text: string, type: string): string {
  const json: unknown = type.startsWith('application/json') ? JSON.parse(text) : {};
  if (!isObject(json) || typeof json.error === 'string') return text;
  const { details, message } = isObject(json.error) ? json.error : { details: json.errors, message: text };
  const fields = Array.isArray(details) && isObject(details[0]) && 'field' in details[0] ? { fields: details } : {};
  return JSON.stringify({ error: ERRORS[status], message: message ?? text, ...fields });
}

function plain(send: Send, baseUrl: string, variants: Variants): Send {
  /** Some services return 403 for an invalid token, too. */
  const isRefusedToken = async (authorization: string | undefined): Promise<boolean> => {
    if (authorization === undefined) return false;
    const url = `${baseUrl}/v1/account`;
    return (await send({ method: 'GET', url, headers: { authorization } })).status === variants.badTokenStatus;
  };
  const statusOf = async ({ status }: HttpResponse, { headers }: HttpRequest): Promise<number> => {
    if (status === 401 && headers.authorization === undefined) return 403;
    return status === 403 && (await isRefusedToken(headers.authorization)) ? 401 : status;
  };
  return async (asked) => {
    const request = withinMaximum(asked, variants);
    const response = await send(request);
    const path = request.url.slice(baseUrl.length).split('?', 1)[0] ?? '';
    const type = response.headers['content-type'] ?? '';
    const body = (at: HttpResponse): Promise<Buffer> => readBytes(at.body, MAX_BYTES);
    if (path === '/login/oauth/access_token' && request.method === 'POST') {
      const text = (await body(response)).toString();
      const isError = type.startsWith('application/json') && isObject(JSON.parse(text)) && 'error' in JSON.parse(text);
      return { ...response, status: isError ? 400 : response.status, body: text };
    }
    const isError = response.status >= 400;
    const route = operationOf(request.method, path)?.name ?? '';
    const isEmpty = rowOf.get(route)?.answer === 'none';
    if (route.endsWith('/oauth/authorize') || !(isError || isEmpty || type.startsWith('application/json')))
      return response;
    const text = (await body(response)).toString();
    if (isError) {
      const status = await statusOf(response, request);
      const headers = { ...response.headers, 'content-type': 'application/json; charset=utf-8' };
      return { status, headers, body: plainError(status, text, type) };
    }
    if (isEmpty) return { ...response, headers: {}, body: '' };
    const status = response.status === 201 ? 200 : response.status;
    return { ...response, status, body: JSON.stringify(plainJson(route, JSON.parse(text))) };
  };
}

/** Calls the function of a service with the mix of this seed. */
export async function strangeInProcess(seed: number): Promise<Door> {
  const variants = strangeVariants(seed);
  const door = await bundledInProcess(variants);
  return { ...door, send: plain(door.send, door.baseUrl, variants), encryptionMs: variants.encryptionMs };
}
