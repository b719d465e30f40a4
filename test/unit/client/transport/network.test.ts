import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readBytes } from '../../../../src/core/http.js';
import { httpAnswer, jsonAnswer, type Misdeed, reset, say, sayAndClose } from '../../../support/misbehaving-server.js';
import { recordingServer } from '../../../support/recording-server.js';
import { get, misbehaving, network, noAnswer } from './on-the-network.js';

test('sends method, path, headers and body unchanged', async () => {
  const server = await recordingServer(() => ({ status: 201, headers: { 'X-A': 'b' }, body: { ok: true } }));
  onTestFinished(() => void server.close());
  const { send } = network();
  const answer = await send({
    method: 'POST',
    url: `${server.origin}/edu/v1/x%2Fy?a=%2B&b=%20`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
    body: '{"ä":1}',
  });
  expect(answer).toMatchObject({ status: 201, headers: { 'x-a': 'b', 'content-type': 'application/json' } });
  expect((await readBytes(answer.body, 100)).toString()).toBe('{"ok":true}');
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/edu/v1/x%2Fy?a=%2B&b=%20',
    body: Buffer.from('{"ä":1}'),
  });
  expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'content-length': '8' });
});

test('normalizes a path, also after one that needs no parsing', async () => {
  const server = await recordingServer(() => ({}));
  onTestFinished(() => void server.close());
  const { send } = network();
  for (const path of ['/v1/a?b=%2F', '/v1/x/%2E%2e/y', '/v1/x/../y', '/v1/ä b#c', '/v1/a-b_c~d?e=1&f=%20']) {
    await send(get(server.origin + path));
  }
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v1/a?b=%2F',
    '/v1/y',
    '/v1/y',
    '/v1/%C3%A4%20b',
    '/v1/a-b_c~d?e=1&f=%20',
  ]);
  const elsewhere = send(get('http://service.example/v1/a', { headers: { authorization: 'Bearer t' } }));
  await expect(elsewhere).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('not encrypted') });
});

test('sends a streamed body with its announced length', async () => {
  const server = await recordingServer(() => ({}));
  onTestFinished(() => void server.close());
  async function* body() {
    yield Buffer.from('ab');
    yield Buffer.from('c');
  }
  await network().send({ method: 'POST', url: server.origin, headers: { 'content-length': '3' }, body: body() });
  expect(server.requests[0]?.headers['content-length']).toBe('3');
  expect(server.requests[0]?.headers['transfer-encoding']).toBeUndefined();
  expect(server.requests[0]?.body.toString()).toBe('abc');
});

test('sends Content-Length: 0 for a write without a body', async () => {
  const server = await misbehaving([say(jsonAnswer({}))]);
  const heads: string[] = [];
  const other = await misbehaving([
    (socket, { head }) => {
      heads.push(head);
      socket.write(jsonAnswer({}));
    },
  ]);
  await network().send({ method: 'PUT', url: `${other.origin}/v1/licenses/7/cancel`, headers: {} });
  expect(heads[0]?.toLowerCase()).toContain('content-length: 0');
  expect(server.lines).toEqual([]);
});

test('reuses one connection for successive calls', async () => {
  const server = await misbehaving([say(jsonAnswer({}))]);
  const { send } = network();
  for (let i = 0; i < 3; i++) await readBytes((await send(get(server.origin))).body, 100);
  expect(server.lines).toHaveLength(3);
  expect(server.connections()).toBe(1);
});

test('reports a reset after the request as sent', async () => {
  const server = await misbehaving([reset]);
  expect(await noAnswer(network().send(get(server.origin)))).toMatchObject({
    sent: true,
    message: 'the connection was closed before the response was complete',
  });
});

test('detects truncated responses, by length and by chunks', async () => {
  const short = await misbehaving([sayAndClose('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id"')]);
  const answer = await network().send(get(short.origin));
  expect(answer.status).toBe(200);
  expect(await noAnswer(readBytes(answer.body, 1000))).toMatchObject({ sent: true });
  const chunked = await misbehaving([
    sayAndClose('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n'),
  ]);
  expect(await noAnswer(readBytes((await network().send(get(chunked.origin))).body, 1000))).toMatchObject({
    sent: true,
  });
});

test('times out before and within a response', async () => {
  const silent = await misbehaving([() => {}]);
  expect(await noAnswer(network({}, 50).send(get(silent.origin)))).toMatchObject({
    sent: true,
    timedOut: true,
  });
  const stalling = await misbehaving([say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id"')]);
  const answer = await network({}, 50).send(get(stalling.origin));
  expect(await noAnswer(readBytes(answer.body, 1000))).toMatchObject({ sent: true, timedOut: true });
});

test('reports a response that is not HTTP as invalid', async () => {
  const server = await misbehaving([sayAndClose('220 mail.example ESMTP\r\n')]);
  expect(await noAnswer(network().send(get(server.origin)))).toMatchObject({ isInvalid: true, sent: true });
});

test('reports headers without an end as an invalid response', async () => {
  const server = await misbehaving([say(`HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(200_000)}\r\n`)]);
  expect(await noAnswer(network().send(get(server.origin)))).toMatchObject({ isInvalid: true });
});

test('reads a 400 that arrives during the upload, however the connection closes', async () => {
  const answer = httpAnswer('400 Bad Request', '{"message":"too large"}', ['Connection: close']);
  const closings: readonly Misdeed[] = [
    (socket) => socket.end(answer),
    (socket) => {
      socket.write(answer);
      socket.destroySoon();
    },
    (socket) => {
      // The response arrives before the reset; what is still being sent breaks.
      socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 20));
    },
  ];
  for (const closing of closings) {
    const server = await misbehaving([closing], { early: true });
    const size = 8 * 1024 * 1024;
    async function* body() {
      for (let i = 0; i < size / 65_536; i++) {
        yield Buffer.alloc(65_536);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    const got = await network().send({
      method: 'POST',
      url: server.origin,
      headers: { 'content-length': String(size) },
      body: body(),
    });
    expect(got.status).toBe(400);
    expect((await readBytes(got.body, 1000)).toString()).toBe('{"message":"too large"}');
  }
});

test('ends the request with an error of the body', async () => {
  const server = await misbehaving([() => {}], { early: true });
  async function* body() {
    yield Buffer.from('ab');
    throw new Error('the file vanished');
  }
  await expect(
    network().send({ method: 'POST', url: server.origin, headers: { 'content-length': '5' }, body: body() }),
  ).rejects.toMatchObject({ cause: { message: 'the file vanished' } });
});

test('aborts a request that waits for its response or its connection', async () => {
  const silent = await misbehaving([() => {}]);
  const stop = new AbortController();
  const waiting = noAnswer(network().send(get(silent.origin, { signal: stop.signal })));
  while (silent.lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await waiting).toMatchObject({ sent: true });

  // A listener that accepts no connection: its backlog is full.
  const deaf = createServer();
  await new Promise<void>((resolve) => deaf.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, resolve));
  onTestFinished(() => void deaf.close());
  const again = new AbortController();
  const { port } = deaf.address() as AddressInfo;
  const pending = noAnswer(network().send(get(`https://127.0.0.1:${port}/`, { signal: again.signal })));
  setImmediate(() => again.abort());
  expect(await pending).toMatchObject({ sent: false });
});
