/** `edu api`: sends any request below the base URL, with the login, retries and errors of all commands. */
import { isUtf8 } from 'node:buffer';
import { exclusive, flag, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import { shown } from '../../cli/read-value.js';
import { decodeText } from '../../client/errors/error-body.js';
import type { RawRequest } from '../../client/request/client.js';
import { describeForm } from '../../client/request/request.js';
import { any, type FilePart } from '../../contract/vocabulary.js';
import { EduError, type Problem, usageError } from '../../core/errors.js';
import { exactJson, parseJson, putNumber, tokenAt } from '../../core/exact-json.js';
import { readInput } from '../../core/fs/stream-input.js';
import { type HttpResponse, METHODS, type Method, readBytes } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { attachment, isProblem } from '../kinds/attachment.js';
import { plainCommand, sayFolderProfile } from '../kinds/define.js';
import { printDone } from '../kinds/print-result.js';

type Json = Record<string, unknown>;

const ANSWER = any('the answer');

/** Maximum size of bodies, of files in fields, and of JSON responses, all of which are held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

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

async function buildRequest(values: Values, context: Context): Promise<RawRequest> {
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

function preview({ method, path, headers, body, form }: RawRequest): Json {
  if (form === undefined) return { method, path, headers, body: body === undefined ? null : body.toString() };
  return { method, path, headers: { ...headers, 'content-type': 'multipart/form-data' }, body: describeForm(form) };
}

/** The client finds the list in each response, so no resource needs to be named. */
async function paginate(request: RawRequest, context: Context): Promise<void> {
  if (request.method !== 'GET') throw usageError(`--paginate follows the pages of a GET, not of a ${request.method}.`);
  const client = await context.client();
  const { signal } = context;
  const printer = await context.printer('json');
  const limit = printer.readLimit;
  let isCut = false;
  const onCut = (): void => {
    isCut = true;
  };
  const options = {
    signal,
    pageSize: context.effective().pageSize?.value,
    ...(limit === undefined ? {} : { limit, onCut }),
  };
  const pages = client.rawPages(request.path, request.headers ?? {}, options);
  await printer.list(pages, { shape: ANSWER, noun: 'items', wasCut: () => isCut });
}

function heading(response: HttpResponse): string {
  const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP ${response.status}\n${lines.join('\n')}\n\n`;
}

/** Prints bytes unchanged; on a terminal, control characters are escaped. */
async function printRaw(bytes: Uint8Array, { io: { stdout } }: Context): Promise<void> {
  if (!stdout.isTTY) return stdout.write(bytes);
  const { forTerminal } = await import('../../output/sanitize.js');
  await stdout.write(forTerminal(Buffer.from(bytes).toString('utf8')));
}

async function printAnswer(response: HttpResponse, values: Values, context: Context): Promise<void> {
  if (isOn(values, 'include')) await printRaw(Buffer.from(heading(response)), context);
  const bytes = await readBytes(response.body, MAX_BYTES);
  if (bytes.length === 0) return;
  const { 'content-type': type = '' } = response.headers;
  // With a flag that only applies to JSON, the response is read as JSON whatever its content type says.
  const isSelected = ['output', 'json', 'query', 'fields'].some((name) => context.globals[name] !== undefined);
  if (!type.includes('json') && !isSelected) return printRaw(bytes, context);
  let answer: unknown;
  try {
    answer = parseJson(decodeText(bytes, 'utf-8'));
  } catch {
    const hint = type.includes('json')
      ? 'The service, or a proxy in its place, returned broken JSON.'
      : 'Leave out --output, --json, --query and --fields to print the response as it is.';
    throw new EduError('invalid_response', 'the response is not JSON', { isReason: true, hint });
  }
  const printer = await context.printer('json');
  await printer.item(answer, ANSWER);
}

/** If a request that is not safe to repeat is interrupted, how to check whether it was carried out. */
async function riskOf({ method, path }: RawRequest): Promise<string | undefined> {
  const { endpointOf } = await import('../../client/request/raw.js');
  const full = path.replace(/^\/?/, '/');
  if (endpointOf(method, full)?.repeat === 'safe') return undefined;
  const { howToCheck } = await import('../../client/errors/how-to-check.js');
  return `It may have been carried out. ${howToCheck({ path: full })}`;
}

async function callApi(values: Values, context: Context): Promise<void> {
  const request = await buildRequest(values, context);
  if (isOn(values, 'dry-run')) return (await context.printer('json')).item(preview(request), ANSWER);
  if (isOn(values, 'paginate')) return paginate(request, context);
  await (await context.printer('json')).check(ANSWER, 'item');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) await sayFolderProfile(context);
  const client = await context.client();
  const options = { signal: context.signal, anyBody: isOn(values, 'include') };
  const risk = isRead ? undefined : await riskOf(request);
  const asked = context.during('Asking the service', client.raw(request, options));
  const response = await (risk === undefined ? asked : context.atRisk(risk, asked));
  if (response.status >= 200 && response.status < 300) {
    const print = (): Promise<void> => printAnswer(response, values, context);
    if (isRead) return print();
    const done = `The service returned ${response.status} for ${request.method} ${request.path}`;
    return printDone({ done, hint: 'It was carried out: do not run it again.' }, print, context);
  }
  // With --include the response is printed even for an error status; the error message explains it in any case.
  const bytes = await readBytes(response.body, MAX_BYTES);
  if (isOn(values, 'include')) {
    await printRaw(Buffer.concat([Buffer.from(heading(response)), bytes]), context);
  }
  throw await client.errorOf(request, { ...response, body: bytes }, { signal: context.signal });
}

export const api = plainCommand({
  name: 'api',
  summary: 'Send a request to any endpoint and print the response.',
  details:
    'PATH is relative to the base URL, such as /v1/account. The method is GET, or POST with fields, a form or --input. ' +
    'With GET, fields are query parameters; otherwise they form a JSON body, with a.b=1 for nested objects, or a form ' +
    'where the endpoint takes one. A form is sent as multipart/form-data, with files streamed.',
  arguments: [{ name: 'path', description: 'path under the base URL' }],
  flags: [
    flag('-X, --method METHOD', 'HTTP method', {
      kind: 'choice',
      choices: METHODS,
    }),
    flag('-f, --raw-field KEY=TEXT', 'add a text field', { repeat: true }),
    flag(
      '-F, --field KEY=VALUE',
      'add a typed field: true, false, null or a number; @FILE for the contents of a file',
      { repeat: true },
    ),
    flag('--form KEY=VALUE', 'add a part to a multipart/form-data body; @FILE for a file', { repeat: true }),
    flag('--input FILE', 'file to send as the request body (- for stdin)', { kind: 'file' }),
    flag('-H, --request-header NAME:VALUE', 'add a request header', { aliases: ['add-header'], repeat: true }),
    flag('-i, --include', 'also print the response status and headers'),
    flag('--paginate', 'follow cursors and print all items as one array'),
    flag('--dry-run', 'show the request without sending it'),
  ],
  examples: {
    'Get the account:': 'edu api /v1/account',
    'List all licences for books as one array:': 'edu api /v1/licenses -f type=BOOKS --paginate',
    'Upload a file:': 'edu api /v1/files --form fileType=Image --form file=@cover.png',
    'Create a school:': 'edu api /v1/schools -f name="Lyceum East" -f country=NL -f city=Zwolle',
  },
  prints: 'item',
  // A form is the whole body.
  check: (values) => [
    ...['raw-field', 'field', 'input', 'paginate'].flatMap((name) => exclusive(name, 'form')(values)),
    ...exclusive('include', 'paginate')(values),
  ],
  traits: (values) => ['result', 'service', ...(isOn(values, 'paginate') ? (['list', 'limit', 'pages'] as const) : [])],
  run: callApi,
});
