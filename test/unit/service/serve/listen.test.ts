import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpRequest, readBytes, type Send } from '../../../../src/core/http.js';
import { ConnectionReset } from '../../../../src/service/serve/broken.js';
import { corsFor, isOrigin } from '../../../../src/service/serve/cors.js';
import { type Listener, type ListenOptions, listen } from '../../../../src/service/serve/listen.js';
import { formatLine, maskedPath, type RequestLine } from '../../../../src/service/serve/request-log.js';

const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop(0)));
});

async function serve(send: Send, options: Partial<ListenOptions> = {}) {
  const lines: RequestLine[] = [];
  const errors: unknown[] = [];
  const listener = await listen(send, {
    port: 0,
    onRequest: (line) => lines.push(line),
    onError: (error) => errors.push(error),
    ...options,
  });
  listeners.push(listener);
  return { listener, lines, errors };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const ask = (listener: Listener, { method = 'GET', path = '/', headers = {}, body }: Ask = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port: listener.port, method, path, headers, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** Sends raw bytes and returns everything until the other side closes. */
async function raw(listener: Listener, text: string): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const ok: Send = async () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' });

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
      status: 200,
      headers: {},
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
    socket.destroy();
    await expect.poll(() => ended).toBe(true);
    expect(produced).toBeLessThan(2000);
  });

  test('sends no body for HEAD and 204', async () => {
    const { listener } = await serve(async ({ method }) =>
      method === 'HEAD' ? { status: 200, headers: {}, body: 'not sent' } : { status: 204, headers: {}, body: '' },
    );
    const head = await ask(listener, { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '8']);
    const none = await ask(listener, { method: 'DELETE' });
    expect([none.status, none.text, none.headers['content-length']]).toEqual([204, '', undefined]);
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
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost@evil.example', ''])(
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

describe('broken connections', () => {
  test('pass a reset on to the caller', async () => {
    const { listener, lines, errors } = await serve(async () => {
      throw new ConnectionReset('in a test');
    });
    await expect(ask(listener)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(lines.map(({ status }) => status)).toEqual([0]);
    expect(errors).toEqual([]);
  });

  test('pass on a response as far as it was sent', async () => {
    const { listener } = await serve(async () => ({
      status: 200,
      headers: { 'content-length': '10' },
      body: (async function* () {
        yield Buffer.from('01234');
        throw new ConnectionReset('in a test');
      })(),
    }));
    const text = await raw(listener, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.endsWith('\r\n\r\n01234')).toBe(true);
  });
});

describe('stopping', () => {
  test('finishes requests under way, closes idle connections and accepts no new ones', async () => {
    let release: (() => void) | undefined;
    const { listener } = await serve(async (request) => {
      if (request.url.endsWith('/slow')) await new Promise<void>((resolve) => (release = resolve));
      return ok(request);
    });
    const idle = connect(listener.port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    const idleClosed = once(idle, 'close');
    const slow = ask(listener, { path: '/slow' });
    await expect.poll(() => release).toBeDefined();
    const stopped = listener.stop();
    await idleClosed;
    await expect(ask(listener)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release?.();
    expect((await slow).text).toBe('ok');
    await stopped;
  });

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
    const { listener } = await serve(ok, { ipv6: true });
    const socket = connect(listener.port, '::1');
    socket.write('GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const { listener: only4 } = await serve(ok);
    const refused = connect(only4.port, '::1');
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('pages of other origins', () => {
  const preflight = {
    method: 'OPTIONS',
    path: '/v1/account',
    headers: {
      origin: 'http://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  };

  test('get no CORS headers unless their origin is allowed', async () => {
    const { listener } = await serve(ok);
    const closed = await ask(listener, preflight);
    expect(Object.keys(closed.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const { listener: open } = await serve(ok, { cors: corsFor(['http://app.example'], '') });
    const allowed = await ask(open, preflight);
    expect(allowed.status).toBe(204);
    expect(allowed.headers['access-control-allow-origin']).toBe('http://app.example');
    expect(allowed.headers['access-control-allow-headers']).toContain('authorization');
    const other = await ask(open, { ...preflight, headers: { ...preflight.headers, origin: 'http://evil.example' } });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    const get = await ask(open, { path: '/v1/account', headers: { origin: 'http://app.example' } });
    expect(get.headers['access-control-allow-origin']).toBe('http://app.example');
    expect(get.headers.vary).toBe('Origin');
  });

  test('never get CORS headers for the consent page or the control route', async () => {
    const { listener } = await serve(ok, { cors: corsFor(['http://app.example'], '') });
    for (const path of ['/login/oauth/authorize', '/_control/reset', '/v1x/']) {
      const answer = await ask(listener, { path, headers: { origin: 'http://app.example' } });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('are identified by scheme, host and port', () => {
    expect(isOrigin('http://localhost:3000')).toBe(true);
    for (const text of ['*', 'null', 'localhost:3000', 'http://localhost:3000/', 'http://a.example/b', 'file:///x']) {
      expect(isOrigin(text)).toBe(false);
    }
  });
});

describe('the request log', () => {
  test('shows method, path, status and time', async () => {
    const { listener, lines } = await serve(ok);
    await ask(listener, { path: '/v1/books?organization=d1&type=Distributor&language=EN' });
    const [line] = lines;
    expect(line).toMatchObject({
      method: 'GET',
      path: '/v1/books?organization=d1&type=Distributor&language=EN',
      status: 200,
    });
    expect(formatLine({ method: 'GET', path: '/v1/account', status: 200, milliseconds: 1.25 })).toMatch(
      /^GET \/v1\/account 200 1\.\dms\n$/,
    );
    expect(formatLine({ method: 'GET', path: '/', status: 0, milliseconds: 3, note: 'fault reset' })).toBe(
      'GET / reset 3.0ms (fault reset)\n',
    );
  });

  test('hides every value that could be a secret, and control characters', () => {
    expect(maskedPath('/login/oauth/authorize?client_id=a&redirect_uri=b&state=s3cret&code=c')).toBe(
      '/login/oauth/authorize?client_id=…&redirect_uri=…&state=…&code=…',
    );
    expect(maskedPath('/editor/books/1?token=t0ken')).toBe('/editor/books/1?token=…');
    expect(maskedPath('/v1/licenses?type=BOOKS&cursor=abc')).toBe('/v1/licenses?type=BOOKS&cursor=…');
    expect(maskedPath('/v1/\u009b31m')).toBe('/v1/%C2%9B31m');
    expect(maskedPath('/v1/x?type=\u001b[2J&\u009b=1')).toBe('/v1/x?type=%1B[2J&%C2%9B=…');
  });
});
