/** Reads multipart bodies with busboy: text into memory, files to disk as they arrive. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BusboyInstance } from '@fastify/busboy';
import type { Endpoint, Fields } from '../contract/vocabulary.js';
import { type Body, chunksOf } from '../core/http.js';
import { isObject } from '../core/json.js';
import { badField, badFields, type FieldProblem, Refusal } from './error-answer.js';
import { valueAt } from './names/store-vocabulary.js';
import { StateError } from './store/state-error.js';
import { discardUpload, type Storage, saveUpload, type Upload } from './uploads.js';

/** The API document shows no maximum; this one keeps memory bounded. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_PARTS = 200;

export interface Form {
  readonly values: Readonly<Record<string, unknown>>;
  readonly uploads: readonly Upload[];
}

/** Sets the value of a dotted name; ignores names that are not in the contract. Returns false for a repeated name. */
function put(fields: Fields, values: Record<string, unknown>, name: string, value: unknown): boolean {
  const [first = '', ...rest] = name.split('.');
  const field = valueAt(fields, first);
  if (field === undefined) return true;
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
