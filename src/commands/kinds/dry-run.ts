/** Shows the exact requests of a write without sending them: as HTTP for people, as data for programs. */
import type { Context } from '../../cli/context.js';
import type { Client, PreparedRequest } from '../../client/request/client.js';
import { any, object, text } from '../../contract/vocabulary.js';
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

/** Stands for the id that only a real upload would give. */
const UPLOADED = '<id of the uploaded file>';

/** A request as it would be written to the service. */
export function asHttp({ method, url, headers, body }: PreparedRequest): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const shown = body === undefined ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body, null, 2)];
  return [`${method} ${url}`, ...head, ...shown].join('\n');
}

/** The requests of a write, in the order in which they would leave. */
export function requestsOf(
  { upload, endpoint, input }: Pick<Write, 'upload' | 'endpoint' | 'input'>,
  client: Pick<Client, 'prepare'>,
): readonly PreparedRequest[] {
  if (upload === undefined) return [client.prepare(endpoint, input)];
  const filled = { ...input, body: { ...input.body, fileId: UPLOADED } };
  return [client.prepare(upload.endpoint, upload.input), client.prepare(endpoint, filled)];
}

/** Prints what would be sent. The access token is not part of it. */
export async function printRequests(writes: readonly Write[], context: Context): Promise<void> {
  const client = await context.client();
  const printer = await context.printer();
  const requests = writes.flatMap((write) => requestsOf(write, client));
  if (printer.traits.people || printer.traits.idsOnly) {
    await printer.text(requests.map(asHttp).join('\n\n'));
  } else {
    const rows = requests.map(({ method, url, headers, body }) => ({ method, url, headers, body: body ?? null }));
    await printer.list(onePage(rows), { shape: PREPARED, noun: 'requests' });
  }
  await context.say('Nothing was sent.');
}

async function* onePage(items: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  yield items;
}
