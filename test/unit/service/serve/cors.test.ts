import { describe, expect, test } from 'vitest';
import { corsFor, isOrigin } from '../../../../src/service/serve/cors.js';
import { ask, ok, serve } from './listening.js';

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
    expect([get.status, get.headers.vary]).toEqual([200, 'Origin']);
    const { origin } = preflight.headers;
    expect((await ask(open, { ...preflight, headers: { origin } })).status).toBe(200);
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
    for (const text of [
      '*',
      'null',
      'http://',
      'localhost:3000',
      'http://localhost:3000/',
      'http://a.example/b',
      'file:///x',
    ]) {
      expect(isOrigin(text)).toBe(false);
    }
  });
});
