/** Makes the request of `edu api` from its flags. */
import { isUtf8 } from 'node:buffer';
import { isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import { shown } from '../../cli/read-value.js';
import type { RawRequest } from '../../client/request/client.js';
import { describeForm } from '../../client/request/request.js';
import type { FilePart } from '../../contract/vocabulary.js';
import { type Problem, usageError } from '../../core/errors.js';
import { exactJson, putNumber, tokenAt } from '../../core/exact-json.js';
import { readInput } from '../../core/fs/stream-input.js';
import type { Method } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { attachment, isProblem } from '../kinds/attachment.js';

type Json = Record<string, unknown>;

/** Maximum size of a body, a response, and of files in fields, which are held in memory. */
export const MAX_BYTES = 256 * 1024 * 1024;

/** `a[b][]` and `a.b` as path segments; an empty segment appends to a list. */
function steps(key: string): string[] {
  const bracketed = key.replace(/\]/g, '').split('[');
  return bracketed.length > 1 ? bracketed : key.split('.');
}

/** A value of a field; a number with its original digits, which JavaScript numbers could not keep. */
type FieldValue = { readonly number: string } | string | boolean | null;

function set(into: object, key: string, value: FieldValue): void {
  if (typeof value === 'object' && value !== null) putNumber(into, key, value.number);
  else (into as Json)[key] = value;
}

function put(into: Json, path: readonly string[], value: FieldValue, key: string): void {
  const [name = '', next, ...rest] = path;
  if (name === '' || name === '__proto__')
    throw usageError(
      `Cannot use the key ${shown(key)}: each part of a key needs a name, and __proto__ is not allowed.`,
    );
  const isList = next === '' && rest.length === 0;
  const inner = Object.hasOwn(into, name) ? into[name] : isList ? [] : {};
  if (next === undefined ? Object.hasOwn(into, name) : !isObject(inner) && !(isList && Array.isArray(inner)))
    throw usageError(
      `Cannot set ${shown(key)}: it, or a part of it, has a value already.`,
      'Write a list as KEY[]=VALUE.',
    );
  if (next !== undefined) into[name] = inner;
  if (next === undefined) set(into, name, value);
  else if (isList && Array.isArray(inner)) set(inner, String(inner.length), value);
  else put(inner as Json, [next, ...rest], value, key);
}

type ReadFile = (flag: string, path: string) => Promise<Buffer>;

/** Reads files and stdin (`-`), which can be read only once. */
const fileReader = ({ io, signal }: Context): ReadFile => {
  let usedBy: string | undefined;
  return async (flag, path) => {
    if (path === '-' && usedBy !== undefined)
      throw usageError(`${flag}: ${usedBy} already reads stdin, which can be read only once.`);
    if (path === '-') usedBy = flag;
    return readInput(flag, path, io.stdin, signal, MAX_BYTES);
  };
};

/** The value of `-F`: true, false, null and numbers are typed; `@FILE` is the contents of a file. */
async function typed(text: string, readFile: ReadFile): Promise<FieldValue> {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return { number: text };
  if (!text.startsWith('@')) return text;
  const bytes = await readFile('--field', text.slice(1));
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw usageError(
    `--field: ${shown(text.slice(1))} is not UTF-8 text, which JSON needs.`,
    'Send bytes with --input, or --form.',
  );
}

/** The pairs of a repeated flag. @throws EduError `usage` for a value that is no pair */
const pairsOf = (values: Values, flag: string, separator = '='): readonly (readonly [key: string, text: string])[] =>
  textsOf(values, flag).map((pair) => {
    const index = pair.indexOf(separator);
    if (index <= 0) {
      const why = index === 0 ? `begins with "${separator}"` : `has no "${separator}"`;
      // Such as a header without its colon, or a token alone.
      throw usageError(
        `--${flag} must be KEY${separator}VALUE: a value of ${plural(pair.length, 'character')} ${why}.`,
        'It is not shown, because it may contain a secret.',
      );
    }
    return [pair.slice(0, index), pair.slice(index + 1)];
  });

async function fields(values: Values, readFile: ReadFile): Promise<Json | undefined> {
  const texts = pairsOf(values, 'raw-field');
  const others = pairsOf(values, 'field');
  if (texts.length + others.length === 0) return undefined;
  const result: Json = {};
  for (const [key, text] of texts) put(result, steps(key), text, key);
  for (const [key, text] of others) put(result, steps(key), await typed(text, readFile), key);
  return result;
}

/** @param takesForm true if the endpoint takes nothing else, so that fields are parts of the form, too */
function formOf(values: Values, takesForm: boolean, context: Context): RawRequest['form'] {
  const parts: (readonly [string, string | FilePart])[] = takesForm ? [...pairsOf(values, 'raw-field')] : [];
  const problems: Problem[] = [];
  for (const flag of takesForm ? ['form', 'field'] : ['form'])
    for (const [name, text] of pairsOf(values, flag)) {
      const value = text.startsWith('@') ? attachment(`--${flag} ${name}`, text.slice(1), 'any') : text;
      if (typeof value !== 'string' && isProblem(value)) problems.push(value);
      else parts.push([name, value]);
    }
  if (problems.length > 0) throw problemsError(problems, context.path);
  return parts.length === 0 ? undefined : parts;
}

function withQuery(path: string, query: Json): string {
  const pairs = Object.entries(query).map(([key, value]) => {
    if (typeof value === 'object' && value !== null)
      throw usageError(`Cannot send the key ${shown(key)} with GET: query parameters cannot be nested.`);
    return `${encodeURIComponent(key)}=${encodeURIComponent(tokenAt(query, key) ?? String(value))}`;
  });
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function headersOf(values: Values): Record<string, string> {
  const headers = Object.fromEntries(
    pairsOf(values, 'request-header', ':').map(([name, value]) => [name.trim().toLowerCase(), value.trim()]),
  );
  if ('authorization' in headers)
    throw usageError(
      'Cannot set the header authorization: it comes from your login.',
      'Set EDU_TOKEN to use another token.',
    );
  return headers;
}

/** The request of a command line. @throws EduError `usage` */
export async function buildRequest(values: Values, context: Context): Promise<RawRequest> {
  const readFile = fileReader(context);
  const own = headersOf(values);
  const input = textOf(values, 'input');
  const path = textOf(values, 'path') ?? '';
  const hasBody = ['form', 'field', 'raw-field', 'input'].some((name) => textsOf(values, name).length > 0);
  const method = (textOf(values, 'method') ?? (hasBody && !isOn(values, 'paginate') ? 'POST' : 'GET')) as Method;
  const { endpointOf } = await import('../../client/request/raw.js');
  const { encoding } = endpointOf(method, path.replace(/^\/?/, '/')) ?? {};
  const takesForm = encoding === 'multipart' && input === undefined && !('content-type' in own);
  const form = formOf(values, takesForm, context);
  const headers = { accept: 'application/json', ...own };
  if (form !== undefined) {
    if (method === 'GET' || method === 'HEAD') throw usageError(`--form needs a method with a body, not ${method}.`);
    if ('content-type' in own) throw usageError('--form sets the header content-type itself.');
    return { method, path, headers, form };
  }
  const given = await fields(values, readFile);
  const inQuery = given !== undefined && (method === 'GET' || method === 'HEAD' || input !== undefined);
  const target = { method, path: inQuery ? withQuery(path, given) : path };
  const inBody = given === undefined || inQuery ? undefined : exactJson(given);
  const body = input === undefined ? inBody : await readFile('--input', input);
  if (body === undefined) return { ...target, headers };
  return { ...target, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** A request as `--dry-run` shows it. */
export function preview({ method, path, headers, body, form }: RawRequest): Json {
  if (form === undefined) return { method, path, headers, body: body === undefined ? null : body.toString() };
  return { method, path, headers: { ...headers, 'content-type': 'multipart/form-data' }, body: describeForm(form) };
}
