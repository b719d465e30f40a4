/** Runs `edu api`: builds the request from path, fields and input, sends it, prints the answer as it came. */
import { readFileSync } from 'node:fs';
import { type Command, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import type { RawRequest } from '../../client/request/client.js';
import { parseJson } from '../../client/request/exact-json.js';
import { any } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { type HttpResponse, type Method, readBytes } from '../../core/http.js';
import { printDone } from '../kinds/print-result.js';
import { complete } from '../kinds/prompt-missing.js';

type Json = Record<string, unknown>;

const ANSWER = any('the answer');

/** The most bytes of an answer that are read when it has to be understood. */
const MOST = 256 * 1024 * 1024;

/** `a[b][]` and `a.b` → the steps to the value; an empty step appends to a list. */
function steps(key: string): string[] {
  const bracketed = key.replace(/\]/g, '').split('[');
  return bracketed.length > 1 ? bracketed : key.split('.');
}

function put(into: Json, path: readonly string[], value: unknown, key: string): void {
  const [name = '', next, ...rest] = path;
  if (name === '' || name === '__proto__') throw usageError(`The key ${shown(key)} can't be used.`);
  if (next === undefined) {
    into[name] = value;
  } else if (next === '' && rest.length === 0) {
    const list = into[name];
    into[name] = Array.isArray(list) ? [...list, value] : [value];
  } else {
    const inner = Object.hasOwn(into, name) ? into[name] : {};
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
      throw usageError(`The key ${shown(key)} goes through a value that is not an object.`);
    into[name] = inner;
    put(inner as Json, [next, ...rest], value, key);
  }
}

/** The value of `-F`: typed when it looks like true, false, null or a whole number, a file's text behind `@`. */
function typed(text: string): unknown {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text.startsWith('@') ? fileText(text.slice(1)) : text;
}

function fileText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw usageError(
      `The file ${shown(path)} can't be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function split(pair: string, separator: string, flag: string): [string, string] {
  const index = pair.indexOf(separator);
  if (index <= 0) throw usageError(`--${flag} takes KEY${separator}VALUE, not ${shown(pair)}.`);
  return [pair.slice(0, index), pair.slice(index + 1)];
}

function fields(values: Values): Json | undefined {
  const texts = textsOf(values, 'raw-field').map((pair) => split(pair, '=', 'raw-field'));
  const others = textsOf(values, 'field').map((pair) => split(pair, '=', 'field'));
  if (texts.length + others.length === 0) return undefined;
  const result: Json = {};
  for (const [key, text] of texts) put(result, steps(key), text, key);
  for (const [key, text] of others) put(result, steps(key), typed(text), key);
  return result;
}

/** Fields of a GET go into its query, one by one. */
function withQuery(path: string, query: Json): string {
  const pairs = Object.entries(query).map(([key, value]) => {
    if (typeof value === 'object' && value !== null)
      throw usageError(`The key ${shown(key)} nests, which a query can't.`);
    return `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`;
  });
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function buildRequest(values: Values): RawRequest {
  const given = fields(values);
  const input = textOf(values, 'input');
  const path = textOf(values, 'path') ?? '';
  const method = (textOf(values, 'method') ??
    (given === undefined && input === undefined ? 'GET' : isOn(values, 'paginate') ? 'GET' : 'POST')) as Method;
  const inQuery = given !== undefined && (method === 'GET' || method === 'HEAD' || input !== undefined);
  const headers = Object.fromEntries(
    textsOf(values, 'request-header')
      .map((pair) => split(pair, ':', 'request-header'))
      .map(([name, value]) => [name.trim().toLowerCase(), value.trim()]),
  );
  if ('authorization' in headers)
    throw usageError('The authorization header is set by the login in use.', 'Set EDU_TOKEN to use another token.');
  const body =
    input !== undefined ? fileText(input) : given !== undefined && !inQuery ? JSON.stringify(given) : undefined;
  return {
    method,
    path: inQuery ? withQuery(path, given) : path,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  };
}

/** Every page of a list as one list; what the list is called in the answer is found out from the answer. */
async function paginate(request: RawRequest, context: Context): Promise<void> {
  if (request.method !== 'GET') throw usageError(`--paginate follows the pages of a GET, not of a ${request.method}.`);
  const printer = await context.printer('json');
  await printer.check(ANSWER);
  const client = await context.client();
  const { limit, 'page-size': pageSize, sort } = context.globals;
  const pages = client.rawPages(request.path, request.headers ?? {}, {
    signal: context.signal,
    ...(typeof limit === 'number' && sort === undefined ? { limit } : {}),
    ...(typeof pageSize === 'number' ? { pageSize } : {}),
  });
  await printer.list(pages, { shape: ANSWER, noun: 'items' });
}

function heading(response: HttpResponse): string {
  const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP ${response.status}\n${lines.join('\n')}\n\n`;
}

/** What the service sent, as it is; on a terminal without what could drive it. */
async function printRaw(bytes: Uint8Array, { io: { stdout } }: Context): Promise<void> {
  if (!stdout.isTTY) return stdout.write(bytes);
  const { forTerminal } = await import('../../output/sanitize.js');
  await stdout.write(forTerminal(Buffer.from(bytes).toString('utf8')));
}

async function printAnswer(response: HttpResponse, values: Values, context: Context): Promise<void> {
  if (isOn(values, 'include')) await printRaw(Buffer.from(heading(response)), context);
  const bytes = await readBytes(response.body, MOST);
  if (bytes.length === 0) return;
  if (!(response.headers['content-type'] ?? '').includes('json')) return printRaw(bytes, context);
  let answer: unknown;
  try {
    answer = parseJson(bytes.toString('utf8'));
  } catch {
    throw new EduError('invalid_response', 'The service said that its answer is JSON, and it is not.');
  }
  const printer = await context.printer('json');
  await printer.item(answer, ANSWER);
}

/** Runs `edu api`. */
export async function callApi(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const request = buildRequest(values);
  if (isOn(values, 'dry-run')) {
    const printer = await context.printer('json');
    const body: unknown = request.body === undefined ? null : String(request.body);
    return printer.item({ method: request.method, path: request.path, headers: request.headers, body }, ANSWER);
  }
  if (isOn(values, 'paginate')) return paginate(request, context);
  await (await context.printer('json')).check(ANSWER);
  const client = await context.client();
  const options = { signal: context.signal, anyStatus: true, anyBody: isOn(values, 'include') };
  const response = await context.during('Asking the service', client.raw(request, options));
  if (response.status >= 200 && response.status < 300) {
    const print = (): Promise<void> => printAnswer(response, values, context);
    if (request.method === 'GET' || request.method === 'HEAD') return print();
    const done = `The service answered ${request.method} ${request.path} with ${response.status}`;
    return printDone({ done, hint: 'It is done: do not run it again.' }, print, context);
  }
  // With --include the answer is shown as it came; the error says what it means in any case.
  const bytes = await readBytes(response.body, MOST);
  if (isOn(values, 'include')) {
    await printRaw(Buffer.concat([Buffer.from(heading(response)), bytes]), context);
  }
  throw await client.errorOf(request, { ...response, body: bytes }, { signal: context.signal });
}
