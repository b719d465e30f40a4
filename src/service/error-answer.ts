/** Error responses: `{error, message, fields?}`, since the API document names only their statuses. */
import type { HttpResponse } from '../core/http.js';
import type { Variants } from './variants.js';

const STATUS_NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

type RefusalStatus = keyof typeof STATUS_NAMES;

export interface FieldProblem {
  /** Dotted path in the body, or name of the query parameter. */
  readonly field: string;
  readonly message: string;
}

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

/** 400 for all fields at once. */
export const badFields = (problems: readonly FieldProblem[]): Refusal =>
  new Refusal(400, problems.map(({ field, message }) => `${field} ${message}`).join('; '), problems);

export const forbidden = (message: string): Refusal => new Refusal(403, message);
export const notFound = (what: string, id: string): Refusal =>
  new Refusal(404, `no ${what} has the ID ${JSON.stringify(id)}`);

/** @throws Refusal 404 if the record is undefined */
export function requireFound<R>(record: R | undefined, what: string, id: string): R {
  if (record === undefined) throw notFound(what, id);
  return record;
}

/** Like `requireFound` for an ID in the body. @throws Refusal 400 if the record is undefined */
export function requireNamed<R>(record: R | undefined, field: string, what: string, id: string): R {
  if (record === undefined) throw badField(field, `is unknown: no ${what} has the ID ${id}`);
  return record;
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

function bodyOf({ status, message, fields }: Refusal, errorBody: Variants['errorBody']): [type: string, body: string] {
  const error = STATUS_NAMES[status];
  const json = (value: unknown): [string, string] => [JSON_HEADERS['content-type'], JSON.stringify(value)];
  switch (errorBody) {
    case 'nested':
      return json({ error: { code: error, message, details: fields } });
    case 'list':
      return json({ errors: fields.length === 0 ? [{ code: error, message }] : fields });
    case 'text':
      return ['text/plain; charset=utf-8', message];
    case 'html':
      return ['text/html; charset=utf-8', `<!doctype html><title>${status} ${error}</title><h1>${error}</h1>`];
    case 'empty':
      return ['text/plain', ''];
    default:
      return json({ error, message, ...(fields.length === 0 ? {} : { fields }) });
  }
}

export function refusalResponse(refusal: Refusal, { errorBody }: Variants): HttpResponse {
  const { status } = refusal;
  const [type, body] = bodyOf(refusal, errorBody);
  // RFC 6750 §3: the header names the invalid token as the reason.
  const reason = status === 401 ? { 'www-authenticate': 'Bearer error="invalid_token"' } : {};
  const later = status === 503 ? { 'retry-after': '1' } : {};
  return { status, headers: { ...JSON_HEADERS, 'content-type': type, ...reason, ...later }, body };
}
