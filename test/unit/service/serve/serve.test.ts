import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OptionError } from '../../../../src/service/serve/option-values.js';
import type { ServeOptions } from '../../../../src/service/serve/serve.js';
import { temporaryFolder } from '../../../support/run.js';
import { start } from './serving.js';

describe('serving over HTTP', () => {
  test('gives what a client needs to use it', async () => {
    const tokens = ['distributor', 'publisher', 'school', 'viewer'].map((name) => [name, `edu-offline-${name}`]);
    expect((await start()).serving.facts).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clientId: 'edu-offline',
      clientSecret: expect.stringMatching(/./),
      callbackUrl: 'http://127.0.0.1:8976/callback',
      personas: Object.fromEntries(tokens),
    });
  });

  test('accepts a path for its base URL', async () => {
    const { serving, call, control } = await start({ basePath: '/content/' });
    expect(serving.facts.baseUrl).toMatch(/:\d+\/content$/);
    expect((await call('/v1/account')).status).toBe(200);
    expect((await call('/login/oauth/authorize?client_id=edu-offline')).status).toBe(200);
    expect((await control('GET', '')).status).toBe(200);
    const outside = new URL('/v1/account', serving.facts.baseUrl);
    const headers = { authorization: `Bearer ${serving.facts.personas.distributor}` };
    expect((await fetch(outside, { headers })).status).toBe(404);
  });

  test('registers another callback URL, also after a reset, and the default in the next run', async () => {
    const directory = temporaryFolder();
    const callbackUrl = 'http://127.0.0.1:50123/cb';
    const { serving, call, control } = await start({ directory, callbackUrl });
    expect(serving.facts.callbackUrl).toBe(callbackUrl);
    const deny = async (caller: typeof call) => {
      const refused = await caller('/login/oauth/authorize?client_id=edu-offline&redirect_uri=http://evil.example/');
      return refused.headers.get('location')?.split('?')[0];
    };
    expect(await deny(call)).toBe(callbackUrl);
    await control('POST', '/reset');
    expect(await deny(call)).toBe(callbackUrl);
    await serving.stop();
    expect(await deny((await start({ directory })).call)).toBe('http://127.0.0.1:8976/callback');
  });

  test('logs one line for each request, without secrets', async () => {
    const { serving, call, lines } = await start({ faults: ['GET /v1/books/subjects 500'] });
    await call('/v1/licenses?type=BOOKS&limit=1&cursor=secretcursor');
    await call('/v1/books/subjects?language=EN');
    await call('/login/oauth/authorize?client_id=edu-offline&state=secretstate');
    await fetch(`${serving.facts.baseUrl}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'a', client_secret: 'secretsecret', code: 'secretcode' }),
    });
    await expect.poll(() => lines.length).toBe(4);
    expect(lines[0]).toMatch(/^GET \/v1\/licenses\?type=BOOKS&limit=1&cursor=… 400 \d+\.\dms\n$/);
    expect(lines[1]).toMatch(/^GET \/v1\/books\/subjects\?language=EN 500 \d+\.\dms \(fault: 500\)\n$/);
    expect(lines[3]).toMatch(/^POST \/login\/oauth\/access_token 400 /);
    expect(lines.join('')).not.toMatch(/secret(?!s\b)|edu-offline-distributor/);
  });

  test.each([
    [{ cors: ['*'] }, '"*" is not an origin'],
    [{ basePath: '/../x' }, 'is not a path'],
    [{ hosts: ['http://edu'] }, 'host "http://edu" cannot be used'],
    [{ hosts: ['256.1.1.1'] }, 'host "256.1.1.1" cannot be used'],
  ] satisfies [Partial<ServeOptions>, string][])('refuses %j', async (options, message) => {
    const failed = start(options);
    await expect(failed).rejects.toThrow(OptionError);
    await expect(failed).rejects.toThrow(message);
  });

  test('names the taken port and the next step', async () => {
    const { serving } = await start();
    const port = Number(new URL(serving.facts.baseUrl).port);
    await expect(start({ port })).rejects.toMatchObject({
      message: `port ${port} is in use by another program`,
      hint: expect.stringContaining('--port'),
    });
  });

  test('names an address that the machine does not have', async () => {
    await expect(start({ hosts: ['192.0.2.1'] })).rejects.toMatchObject({
      message: 'this machine does not have the address 192.0.2.1',
    });
  });

  test('reads faults from a file, and applies the latency', async () => {
    const script = join(temporaryFolder(), 'faults.txt');
    writeFileSync(script, '# the first two are refused\nGET /v1/account 429 retry-after=3 times=2\n');
    const { call } = await start({ faults: [`@${script}`], latency: '30ms' });
    const started = performance.now();
    expect((await call('/v1/account')).status).toBe(429);
    expect(performance.now() - started).toBeGreaterThanOrEqual(29);
    expect((await call('/v1/account')).headers.get('retry-after')).toBe('3');
    expect((await call('/v1/account')).status).toBe(200);
  });
});
