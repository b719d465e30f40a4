/** A caller of the service: sends requests by route and checks every response against the document. */
import { expect } from 'vitest';
import { type HttpRequest, type Method, readBytes } from '../../src/core/http.js';
import { documentedRow, problemsOfAnswer } from './answer-check.js';
import type { Door } from './door.js';
import { type FormGiven, multipart } from './multipart.js';
import type { AnswerTo, Route } from './typed-routes.js';

export interface Given {
  /** Path segments, not yet encoded. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly form?: FormGiven;
  /** Raw bytes with their content type. */
  readonly raw?: { readonly contentType: string; readonly body: string | Uint8Array };
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const MOST = 50 * 1024 * 1024;

const pathOf = (route: string, params: Readonly<Record<string, string>> = {}): string =>
  route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

export function queryString(query: Given['query'] = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(`${value}`)}`).join('&')}`;
}

function bodyOf(given: Given): { headers: Record<string, string>; body?: HttpRequest['body'] } {
  if (given.form) {
    const { contentType, body } = multipart(given.form);
    return { headers: { 'content-type': contentType }, body };
  }
  if (given.raw) return { headers: { 'content-type': given.raw.contentType }, body: given.raw.body };
  if (given.json === undefined) return { headers: {} };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(given.json) };
}

/** Sends any request and reads the whole response. */
export async function exchange(
  door: Door,
  method: Method,
  target: string,
  given: Given = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const { headers: own, body } = bodyOf(given);
  const response = await door.send({
    method,
    url: door.baseUrl + target + queryString(given.query),
    headers: { accept: 'application/json', ...own, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = (await readBytes(response.body, MOST)).toString('utf8');
  return { status: response.status, headers: response.headers, text };
}

export class Actor {
  readonly #door: () => Door;
  readonly #token: (door: Door) => string | undefined;

  /** @param token returns the access token; undefined: requests have no authentication */
  constructor(door: () => Door, token: (door: Door) => string | undefined) {
    this.#door = door;
    this.#token = token;
  }

  /** Sends a request for a route without assertions. */
  send(route: Route, given: Given = {}): Promise<Answered> {
    const [method, path] = route.split(' ') as [Method, string];
    const door = this.#door();
    const token = this.#token(door);
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return exchange(door, method, pathOf(path, given.params), given, authorization);
  }

  /**
   * Sends a request that must succeed with the documented status and exactly the documented fields.
   * @returns the JSON of the response; undefined for an empty body
   */
  async ok<R extends Route>(route: R, given: Given = {}): Promise<AnswerTo<R>> {
    const answer = await this.send(route, given);
    const row = documentedRow(route);
    expect(`${answer.status} ${answer.status >= 300 ? answer.text : ''}`.trim(), route).toBe(`${row.status ?? 200}`);
    if (row.answer === 'none') {
      if (row.status === 204) expect(answer.text, route).toBe('');
      return undefined as AnswerTo<R>;
    }
    expect(answer.headers['content-type'], route).toMatch(/^application\/json\b/);
    const json = JSON.parse(answer.text) as AnswerTo<R>;
    expect(problemsOfAnswer(route, json), route).toEqual([]);
    return json;
  }

  /** Sends a request that must be refused with this status. */
  async refused(status: 400 | 401 | 403 | 404 | 405, route: Route, given: Given = {}): Promise<Answered> {
    const answer = await this.send(route, given);
    expect({ route, status: answer.status, text: answer.status < 300 ? answer.text : '' }).toEqual({
      route,
      status,
      text: '',
    });
    return answer;
  }
}
