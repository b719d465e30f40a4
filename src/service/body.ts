/** Reads the body of a request: JSON or multipart (service-api-v1.md, "Conventions"). */

import { isUtf8 } from 'node:buffer';
import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BusboyInstance } from '@fastify/busboy';
import { MAX_PDF_BYTES } from '../contract/shared.js';
import type { Endpoint, Fields } from '../contract/vocabulary.js';
import { formatOf, MAX_SIGNATURE_BYTES } from '../core/file-signature.js';
import { type Body, BodyTooLarge, chunksOf, type HttpRequest, readBytes } from '../core/http.js';
import { isObject, isTooDeep, MAX_JSON_DEPTH } from '../core/json.js';
import { badField, badFields, type FieldProblem, Refusal } from './error-answer.js';
import { newId } from './identifiers.js';
import { valueAt } from './names/vocabulary.js';
import type { ServiceContext } from './service-context.js';
import type { StoredFile } from './store/records.js';
import { StateError, stateErrorOf } from './store/state-error.js';

type Storage = Pick<ServiceContext, 'store' | 'random'>;

/** The facts of a file before it has an ID and an owner. */
export type Upload = Pick<StoredFile, 'filename' | 'contentType' | 'size' | 'format' | 'blob'>;

/** Streams a file to disk under a temporary name. @param tooLarge makes the error for more than `maxBytes` */
async function saveUpload(
  { store, random }: Storage,
  bytes: AsyncIterable<Uint8Array>,
  facts: Pick<Upload, 'filename' | 'contentType'>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Upload> {
  const blob = newId(random);
  const path = store.blobs.partial(blob);
  let size = 0;
  let head = Buffer.alloc(0);
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      if (head.length < MAX_SIGNATURE_BYTES) head = Buffer.concat([head, chunk.subarray(0, MAX_SIGNATURE_BYTES)]);
      yield chunk;
    }
  }
  try {
    // Opened now: a stream that opens the file itself might do so after a failed upload has been removed.
    await pipeline(measured, createWriteStream(path, { fd: openSync(path, 'wx', 0o600) }));
  } catch (error) {
    rmSync(path, { force: true });
    throw stateErrorOf(path, error) ?? error;
  }
  return { ...facts, size, format: formatOf(head), blob };
}

/** Makes the upload a blob. To be called inside the write that names it. */
export const keepUpload = ({ store }: ServiceContext, { blob }: Upload): void =>
  renameSync(store.blobs.partial(blob), store.blobs.path(blob));

/** Removes an upload, whether or not it is a blob yet. */
export function discardUpload({ store }: Storage, { blob }: Upload): void {
  rmSync(store.blobs.partial(blob), { force: true });
  store.blobs.remove(blob);
}

/** The API document shows no maximum; this one keeps memory bounded. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_PARTS = 200;

export interface Form {
  readonly values: Readonly<Record<string, unknown>>;
  readonly uploads: readonly Upload[];
}

/** Sets the value of a dotted name; keeps unknown names, which the checks find. Returns false for a repeated name. */
function put(fields: Fields, values: Record<string, unknown>, name: string, value: unknown): boolean {
  const [first = '', ...rest] = name.split('.');
  const field = valueAt(fields, first);
  if (field === undefined) {
    if (!Object.hasOwn(values, name)) Object.assign(values, { [name]: value });
    return true;
  }
  if (rest.length > 0) {
    values[first] ??= {};
    const inner = values[first];
    return field.fields === undefined || !isObject(inner) || put(field.fields, inner, rest.join('.'), value);
  }
  if (Object.hasOwn(values, first)) return false;
  values[first] = value;
  return true;
}

const malformed = (error: unknown): Refusal =>
  new Refusal(400, `the body is not a complete multipart form: ${(error as Error).message}`);

/** Errors of the parser are the client's fault (400); those of the file system and the connection are not. */
const isParserError = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof StateError) &&
  !('code' in error) &&
  /multipart|part |boundary|header|dicer/i.test(error.message);

/** Keeps `pipeline` from passing the parser's error on to the request body, which would fail with it too. */
async function* detached(body: Body): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(body)) yield chunk;
}

/**
 * Reads a form. Removes its uploads if it throws.
 * @param maxBytes maximum size of a file, by its form name
 * @throws Refusal 400 when the body is not a multipart form, is cut off, or a file is too large
 */
export async function readForm(
  core: Storage,
  endpoint: Endpoint,
  contentType: string,
  body: Body,
  maxBytes: (name: string) => number,
): Promise<Form> {
  const fields = endpoint.body ?? {};
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  const uploads: Upload[] = [];
  const saving: Promise<void>[] = [];
  const streams: Readable[] = [];
  let parser: BusboyInstance;
  try {
    const { Busboy } = await import('@fastify/busboy');
    parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: MAX_TEXT_BYTES, parts: MAX_PARTS },
      // Clients may give text parts a content type, so only a file name marks a file.
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    });
  } catch (error) {
    throw malformed(error);
  }
  const keep = (name: string, value: unknown): void => {
    if (!put(fields, values, name, value)) problems.push({ field: name, message: 'is given more than once' });
  };
  // `name` is undefined for a part without one.
  parser.on('field', (name = '', value, _nameCut, valueCut) => {
    if (valueCut) problems.push({ field: name, message: `must have at most ${MAX_TEXT_BYTES} bytes` });
    else keep(name, value);
  });
  parser.on('file', (name = '', stream, filename = '', _encoding, type) => {
    // A form that ends inside a file emits an error here too; without a listener it would end the process.
    stream.on('error', () => {});
    if (!Object.hasOwn(fields, name)) {
      stream.resume();
      keep(name, '');
      return;
    }
    streams.push(stream);
    const max = maxBytes(name);
    const tooLarge = (): Refusal => badField(name, `must have at most ${max} bytes`);
    const saved = saveUpload(core, stream, { filename, contentType: type }, max, tooLarge).then((upload) => {
      uploads.push(upload);
      // Browsers send a part without a file name and bytes if no file was chosen.
      if (filename !== '' || upload.size > 0) keep(name, upload);
    });
    saving.push(saved);
    saved.catch((error: Error) => parser.destroy(error));
  });
  parser.on('partsLimit', () => parser.destroy(new Refusal(400, `the form has more than ${MAX_PARTS} parts`)));
  try {
    await pipeline(Readable.from(detached(body)), parser);
    await Promise.all(saving);
    if (problems.length > 0) throw badFields(problems);
  } catch (error) {
    // The parser does not pass errors on to its file streams, so unfinished uploads would wait for ever.
    for (const stream of streams) stream.destroy(error as Error);
    await Promise.allSettled(saving);
    for (const upload of uploads) discardUpload(core, upload);
    throw isParserError(error) ? malformed(error) : error;
  }
  return { values, uploads };
}

/** The API document shows no maximum; this one keeps memory bounded. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

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

function noMembers(error: unknown): Record<string, never> {
  if (error instanceof Refusal) return {};
  throw error;
}

/**
 * Reads a body without checking its values; where the API document has none, only for the warnings.
 * @throws Refusal 400 for another media type or a malformed body
 */
export async function readBody(core: ServiceContext, endpoint: Endpoint, request: HttpRequest): Promise<Form> {
  if (endpoint.body === undefined) return { values: await readJson(request).catch(noMembers), uploads: [] };
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
