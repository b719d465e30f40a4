import { afterEach, expect, test } from 'vitest';
import type { Client } from '../../../../src/client/request/client.js';
import { systemClock } from '../../../../src/client/request/clock.js';
import { createClient } from '../../../../src/client/request/create-client.js';
import { authorized } from '../../../../src/client/transport/authorization.js';
import { createNetwork } from '../../../../src/client/transport/network.js';
import { account } from '../../../../src/contract/account.js';
import { readers } from '../../../../src/contract/readers.js';
import type { FilePart } from '../../../../src/contract/vocabulary.js';
import {
  jsonAnswer,
  type MisbehavingOptions,
  type Misdeed,
  misbehavingServer,
  say,
} from '../../../support/misbehaving-server.js';
import { failure } from '../support.js';

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
  const network = createNetwork({ timeoutMs: 10_000, env: {} });
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
    maxWaitMs: 3 * (options.whole ?? 100),
  });
  return { client, lines: server.lines };
}

test('gives up a response that drips: exit 7', async () => {
  const drip: Misdeed = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const { client, lines } = await open([drip], { whole: 200 });
  const error = await failure(client.call(account.show, {}));
  expect(error).toMatchObject({ kind: 'unreachable', exitCode: 7, message: expect.stringContaining('within 200 ms') });
  expect(lines.length).toBeGreaterThan(1);
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

test('reports a file that changed while it was sent', async () => {
  const { client } = await open([say(jsonAnswer({ id: '1', title: 'x' }))]);
  const error = await failure(
    upload(
      client,
      pdf(SIZE, () => zeros(SIZE / 2)),
    ),
  );
  expect(error).toMatchObject({ kind: 'internal', message: expect.stringContaining(`shrank from ${SIZE} to`) });
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
