/** `edu api`: sends any request below the base URL, with the login, retries and errors of all commands. */
import { exclusive, flag, isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { decodeText } from '../../client/errors/error-body.js';
import type { RawRequest } from '../../client/request/client.js';
import { any } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { parseJson } from '../../core/exact-json.js';
import { type HttpResponse, METHODS, readBytes } from '../../core/http.js';
import { plainCommand, sayFolderProfile } from '../kinds/define.js';
import { printDone } from '../kinds/print-result.js';
import { buildRequest, MAX_BYTES, preview } from './build-request.js';

const ANSWER = any('the answer');

/** The client finds the list in each response, so no resource needs to be named. */
async function paginate(request: RawRequest, context: Context): Promise<void> {
  if (request.method !== 'GET') throw usageError(`--paginate follows the pages of a GET, not of a ${request.method}.`);
  const client = await context.client();
  const printer = await context.printer('json');
  let isCut = false;
  const pages = client.rawPages(request.path, request.headers ?? {}, {
    signal: context.signal,
    pageSize: context.effective().pageSize?.value,
    limit: printer.readLimit,
    onCut: () => {
      isCut = true;
    },
  });
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

async function callApi(values: Values, context: Context): Promise<void> {
  const request = await buildRequest(values, context);
  if (isOn(values, 'dry-run')) return (await context.printer('json')).item(preview(request), ANSWER);
  if (isOn(values, 'paginate')) return paginate(request, context);
  await (await context.printer('json')).check(ANSWER, 'item');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) await sayFolderProfile(context);
  const client = await context.client();
  const options = { signal: context.signal, anyBody: isOn(values, 'include') };
  const { howToCheck } = await import('../../client/errors/how-to-check.js');
  const asked = context.during('Asking the service', client.raw(request, options));
  const risk = `It may have been carried out. ${howToCheck(request)}`;
  const response = await (isRead ? asked : context.atRisk(risk, asked));
  if (response.status >= 200 && response.status < 300) {
    const print = (): Promise<void> => printAnswer(response, values, context);
    if (isRead) return print();
    const done = `The service returned ${response.status} for ${request.method} ${request.path}`;
    return printDone(done, print, context);
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
