/** The client over real sockets, against a server that misbehaves. */
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { Client } from '../../../../src/client/request/client.js';
import { systemClock } from '../../../../src/client/request/clock.js';
import { createClient } from '../../../../src/client/request/create-client.js';
import { authorized } from '../../../../src/client/transport/authorization.js';
import { createNetwork } from '../../../../src/client/transport/network.js';
import { account } from '../../../../src/contract/account.js';
import { classes } from '../../../../src/contract/classes.js';
import { files } from '../../../../src/contract/files.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { readers } from '../../../../src/contract/readers.js';
import { schools } from '../../../../src/contract/schools.js';
import type { FilePart } from '../../../../src/contract/vocabulary.js';
import {
  httpAnswer,
  jsonAnswer,
  type MisbehavingOptions,
  type Misdeed,
  misbehavingServer,
  reset,
  say,
  sayAndClose,
} from '../../../support/misbehaving-server.js';
import { all, failure } from '../support.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Open {
  readonly client: Client;
  readonly lines: readonly string[];
}

async function open(
  misdeeds: readonly Misdeed[],
  options: MisbehavingOptions & { whole?: number } = {},
): Promise<Open> {
  const server = await misbehavingServer(misdeeds, options);
  const network = createNetwork({ timeouts: { connect: 10_000, firstByte: 10_000, silence: 10_000 }, env: {} });
  endings.push(
    () => server.close(),
    () => network.close(),
  );
  const client = createClient({
    baseUrl: server.origin,
    send: authorized(network.send, { origin: server.origin, token: 'tok' }),
    token: 'tok',
    // Waits between attempts end at once; timeouts are real.
    clock: { ...systemClock, sleep: async () => {} },
    timeoutMs: options.whole ?? 10_000,
    maxWaitMs: 300,
  });
  return { client, lines: server.lines };
}

const me = { id: '1', email: 'a@b.example' };
const ok = say(jsonAnswer(me));
const GET = 'GET /v1/account HTTP/1.1';

const PASSING: readonly (readonly [string, Misdeed])[] = [
  ['a reset', reset],
  ['a connection closed without a word', (socket) => socket.end()],
  ['an answer cut off in its head', sayAndClose('HTTP/1.1 200 OK\r\nContent-Le')],
  ['an answer cut off in its body', sayAndClose('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":')],
  [
    'an answer reset in its body',
    (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":', () =>
        setTimeout(() => socket.resetAndDestroy(), 10),
      ),
  ],
  ['a 503', say(httpAnswer('503 Service Unavailable', 'later', ['Retry-After: 1']))],
];

test.each(PASSING)('repeats a read after %s', async (_, misdeed) => {
  const { client, lines } = await open([misdeed, misdeed, ok]);
  expect(await client.call(account.show, {})).toEqual(me);
  expect(lines).toEqual([GET, GET, GET]);
});

test.each(PASSING)('does not repeat an unkeyed create after %s', async (_, misdeed) => {
  const { client, lines } = await open([misdeed]);
  const body = { subjectId: '1', schoolId: '2', name: 'A' };
  expect(await failure(client.call(classes.create, { body }))).toMatchObject({ kind: 'outcome_unknown', exitCode: 1 });
  // It is looked up, and never sent again.
  expect(lines[0]).toBe('POST /v1/classes HTTP/1.1');
  expect(new Set(lines.slice(1))).toEqual(new Set(['GET /v1/schools/2/classes HTTP/1.1']));
});

const licence = {
  id: '7',
  name: 'A',
  code: 'abc',
  type: 'Teacher',
  books: [],
  maximumActivations: 1,
  numberOfActivations: 0,
};

test.each(PASSING)('creates a licence once after %s', async (_, misdeed) => {
  // The server creates it, but does not respond.
  const { client, lines } = await open([misdeed, say(jsonAnswer(licence))]);
  const body = { name: 'A', code: 'abc', type: 'Teacher', maximumActivations: 1 } as const;
  expect(await client.call(licenses.create, { body })).toEqual(licence);
  expect(lines).toEqual(['POST /v1/licenses HTTP/1.1', 'GET /v1/licenses/code/abc HTTP/1.1']);
});

test('continues a list after a page that was cut off', async () => {
  const page = (id: string, nextCursor: string | null) =>
    say(jsonAnswer({ schools: [{ id }], paging: { nextCursor } }));
  const { client, lines } = await open([
    page('1', 'a'),
    sayAndClose(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"schools":[{"id":"2"}',
    ),
    page('2', null),
  ]);
  expect(await all(client.pages(schools.list, {}))).toEqual([{ id: '1' }, { id: '2' }]);
  expect(lines[1]).toBe(lines[2]);
});

test('gives up a response that drips: exit 7', async () => {
  const drip: Misdeed = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const { client, lines } = await open([drip], { whole: 100 });
  const error = await failure(client.call(account.show, {}));
  expect(error).toMatchObject({ kind: 'unreachable', exitCode: 7, message: expect.stringContaining('within 100 ms') });
  expect(lines.length).toBeGreaterThan(1);
});

test('gives up a response whose headers drip', async () => {
  const drip: Misdeed = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('X-A: b\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const { client } = await open([drip], { whole: 100 });
  expect(await failure(client.call(account.show, {}))).toMatchObject({ kind: 'unreachable' });
});

test('reads a compressed response in small chunks', async () => {
  const bytes = gzipSync(JSON.stringify(me));
  const { client } = await open([
    async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (const byte of bytes)
        socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
      socket.write('0\r\n\r\n');
    },
  ]);
  expect(await client.call(account.show, {})).toEqual(me);
});

test('reads a response that ends with the connection', async () => {
  const { client } = await open([
    sayAndClose(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(me)}`),
  ]);
  expect(await client.call(account.show, {})).toEqual(me);
});

test('reports a response that is not HTTP as invalid: exit 1', async () => {
  const { client } = await open([sayAndClose('220 mail.example ESMTP\r\n')]);
  expect(await failure(client.call(account.show, {}))).toMatchObject({
    kind: 'invalid_response',
    exitCode: 1,
    message: expect.stringContaining('is not HTTP'),
  });
});

test('sends the token with every request to the service', async () => {
  const heads: string[] = [];
  const { client } = await open([
    (socket, { head }) => {
      heads.push(head);
      socket.write(jsonAnswer(me));
    },
  ]);
  await client.call(account.show, {});
  expect(heads[0]).toMatch(/^authorization: Bearer tok$/im);
});

const pdf = (size: number, made: () => AsyncIterable<Uint8Array>): FilePart => ({
  filename: 'x.pdf',
  contentType: 'application/pdf',
  size,
  open: made,
});
const upload = (client: Client, pdfFile: FilePart, onSent?: (bytes: number) => void) =>
  client.call(
    readers.create,
    { query: { language: 'EN' }, body: { title: 'x', subject: '1', language: 'EN', pdfFile } },
    { onSent },
  );
const SIZE = 4 * 1024 * 1024;
async function* zeros(size = SIZE) {
  for (let sent = 0; sent < size; sent += 65_536) yield Buffer.alloc(Math.min(65_536, size - sent));
}

test('reports the message of an early refusal of an upload, even if the connection closes at once', async () => {
  const answer = httpAnswer('400 Bad Request', '{"message":"the PDF is larger than 150 MB"}', [
    'Content-Type: application/json',
    'Connection: close',
  ]);
  for (const hangUp of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const { client, lines } = await open([(socket) => void socket.write(answer, () => socket[hangUp]())], {
      early: true,
    });
    const error = await failure(upload(client, pdf(SIZE, zeros)));
    expect(error).toMatchObject({ kind: 'refused', status: 400, exitCode: 1 });
    expect(error.message).toContain('the PDF is larger than 150 MB');
    expect(lines).toHaveLength(1);
  }
});

test('reports an interrupted upload as not stored', async () => {
  const { client, lines } = await open([(socket) => socket.resetAndDestroy()], { early: true });
  const error = await failure(upload(client, pdf(SIZE, zeros)));
  expect(error).toMatchObject({ kind: 'unreachable', exitCode: 7 });
  expect(error.message).toContain('the connection was closed before the upload was complete');
  expect(lines).toHaveLength(1);
});

test('cancels the upload of a file that changes meanwhile: exit 1', async () => {
  const { client, lines } = await open([() => {}], { early: true });
  const error = await failure(
    upload(
      client,
      pdf(SIZE, () => zeros(SIZE / 2)),
    ),
  );
  expect(error).toMatchObject({ kind: 'internal', exitCode: 1, message: expect.stringContaining('shrank') });
  expect(lines).toHaveLength(1);
});

test('reports progress up to the whole body', async () => {
  const seen: number[] = [];
  let length = 0;
  const { client } = await open([
    (socket, { head, body }) => {
      length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      expect(body).toHaveLength(length);
      socket.write(jsonAnswer({ id: '1', title: 'x' }));
    },
  ]);
  expect(await upload(client, pdf(SIZE, zeros), (bytes) => seen.push(bytes))).toEqual({ id: '1', title: 'x' });
  expect(seen.at(-1)).toBe(length);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.length).toBeGreaterThan(SIZE / 65_536);
});

test('does not apply the timeout of a call to a slow upload', async () => {
  const { client } = await open([say(jsonAnswer({ id: '1', title: 'x' }))], { whole: 500 });
  async function* slow() {
    for (let i = 0; i < 4; i++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      yield Buffer.alloc(10);
    }
  }
  expect(await upload(client, pdf(40, slow))).toMatchObject({ id: '1' });
});

test('gives up a dripping response to an upload', async () => {
  const drip: Misdeed = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const { client, lines } = await open([drip], { whole: 200 });
  const body = { fileType: 'Document', file: pdf(SIZE, zeros) } as const;
  const error = await failure(client.call(files.upload, { body }));
  expect(error).toMatchObject({
    kind: 'outcome_unknown',
    exitCode: 1,
    message: expect.stringContaining('may have been carried out'),
  });
  expect(lines).toHaveLength(1);
});
