/** Reads the body of a request: JSON or multipart (service-api-v1.md, "Conventions"). */
import { isUtf8 } from 'node:buffer';
import { MAX_PDF_BYTES } from '../contract/shared.js';
import type { Endpoint } from '../contract/vocabulary.js';
import { BodyTooLarge, type HttpRequest, readBytes } from '../core/http.js';
import { isObject, JsonNesting } from '../core/json.js';
import { Refusal } from './error-answer.js';
import { type Form, readForm } from './parse-multipart.js';
import type { ServiceContext } from './service-context.js';

/** The API document shows no maximum; this one keeps memory bounded. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** Maximum nesting of a JSON body. The API document shows none; no documented body is nested more than four levels. */
const MAX_JSON_DEPTH = 100;

/** Counts brackets in the text, because recursing through the parsed value could overflow the stack. */
function isTooDeep(json: string): boolean {
  const nesting = new JsonNesting();
  for (let at = 0; at < json.length && nesting.depth <= MAX_JSON_DEPTH; at++) nesting.next(json.charAt(at));
  return nesting.depth > MAX_JSON_DEPTH;
}

async function readJson(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw new Refusal(400, `the body must be JSON (Content-Type: application/json), not ${type}`);
  }
  const bytes = await readBytes(request.body ?? '', MAX_JSON_BYTES).catch((error: unknown) => {
    throw error instanceof BodyTooLarge ? new Refusal(400, error.message) : error;
  });
  if (!isUtf8(bytes)) throw new Refusal(400, 'the body is not UTF-8');
  const text = bytes.toString();
  if (isTooDeep(text)) throw new Refusal(400, `the body is nested more than ${MAX_JSON_DEPTH} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, text === '' ? 'the body is missing' : `the body is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new Refusal(400, 'the body must be a JSON object');
  return value;
}

/** Reads a body without checking its values. @throws Refusal 400 for another media type or a malformed body */
export async function readBody(core: ServiceContext, endpoint: Endpoint, request: HttpRequest): Promise<Form> {
  if (endpoint.encoding !== 'multipart') return { values: await readJson(request), uploads: [] };
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new Refusal(400, `the body must be multipart/form-data with a boundary, not ${type || 'without a type'}`);
  }
  // The API document limits only the PDF of POST readers; the sizes of covers and of POST files are "not shown".
  const maxBytes = (name: string): number =>
    endpoint.path === '/v1/readers' && name === 'pdfFile' ? MAX_PDF_BYTES : Number.POSITIVE_INFINITY;
  return readForm(core, endpoint, type, request.body ?? '', maxBytes);
}
