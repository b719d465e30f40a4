/** Shows the requests of a write without sending them: as HTTP text, or as data in other formats. */
import type { Context } from '../../cli/context.js';
import type { Client, PreparedRequest } from '../../client/request/client.js';
import { any, object, text } from '../../contract/vocabulary.js';
import type { Printer } from '../../output/printer.js';
import type { Write } from './spec.js';

const PREPARED = object(
  {
    method: text('method'),
    url: text('address'),
    headers: any('headers, without the access token'),
    body: any('body'),
  },
  'a request',
);

const UPLOADED = '<id of the uploaded file>';

/** Formats a request as HTTP text. */
export function asHttp({ method, url, headers, body }: PreparedRequest): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const shown = body === undefined ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body, null, 2)];
  return [`${method} ${url}`, ...head, ...shown].join('\n');
}

export function requestsOf(
  { upload, endpoint, input }: Pick<Write, 'upload' | 'endpoint' | 'input'>,
  client: Pick<Client, 'prepare'>,
): readonly PreparedRequest[] {
  if (upload === undefined) return [client.prepare(endpoint, input)];
  const filled = { ...input, body: { ...input.body, fileId: UPLOADED } };
  return [client.prepare(upload.endpoint, upload.input), client.prepare(endpoint, filled)];
}

/** True if requests are shown as HTTP text: to people, and for IDs, unless a part of them is asked for. */
const isShownAsText = ({ traits }: Printer, { globals }: Context): boolean =>
  (traits.people === true || traits.idsOnly === true) && globals.fields === undefined && globals.query === undefined;

/** Checks the output flags against requests. @throws EduError `usage` */
export async function checkForRequests(context: Context): Promise<void> {
  const printer = await context.printer();
  if (!isShownAsText(printer, context)) await printer.check(PREPARED, 'list');
}

/** Prints the requests, which contain no access token. */
export async function printRequests(
  writes: readonly Pick<Write, 'upload' | 'endpoint' | 'input'>[],
  context: Context,
): Promise<void> {
  const client = await context.client();
  const printer = await context.printer();
  const requests = writes.flatMap((write) => requestsOf(write, client));
  if (isShownAsText(printer, context)) {
    await printer.text(requests.map(asHttp).join('\n\n'));
  } else {
    const rows = requests.map(({ method, url, headers, body }) => ({ method, url, headers, body: body ?? null }));
    await printer.list(rows, { shape: PREPARED, noun: 'requests' });
  }
  await context.say('Nothing was sent.');
}
