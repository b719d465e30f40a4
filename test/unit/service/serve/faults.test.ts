import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type HttpRequest, type HttpResponse, readBytes, type Send } from '../../../../src/core/http.js';
import { FaultPlan } from '../../../../src/service/serve/fault-plan.js';
import { type Fault, faultsOf, parseFault, parseFaults } from '../../../../src/service/serve/faults.js';
import { withFaults } from '../../../../src/service/serve/faulty.js';
import { OptionError } from '../../../../src/service/serve/option-values.js';
import type { Store } from '../../../../src/service/store/store.js';

const AROUND = { now: () => 0, store: undefined as unknown as Store };

describe('a fault rule', () => {
  test('has a method, a path, a status and how often', () => {
    expect(parseFault('POST /v1/licenses status=503 retry-after=1 every=3 times=2')).toEqual({
      action: 'status',
      method: 'POST',
      path: '/v1/licenses',
      status: 503,
      retryAfter: '1',
      every: 3,
      times: 2,
    });
  });

  test('names its action, or implies it by a status or latency', () => {
    expect(parseFault('reset when=after')).toEqual({ action: 'reset', when: 'after' });
    expect(parseFault('latency=250 /v1/**')).toEqual({ action: 'latency', latency: 250, path: '/v1/**' });
    expect(parseFault('get dead-cursor skip=1')).toEqual({ action: 'dead-cursor', method: 'GET', skip: 1 });
  });

  test('may be written with colons', () => {
    expect(parseFault('503:every=5')).toEqual({ action: 'status', status: 503, every: 5 });
    expect(parseFault('POST /v1/licenses 429 retry-after=2')).toEqual({
      action: 'status',
      method: 'POST',
      path: '/v1/licenses',
      status: 429,
      retryAfter: '2',
    });
  });

  test('reads the rest of the line as the body', () => {
    expect(parseFault('status=200 body=<h1>Sign in</h1> a=b').body).toBe('<h1>Sign in</h1> a=b');
  });

  test.each([
    ['', 'needs an action'],
    ['explode', '"explode" is not a valid action'],
    ['status=99', '"99" is not a'],
    ['status=600', '"600" is not a'],
    ['status=5xx', '"5xx" is not a'],
    ['status', 'needs the status'],
    ['latency', 'needs milliseconds'],
    ['reset every=0', '"0" is not a valid distance'],
    ['reset times=-1', '"-1" is not a valid number of times'],
    ['reset colour=red', 'no "colour"'],
    ['reset when=later', '"later" is not a valid time'],
    ['reset reset', '"action" is given twice'],
    ['status=503 path=v1/books', '"v1/books" is not a path'],
  ])('is refused: %j', (line, message) => {
    expect(() => parseFault(line)).toThrow(OptionError);
    expect(() => parseFault(line)).toThrow(message);
  });

  test('may be in a file of lines or in JSON', () => {
    const lines = '# the morning\n\nreset times=1\n  GET status=500  \n';
    const json = '[{"action":"reset","times":1},{"method":"get","status":500}]';
    expect(parseFaults(lines)).toEqual([
      { action: 'reset', times: 1 },
      { action: 'status', method: 'GET', status: 500 },
    ]);
    expect(parseFaults(json)).toEqual(parseFaults(lines));
    expect(parseFaults('{"status":500,"body":{"a":1}}')).toEqual([{ action: 'status', status: 500, body: '{"a":1}' }]);
    expect(faultsOf(['reset', { status: 429, retryAfter: 2 }])).toEqual([
      { action: 'reset' },
      { action: 'status', status: 429, retryAfter: '2' },
    ]);
    expect(() => parseFaults('[1]')).toThrow('1 is not a fault');
    expect(() => parseFaults('[{"status":500,]')).toThrow('not JSON');
  });
});

describe('the documentation', () => {
  const text = readFileSync(new URL('../../../../docs/offline-service.md', import.meta.url), 'utf8');

  test('shows valid faults', () => {
    const shown = [...text.matchAll(/--fault '([^']+)'/g)].map(([, fault = '']) => fault);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.map(parseFault)).toMatchObject([
      { action: 'status', status: 503, method: 'POST', path: '/v1/licenses', every: 3, times: 2 },
      { action: 'reset', when: 'after', method: 'POST' },
      { action: 'latency', latency: 200, path: '/v1/users/**' },
    ]);
  });

  test('names each part of a fault', () => {
    const parts = /As JSON the parts are ([^.]+)\./.exec(text)?.[1] ?? '';
    expect([...parts.matchAll(/`(\w+)`/g)].map(([, part]) => part).sort()).toEqual(
      'action status retryAfter body latency pause type rate burst when method path as where every skip percent times'
        .split(' ')
        .sort(),
    );
    expect(() => parseFault('x=1')).toThrow(
      'it has action, method, path, as, where, when, status, retryAfter, body, latency, pause, type, rate, burst, every, skip, percent, times',
    );
  });
});

describe('the choice of requests', () => {
  const hits = (fault: Fault, requests: readonly (readonly [string, string])[]): boolean[] => {
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add([fault]);
    return requests.map(([method, path]) => plan.next({ method, path, query: '' }, 0).length > 0);
  };
  const gets = (count: number) => Array.from({ length: count }, () => ['GET', '/v1/books'] as const);

  test('affects every Nth match, after the skipped ones, a number of times', () => {
    expect(hits({ action: 'reset', every: 2 }, gets(5))).toEqual([false, true, false, true, false]);
    expect(hits({ action: 'reset', skip: 1, times: 2 }, gets(5))).toEqual([false, true, true, false, false]);
    expect(hits({ action: 'reset', skip: 1, every: 2, times: 1 }, gets(6))).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  test('matches by method and by path, segment by segment', () => {
    const requests = [
      ['GET', '/v1/licenses'],
      ['GET', '/v1/licenses/7'],
      ['GET', '/v1/licenses/7/activations'],
      ['DELETE', '/v1/licenses/7'],
    ] as const;
    expect(hits({ action: 'reset', path: '/v1/licenses/*' }, requests)).toEqual([false, true, false, true]);
    expect(hits({ action: 'reset', path: '/v1/licenses/**' }, requests)).toEqual([false, true, true, true]);
    expect(hits({ action: 'reset', method: 'DELETE' }, requests)).toEqual([false, false, false, true]);
    expect(hits({ action: 'reset', path: '/v1.licenses' }, requests)).toEqual([false, false, false, false]);
  });

  test('does not count a request that another fault broke, and returns the count of each', () => {
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add([
      { action: 'reset', times: 1 },
      { action: 'status', status: 500 },
      { action: 'latency', latency: 5 },
    ]);
    expect(plan.next({ method: 'GET', path: '/v1/books', query: '' }, 0).map(({ action }) => action)).toEqual([
      'reset',
      'latency',
    ]);
    expect(plan.next({ method: 'GET', path: '/v1/books', query: '' }, 0).map(({ action }) => action)).toEqual([
      'status',
      'latency',
    ]);
    expect(plan.state().map(({ met, hit }) => [met, hit])).toEqual([
      [2, 1],
      [1, 1],
      [2, 2],
    ]);
    plan.clear();
    expect(plan.next({ method: 'GET', path: '/v1/books', query: '' }, 0)).toEqual([]);
  });

  test('plays a dead cursor only on requests that have one', () => {
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add([{ action: 'dead-cursor', times: 1 }]);
    expect(plan.next({ method: 'GET', path: '/v1/books', query: '' }, 0)).toEqual([]);
    expect(plan.next({ method: 'GET', path: '/v1/books', query: 'cursor=x' }, 0)).toHaveLength(1);
  });
});

describe('playing faults', () => {
  const ANSWER = '{"books":[],"paging":{"nextCursor":null}}';

  function rehearsal(...faults: Fault[]) {
    const seen: string[] = [];
    const waits: number[] = [];
    const inner: Send = async ({ url }) => {
      seen.push(new URL(url).search);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: ANSWER };
    };
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add(faults);
    const send = withFaults(inner, {
      callerOf: () => undefined,
      plan,
      basePath: '/base',
      wait: async (milliseconds) => void waits.push(milliseconds),
      ...AROUND,
    });
    const get = (query = ''): Promise<HttpResponse> => {
      const request: HttpRequest = { method: 'GET', url: `http://127.0.0.1:1/base/v1/books${query}`, headers: {} };
      return send(request);
    };
    return { get, seen, waits };
  }

  test('a status replaces the work, with its Retry-After', async () => {
    const { get, seen } = rehearsal({ action: 'status', status: 503, retryAfter: '2', path: '/v1/books', times: 1 });
    const response = await get();
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(seen).toEqual([]);
    expect((await get()).status).toBe(200);
  });

  test('a status after the work hides that it was carried out', async () => {
    const { get, seen } = rehearsal({ action: 'status', status: 500, when: 'after' });
    expect((await get()).status).toBe(500);
    expect(seen).toHaveLength(1);
  });

  test('a body of HTML has that content type', async () => {
    const { get } = rehearsal({ action: 'status', status: 200, body: '<h1>Sign in to the hotel</h1>' });
    const response = await get();
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).toBe('<h1>Sign in to the hotel</h1>');
  });

  test('a reset happens before or after the work', async () => {
    const before = rehearsal({ action: 'reset' });
    await expect(before.get()).rejects.toThrow('before anything was done');
    expect(before.seen).toHaveLength(0);
    const after = rehearsal({ action: 'reset', when: 'after' });
    await expect(after.get()).rejects.toThrow('after the work was done');
    expect(after.seen).toHaveLength(1);
  });

  test('a truncated response announces its whole length and breaks midway', async () => {
    const { get } = rehearsal({ action: 'truncate' });
    const response = await get();
    expect(response.headers['content-length']).toBe(String(ANSWER.length));
    const chunks: Uint8Array[] = [];
    await expect(
      (async () => {
        for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
      })(),
    ).rejects.toThrow('in the middle of the answer');
    expect(Buffer.concat(chunks).toString()).toBe(ANSWER.slice(0, 20));
  });

  test('a response without a body is dropped instead of truncated', async () => {
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add([{ action: 'truncate' }]);
    const send = withFaults(async () => ({ status: 204, headers: {}, body: '' }), {
      callerOf: () => undefined,
      plan,
      basePath: '',
      ...AROUND,
      wait: async () => {},
    });
    await expect(send({ method: 'DELETE', url: 'http://127.0.0.1:1/v1/licenses/1', headers: {} })).rejects.toThrow(
      'in the middle of the answer',
    );
  });

  test('a dead cursor reaches the service as one that it did not issue', async () => {
    const { get, seen } = rehearsal({ action: 'dead-cursor' });
    await get('?cursor=abc%3D&limit=5');
    await get('?limit=5');
    expect(seen).toEqual(['?cursor=dead&limit=5', '?limit=5']);
  });

  test('latencies add up, and the request is carried out', async () => {
    const { get, waits } = rehearsal({ action: 'latency', latency: 30 }, { action: 'status', status: 500, latency: 5 });
    expect((await get()).status).toBe(500);
    expect(waits).toEqual([35]);
    expect(await readBytes((await get()).body, 1000)).toBeDefined();
  });
});
