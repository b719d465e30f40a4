/**
 * What the service answers when it does not do what was asked. The body's shape is not shown in service-api-v1.md
 * ("Errors"); ours is `{error, message, fields?}`, where `error` is the status' name there.
 */
import type { HttpResponse } from '../core/http.js';

/** The names of service-api-v1.md, "Errors". */
const STATUS_NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
} as const;

export type RefusalStatus = keyof typeof STATUS_NAMES;

/** One thing wrong with the input. */
export interface FieldProblem {
  /** The field's dotted path in the body, or the name of the query parameter. */
  readonly field: string;
  readonly message: string;
}

/** Thrown to end a request with an error status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  readonly fields: readonly FieldProblem[];
  constructor(status: RefusalStatus, message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** 400 for one field. */
export const badField = (field: string, message: string): Refusal =>
  new Refusal(400, `${field} ${message}`, [{ field, message }]);

/** 400 for all fields at once; undefined when there is no problem. */
export const badFields = (problems: readonly FieldProblem[]): Refusal | undefined =>
  problems.length === 0
    ? undefined
    : new Refusal(400, problems.map(({ field, message }) => `${field} ${message}`).join('; '), problems);

export const forbidden = (message: string): Refusal => new Refusal(403, message);
export const notFound = (what: string, id: string): Refusal =>
  new Refusal(404, `no ${what} has the id ${JSON.stringify(id)}`);

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

/** The response that tells a refusal. */
export function refusalResponse({ status, message, fields }: Refusal): HttpResponse {
  const body = { error: STATUS_NAMES[status], message, ...(fields.length === 0 ? {} : { fields }) };
  // RFC 6750 §3: a token that is no longer accepted is said to be the reason.
  const headers =
    status === 401 ? { ...JSON_HEADERS, 'www-authenticate': 'Bearer error="invalid_token"' } : JSON_HEADERS;
  return { status, headers, body: JSON.stringify(body) };
}
