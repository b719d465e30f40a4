/** Shows the requests of a write without sending them: as HTTP text, or as data in other formats. */
import type { Context } from '../../cli/context.js';
import type { Client, PreparedRequest } from '../../client/request/client.js';
import { any, number, object, text } from '../../contract/vocabulary.js';
import type { Printer } from '../../output/printer.js';
import type { Write } from './spec.js';

const REQUEST = object(
  {
    method: text('method'),
    url: text('address'),
    headers: any('headers, without the access token'),
    body: any('body'),
  },
  'a request',
);

/** A request of a job's dry run. */
export const ROW_REQUEST = object({ row: number('row'), ...REQUEST.fields }, 'a request');

const UPLOADED = '<id of the uploaded file>';

export const recordOf = ({ method, url, headers, body }: PreparedRequest) => ({
  method,
  url,
  headers,
  body: body ?? null,
});

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

/**
 * How requests are printed: as HTTP text to people, and for IDs, unless a part of them is asked for; else as a list. A
 * job prints the text in a pipe, too, and JSON as a document that also counts its rows.
 */
export function formOf(
  { format, traits }: Printer,
  { globals }: Context,
  isJob: boolean,
): 'text' | 'document' | 'list' {
  if (globals.fields !== undefined || globals.query !== undefined) return 'list';
  if (traits.people === true || traits.idsOnly === true || (isJob && format === 'tsv')) return 'text';
  return isJob && traits.machine === true ? 'document' : 'list';
}

/** Checks the output flags against requests. @throws EduError `usage` */
export async function checkForRequests(context: Context, isJob = false): Promise<void> {
  const printer = await context.printer();
  if (formOf(printer, context, isJob) === 'list') await printer.check(isJob ? ROW_REQUEST : REQUEST, 'list');
}

/** Prints the requests, which contain no access token. */
export async function printRequests(
  writes: readonly Pick<Write, 'upload' | 'endpoint' | 'input'>[],
  context: Context,
): Promise<void> {
  const client = await context.client();
  const printer = await context.printer();
  const requests = writes.flatMap((write) => requestsOf(write, client));
  if (formOf(printer, context, false) === 'text') {
    await printer.raw(`${requests.map(asHttp).join('\n\n')}\n`);
  } else {
    await printer.list(requests.map(recordOf), { shape: REQUEST, noun: 'requests' });
  }
  await context.say('Nothing was sent.');
}
