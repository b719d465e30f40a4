/** Reads the body of a request: JSON or multipart (service-api-v1.md, "Conventions"). */
import { isUtf8 } from 'node:buffer';
import { LARGEST_PDF } from '../contract/shared.js';
import type { Endpoint } from '../contract/vocabulary.js';
import { BodyTooLarge, type HttpRequest, readBytes } from '../core/http.js';
import { Refusal } from './error-answer.js';
import { type Form, readForm } from './multipart.js';
import type { ServiceContext } from './service-context.js';

/** The largest JSON body, in bytes. Not shown; ours, to keep memory bounded. */
const LARGEST_JSON = 16 * 1024 * 1024;

/** How deep a JSON body may be nested. Not shown; ours: nothing that is documented goes deeper than four. */
const DEEPEST_JSON = 100;

/** Whether a JSON text nests deeper than the service looks. Counted in the text: the parsed value could not be walked. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (inText) {
      if (sign === '\\') at++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') {
      depth++;
      if (depth > DEEPEST_JSON) return true;
    } else if (sign === '}' || sign === ']') depth--;
  }
  return false;
}

/** "At most 150 MB" is said of POST readers only; sizes of covers and of POST files are "not shown", so they have no limit. */
const mostBytesFor =
  (endpoint: Endpoint) =>
  (name: string): number =>
    endpoint.path === '/v1/readers' && name === 'pdfFile' ? LARGEST_PDF : Number.POSITIVE_INFINITY;

async function readJson(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw new Refusal(400, `the body must be JSON (Content-Type: application/json), not ${type}`);
  }
  let text: string;
  try {
    const bytes = await readBytes(request.body ?? '', LARGEST_JSON);
    if (!isUtf8(bytes)) throw new Refusal(400, 'the body is not UTF-8');
    text = bytes.toString();
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new Refusal(400, `${error.message}`);
    throw error;
  }
  if (isTooDeep(text)) throw new Refusal(400, `the body is nested more than ${DEEPEST_JSON} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, text === '' ? 'the body is missing' : `the body is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'the body must be a JSON object');
  }
  return value as Readonly<Record<string, unknown>>;
}

/**
 * The values that the body holds, not yet checked.
 * @throws Refusal 400 when it can't be read as what the endpoint takes
 */
export async function readBody(core: ServiceContext, endpoint: Endpoint, request: HttpRequest): Promise<Form> {
  if (endpoint.encoding !== 'multipart') return { values: await readJson(request), uploads: [] };
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new Refusal(400, `the body must be multipart/form-data with a boundary, not ${type || 'without a type'}`);
  }
  return readForm(core, endpoint, type, request.body ?? '', mostBytesFor(endpoint));
}
