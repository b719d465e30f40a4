import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type HttpRequest, readBytes } from '../../../../src/core/http.js';
import { listen } from '../../../../src/service/serve/listen.js';
import { ask, ok, raw, serve } from './listening.js';

describe('from HTTP to a request and back', () => {
  test('passes method, absolute address, headers and body, and returns status, headers and body', async () => {
    let seen: HttpRequest | undefined;
    let body = '';
    const { listener } = await serve(async (request) => {
      seen = request;
      body = (await readBytes(request.body ?? '', 1000)).toString();
      return { status: 201, headers: { 'x-answer': '42' }, body: 'ünï' };
    });
    const answer = await ask(listener, {
      method: 'POST',
      path: '/v1/licenses?type=BOOKS',
      headers: { 'X-Thing': 'a' },
      body: 'hello',
    });
    expect(seen?.method).toBe('POST');
    expect(seen?.url).toBe(`http://127.0.0.1:${listener.port}/v1/licenses?type=BOOKS`);
    expect(seen?.headers['x-thing']).toBe('a');
    expect(body).toBe('hello');
    expect(answer.status).toBe(201);
    expect(answer.headers['x-answer']).toBe('42');
    expect(answer.headers['content-length']).toBe('5');
    expect(answer.text).toBe('ünï');
  });

  test('keeps the encoding and the dots of a path', async () => {
    const urls: string[] = [];
    const { listener } = await serve(async (request) => {
      urls.push(request.url);
      return ok(request);
    });
    await ask(listener, { path: '/v1/licenses/%2e%2e/%2F?a=%26' });
    await ask(listener, { path: '/v1/../x' });
    expect(urls.map((url) => url.slice(listener.origin.length))).toEqual(['/v1/licenses/%2e%2e/%2F?a=%26', '/v1/../x']);
  });

  test('streams a response as fast as it is read, and ends its source when the reader leaves', async () => {
    let produced = 0;
    let ended = false;
    const { listener } = await serve(async () => ({
      status: 203,
      headers: { 'x-answer': '42' },
      body: (async function* () {
        try {
          for (;;) {
            produced++;
            yield Buffer.alloc(64 * 1024);
          }
        } finally {
          ended = true;
        }
      })(),
    }));
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'readable');
    expect(String(socket.read(60))).toMatch(/^HTTP\/1\.1 203 .*\r\nx-answer: 42\r\n/);
    socket.destroy();
    await expect.poll(() => ended).toBe(true);
    expect(produced).toBeLessThan(2000);
  });

  test('returns an early response to an upload, and reuses the connection', async () => {
    const { listener } = await serve(async (request) => {
      for await (const _ of request.body as AsyncIterable<Uint8Array>) break;
      return { status: 400, headers: {}, body: 'too large' };
    });
    const answer = await ask(listener, { method: 'POST', body: Buffer.alloc(8 * 1024 * 1024) });
    expect([answer.status, answer.text]).toEqual([400, 'too large']);
  });

  test('aborts the work of an interrupted upload', async () => {
    let outcome: unknown;
    let aborted = false;
    const { listener, errors } = await serve(async (request) => {
      request.signal?.addEventListener('abort', () => {
        aborted = true;
      });
      try {
        await readBytes(request.body ?? '', 1000);
      } catch (error) {
        outcome = error;
        throw error;
      }
      return ok(request);
    });
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy());
    await expect.poll(() => outcome).toBeInstanceOf(Error);
    await expect.poll(() => aborted).toBe(true);
    expect(errors).toEqual([]);
    expect((await ask(listener, { method: 'POST', body: 'x' })).status).toBe(200);
  });
});

describe('rejected requests', () => {
  test.each(['evil.example:80', '127.0.0.1.evil.example', 'localhost@evil.example', 'evil.test#127.0.0.1', ''])(
    'include the host %j: 421',
    async (host) => {
      const { listener } = await serve(ok);
      const text = await raw(listener, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 421 /);
      expect(text).toContain('\r\nconnection: close\r\n');
    },
  );

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST:9', '[::1]:4010'])('do not include the host %j', async (host) => {
    const { listener } = await serve(ok);
    const text = await raw(listener, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('include two Host headers, or none: 421', async () => {
    const { listener } = await serve(ok);
    const two = await raw(
      listener,
      'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(two).toMatch(/^HTTP\/1\.1 4(00|21) /);
    expect(await raw(listener, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
  });

  test('include targets that are not a path, unknown methods, and invalid HTTP', async () => {
    const { listener } = await serve(ok);
    const target = (line: string) => raw(listener, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await target('GET http://evil.example/ HTTP/1.1')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await target('GET //evil.example/ HTTP/1.1')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await target('OPTIONS * HTTP/1.1')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await target('TRACE / HTTP/1.1')).toMatch(/^HTTP\/1\.1 501 /);
    expect(await raw(listener, 'hello?\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await target(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`)).toMatch(/^HTTP\/1\.1 431 /);
    expect((await ask(listener)).status).toBe(200);
  });

  test('an error of the service is a 500 without details', async () => {
    const { listener, errors } = await serve(async () => {
      throw new Error('the secret is hunter2');
    });
    const answer = await ask(listener);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hunter2');
    expect(errors).toHaveLength(1);
  });
});

describe('stopping', () => {
  test('breaks unfinished requests when the grace period ends', async () => {
    let arrived = false;
    const { listener } = await serve(() => {
      arrived = true;
      return new Promise(() => {});
    });
    const hanging = expect(ask(listener)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect.poll(() => arrived).toBe(true);
    await listener.stop(20);
    await hanging;
  });

  test('a taken port is the error of the system, and nothing stays open', async () => {
    const { listener } = await serve(ok);
    await expect(listen(ok, { port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('listens on ::1 only on request', async () => {
    const { listener } = await serve(ok, { hosts: ['127.0.0.1', '::1'] });
    const socket = connect(listener.port, '::1');
    socket.write('GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const { listener: only4 } = await serve(ok);
    const refused = connect(only4.port, '::1');
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
