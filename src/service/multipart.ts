/**
 * Reads multipart bodies with busboy: text into memory, files to disk as they arrive. Flat form names
 * (`settings.indexPageNumber`) become the nested body of the contract.
 */
import type { Readable } from 'node:stream';
import { Readable as ReadableStream, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Endpoint, Fields } from '../contract/vocabulary.js';
import { type Body, chunksOf } from '../core/http.js';
import { badField, type FieldProblem, Refusal } from './error-answer.js';
import { StateError } from './store/state-error.js';
import { discardUpload, type Storage, saveUpload, type Upload } from './uploads.js';

/** The largest text in a form, in bytes. Not shown; ours, to keep memory flat. */
const LARGEST_TEXT = 1024 * 1024;
const MOST_PARTS = 200;

export interface Form {
  /** Nested as the contract's body; texts and `Upload`s. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly uploads: readonly Upload[];
}

type FileListener = (
  name: string | undefined,
  stream: Readable,
  filename: string | undefined,
  encoding: string,
  type: string,
) => void;
type TextListener = (name: string | undefined, value: string, nameCut: boolean, valueCut: boolean) => void;

type Parser = Writable & {
  on(event: 'file', listener: FileListener): Parser;
  on(event: 'field', listener: TextListener): Parser;
  on(event: 'partsLimit', listener: () => void): Parser;
};

/** Puts a value under a dotted name, if the contract has such a field. */
function put(fields: Fields, values: Record<string, unknown>, name: string, value: unknown): boolean {
  const [first = '', ...rest] = name.split('.');
  const field = Object.hasOwn(fields, first) ? fields[first] : undefined;
  if (field === undefined) return true;
  if (rest.length === 0) {
    if (Object.hasOwn(values, first)) return false;
    values[first] = value;
    return true;
  }
  values[first] ??= {};
  const inner = values[first];
  if (field.fields === undefined || typeof inner !== 'object' || inner === null) return true;
  return put(field.fields, inner as Record<string, unknown>, rest.join('.'), value);
}

const malformed = (error: unknown): Refusal =>
  new Refusal(400, `the body is not a complete multipart form: ${(error as Error).message}`);

/** Errors of the parser are the sender's fault; those of the file system and of the connection are not. */
const isParserError = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof StateError) &&
  !('code' in error) &&
  /multipart|part |boundary|header|dicer/i.test(error.message);

/** The body, told that reading has stopped but not why: its sender would take the error for its own. */
async function* sent(body: Body): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(body)) yield chunk;
}

/**
 * Reads a form. Nothing of it is kept when it throws.
 * @param mostBytes the most bytes that a file may have, by the form name of the file
 * @throws Refusal 400 when it is no multipart form, is cut off, or a file is too large
 */
export async function readForm(
  core: Storage,
  endpoint: Endpoint,
  contentType: string,
  body: Body,
  mostBytes: (name: string) => number,
): Promise<Form> {
  const fields = endpoint.body ?? {};
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  const uploads: Upload[] = [];
  const saving: Promise<void>[] = [];
  const streams: Readable[] = [];
  let parser: Parser;
  try {
    const { Busboy } = await import('@fastify/busboy');
    parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: LARGEST_TEXT, parts: MOST_PARTS },
      // curl and browsers name the type of a text part now and then: only a file name makes a file.
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    }) as unknown as Parser;
  } catch (error) {
    throw malformed(error);
  }
  const keep = (name: string, value: unknown): void => {
    if (!put(fields, values, name, value)) problems.push({ field: name, message: 'is given more than once' });
  };
  // A part need not have a name.
  parser.on('field', (name = '', value, _nameCut, valueCut) => {
    if (valueCut) problems.push({ field: name, message: `must have at most ${LARGEST_TEXT} bytes` });
    else keep(name, value);
  });
  parser.on('file', (name = '', stream, filename = '', _encoding, type) => {
    // A form that ends within a file says so here too, and perhaps nothing reads it: without a listener the process ends.
    stream.on('error', () => {});
    if (!Object.hasOwn(fields, name)) {
      stream.resume();
      return;
    }
    streams.push(stream);
    const most = mostBytes(name);
    const tooLarge = (): Refusal => badField(name, `must have at most ${most} bytes`);
    const saved = saveUpload(core, stream, { filename, contentType: type }, most, tooLarge).then((upload) => {
      uploads.push(upload);
      // Without a name and bytes: what a browser sends for a file field in which nothing was chosen.
      if (filename !== '' || upload.size > 0) keep(name, upload);
    });
    saving.push(saved);
    saved.catch((error: Error) => parser.destroy(error));
  });
  parser.on('partsLimit', () => parser.destroy(new Refusal(400, `the form has more than ${MOST_PARTS} parts`)));
  try {
    await pipeline(ReadableStream.from(sent(body)), parser);
    await Promise.all(saving);
    if (problems.length > 0) throw new Refusal(400, 'the form is not valid', problems);
  } catch (error) {
    // A file that is still under way would wait for ever for its end: the parser does not tell it of errors.
    for (const stream of streams) stream.destroy(error as Error);
    await Promise.allSettled(saving);
    for (const upload of uploads) discardUpload(core, upload);
    throw isParserError(error) ? malformed(error) : error;
  }
  return { values, uploads };
}
