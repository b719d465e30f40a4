import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type HttpRequest, readBytes, type Send } from '../../../../src/core/http.js';
import { FaultPlan } from '../../../../src/service/serve/fault-plan.js';
import { type Fault, faultsOf, parseFault, parseFaults } from '../../../../src/service/serve/faults.js';
import { withFaults } from '../../../../src/service/serve/faulty.js';
import { OptionError } from '../../../../src/service/serve/option-values.js';
import { hasMembers } from '../../../../src/service/serve/request-pattern.js';
import type { Store } from '../../../../src/service/store/store.js';
import { made } from '../demo-service.js';

describe('a fault rule', () => {
  test.each([
    [
      'POST /v1/licenses status=503 retry-after=1 every=3 times=2',
      { action: 'status', method: 'POST', path: '/v1/licenses', status: 503, retryAfter: '1', every: 3, times: 2 },
    ],
    ['503 every=5', { action: 'status', status: 503, every: 5 }],
    ['reset when=after', { action: 'reset', when: 'after' }],
    ['latency=250 /v1/**', { action: 'latency', latency: 250, path: '/v1/**' }],
    ['get dead-cursor skip=1', { action: 'dead-cursor', method: 'GET', skip: 1 }],
    ['status=200 body=<h1>Sign in</h1> a=b', { action: 'status', status: 200, body: '<h1>Sign in</h1> a=b' }],
    ['503 where.a.b=1 where.c=x', { action: 'status', status: 503, where: { a: { b: '1' }, c: 'x' } }],
  ])('%s', (line, fault) => {
    expect(parseFault(line)).toEqual(fault);
  });

  test('reads members from text: numbers and booleans too, but no longer texts, lists or null', () => {
    for (const [text, value] of [['5', 5] as const, ['true', true] as const, ['x', 'x'] as const]) {
      expect(hasMembers({ a: text }, { a: value, b: 1 })).toBe(true);
      expect(hasMembers({ a: `${text}0` }, { a: value })).toBe(false);
    }
    expect([null, ['x'], {}].map((value) => hasMembers(String(value), value))).toEqual([false, false, false]);
  });

  test.each([
    ['', 'needs an action'],
    ['explode', 'action must be one of status, reset'],
    ['status=99', 'status must be at least 200, not 99'],
    ['status=600', 'status must be at most 599, not 600'],
    ['status=5xx', 'status must be a number, not "5xx"'],
    ['status', 'needs the status'],
    ['latency', 'needs milliseconds'],
    ['latency=1000000001', 'latency must be at most 1000000000'],
    ['503 percent=0', 'percent must be at least 1'],
    ['reset every=0', 'every must be at least 1'],
    ['reset times=-1', 'times must be at least 1'],
    ['reset colour=red', 'colour is unknown'],
    ['reset when=later', 'when must be one of before, after'],
    ['reset reset', '"action" is given twice'],
    ['503 where=x', 'where "x" cannot be used'],
    ['status=503 path=v1/books', 'no endpoint is v1/books'],
    ['GET /v1/licences 503', 'no endpoint is GET /v1/licences'],
    ['POST /v1/account 503', 'no endpoint is POST /v1/account'],
    ['/v1/user/** 503', 'no endpoint is /v1/user/**'],
    ['reset status=503', 'a fault with the action reset has no use for "status"'],
    ['truncate when=after', 'a fault with the action truncate has no use for "when"'],
  ])('is refused: %j', (line, message) => {
    expect(() => parseFault(line)).toThrow(OptionError);
    expect(() => parseFault(line)).toThrow(message);
  });

  test.each([
    'GET /v1/licenses/*',
    'PUT /v1/licenses/7/cancel',
    '/v1/schools/s1/**',
    '/v1/**/classes',
    '/v1/lic**',
    '/**',
    'POST /login/oauth/access_token',
    'GET /v1/licenses/code/*?x=1',
    'HEAD',
  ])('may be about %s', (target) => {
    expect(() => parseFault(`${target} 503`)).not.toThrow();
  });

  test('may be a line of a file, or an object', () => {
    expect(parseFaults('# the morning\n\nreset times=1\n  GET status=500  \n')).toEqual([
      { action: 'reset', times: 1 },
      { action: 'status', method: 'GET', status: 500 },
    ]);
    expect(faultsOf(['reset', { status: 429, retryAfter: 2, body: { a: 1 } }])).toEqual([
      { action: 'reset' },
      { action: 'status', status: 429, retryAfter: '2', body: '{"a":1}' },
    ]);
    expect(() => faultsOf([1])).toThrow('the fault 1 cannot be used');
  });

  test('has the parts that the documentation names', () => {
    const text = readFileSync(new URL('../../../../docs/offline-service.md', import.meta.url), 'utf8');
    const shown = [...text.matchAll(/--fault '([^']+)'/g)].map(([, fault = '']) => parseFault(fault));
    expect(shown.length).toBeGreaterThan(2);
    const parts = /an object with the parts ([^.]+)\./.exec(text)?.[1] ?? '';
    for (const [, part = ''] of parts.matchAll(/`(\w+)`/g))
      expect(() => faultsOf({ [part]: Symbol('odd') })).not.toThrow(`${part} is unknown`);
  });
});

describe('the choice of requests', () => {
  const planOf = (...faults: Fault[]) => {
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add(faults);
    return plan;
  };
  const hits = (fault: Fault, requests: readonly (readonly [string, string])[]): boolean[] => {
    const plan = planOf(fault);
    return requests.map(([method, path]) => plan.next({ method, path, query: '' }, 0).length > 0);
  };
  const gets = (count: number) => Array.from({ length: count }, () => ['GET', '/v1/books'] as const);

  test('affects every Nth match, after the skipped ones, a number of times', () => {
    expect(hits({ action: 'reset', every: 2 }, gets(5))).toEqual([false, true, false, true, false]);
    expect(hits({ action: 'reset', skip: 1, times: 2 }, gets(5))).toEqual([false, true, true, false, false]);
    expect(hits({ action: 'reset', skip: 1, every: 2, times: 1 }, gets(5))).toEqual([false, false, true, false, false]);
  });

  test('limits the rate also after the clock was set back', () => {
    const plan = planOf({ action: 'rate-limit', rate: 1, burst: 1 });
    const next = (now: number) => plan.next({ method: 'GET', path: '/v1/books', query: '' }, now);
    expect([next(86_400_000), next(0), next(1000)]).toEqual([[], [expect.objectContaining({ waitMs: 1000 })], []]);
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
    const plan = planOf(
      { action: 'reset', times: 1 },
      { action: 'status', status: 500 },
      { action: 'latency', latency: 5 },
    );
    const next = () => plan.next({ method: 'GET', path: '/v1/books', query: '' }, 0).map(({ action }) => action);
    expect([next(), next()]).toEqual([
      ['reset', 'latency'],
      ['status', 'latency'],
    ]);
    expect(plan.state().map(({ met, hit }) => [met, hit])).toEqual([
      [2, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  test.each([
    ['GET /v1/licenses?type=TEACHER 503', [200, 503, 200, 200]],
    ['as=school 503', [200, 200, 503, 200]],
    ['as=u3 503', [200, 200, 503, 200]],
    ['POST where.code=abc where.expiration.days=30 503', [200, 200, 200, 503]],
    ['POST where.code=other 503', [200, 200, 200, 200]],
    ['503 percent=50', [200, 503, 200, 503]],
  ])('%s', async (fault, expected) => {
    const { service, call, post } = await made({ faults: [fault], randomSeed: 1 });
    const expiration = { type: 'Days', days: 30 };
    const licence = { name: 'N', type: 'Books', maximumActivations: 1, books: ['B1'], code: 'abc', expiration };
    const answers = [
      await call('/v1/licenses?type=BOOKS'),
      await call('/v1/licenses?type=TEACHER'),
      await call('/v1/account', { headers: { authorization: `Bearer ${service.personas.school}` } }),
      await post('/v1/licenses', licence),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });

  test('a path with an e-mail address affects requests that encode it', async () => {
    const { call } = await made({ faults: ['GET /v1/users/userId/ada@example.org 503'] });
    expect((await call('/v1/users/userId/ada%40example.org')).status).toBe(503);
  });

  test('a fault for an unknown user is refused, and leaves the others as they are', async () => {
    const { service } = await made({ faults: ['503'] });
    expect(() => service.addFaults('500', 'as=shcool 503')).toThrow('no persona or user is shcool');
    expect(service.faults()).toHaveLength(1);
    await expect(made({ faults: ['as=shcool 503'] })).rejects.toThrow('no persona or user is shcool');
  });
});

describe('playing faults', () => {
  const ANSWER = '{"books":[],"paging":{"nextCursor":null}}';

  function rehearsal(faults: readonly Fault[], inner = { status: 200, body: ANSWER }) {
    const seen: string[] = [];
    const bodies: HttpRequest['body'][] = [];
    const waits: number[] = [];
    const send: Send = async ({ url, body }) => {
      seen.push(new URL(url).search);
      bodies.push(body);
      return { ...inner, headers: { 'content-type': 'application/json' } };
    };
    const plan = new FaultPlan(() => new Uint8Array(4));
    plan.add(faults);
    const faulty = withFaults(send, {
      callerOf: () => undefined,
      plan,
      basePath: '/base',
      wait: async (milliseconds) => void waits.push(milliseconds),
      now: () => 0,
      store: undefined as unknown as Store,
    });
    const get = (query = '') => {
      const request: HttpRequest = { method: 'GET', url: `http://127.0.0.1:1/base/v1/books${query}`, headers: {} };
      return faulty(request);
    };
    return { get, faulty, seen, bodies, waits };
  }

  test.each<readonly [string, count: number, type: string | undefined]>([
    ['503 retry-after=2', 0, 'application/json; charset=utf-8'],
    ['500 when=after', 1, 'application/json; charset=utf-8'],
    ['200 body=<h1>Sign in to the hotel</h1>', 0, 'text/html; charset=utf-8'],
  ])('%s', async (line, count, type) => {
    const fault = parseFault(line);
    const { get, seen } = rehearsal([fault]);
    const { status, headers, body } = await get();
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([fault.status, fault.retryAfter, type]);
    if (fault.body !== undefined) expect(body).toBe(fault.body);
    expect(seen).toHaveLength(count);
  });

  test('a reset happens before or after the work', async () => {
    for (const [line, count, message] of [
      ['reset', 0, 'before anything was done'],
      ['reset when=after', 1, 'after the work was done'],
    ] as const) {
      const { get, seen } = rehearsal([parseFault(line)]);
      await expect(get()).rejects.toThrow(message);
      expect(seen).toHaveLength(count);
    }
  });

  test('a truncated response announces its whole length and breaks midway; an empty one is lost', async () => {
    const response = await rehearsal([{ action: 'truncate' }]).get();
    expect(response.headers['content-length']).toBe(String(ANSWER.length));
    const chunks: Uint8Array[] = [];
    await expect(
      (async () => {
        for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
      })(),
    ).rejects.toThrow('in the middle of the answer');
    expect(Buffer.concat(chunks).toString()).toBe(ANSWER.slice(0, 20));
    const empty = rehearsal([{ action: 'truncate' }], { status: 204, body: '' });
    await expect(empty.get()).rejects.toThrow('in the middle of the answer');
  });

  test('a fault that depends on a body reads those with JSON, and leaves uploads streams', async () => {
    const { faulty, bodies } = rehearsal([parseFault('503 where.code=abc')]);
    async function* streamOf(text: string): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    }
    const url = 'http://127.0.0.1:1/base/v1/files';
    for (const type of ['application/json', 'multipart/form-data; boundary=b'])
      await faulty({ method: 'POST', url, headers: { 'content-type': type }, body: streamOf('{}') });
    expect(bodies.map((body) => body instanceof Uint8Array)).toEqual([true, false]);
  });

  test('a dead cursor reaches the service as one that it did not issue', async () => {
    const { get, seen } = rehearsal([{ action: 'dead-cursor', times: 1 }]);
    await get('?limit=5');
    await get('?cursor=abc%3D&limit=5');
    expect(seen).toEqual(['?limit=5', '?cursor=dead&limit=5']);
  });

  test('latencies add up, and the request is carried out', async () => {
    const { get, waits } = rehearsal([
      { action: 'latency', latency: 30 },
      { action: 'status', status: 500, latency: 5 },
    ]);
    const { status, body } = await get();
    expect([status, waits]).toEqual([500, [35]]);
    expect(await readBytes(body, 1000)).toBeDefined();
  });

  /** The name, message and code of the error of a call, and of the reading of its body. */
  async function failureOf(call: () => Promise<Response>): Promise<readonly unknown[]> {
    const error = await call()
      .then((response) => response.text())
      .catch((reason: unknown) => reason);
    if (!(error instanceof Error)) return [error];
    const { cause } = error as { cause?: { code?: unknown } };
    return [error.name, error.message, cause?.code];
  }

  test('fails in process as over a socket, and like the network for other origins and after close()', async () => {
    const { service, call } = await made();
    const { baseUrl } = await service.listen();
    const headers = { authorization: `Bearer ${service.personas.distributor}` };
    for (const fault of ['reset', 'reset when=after', 'truncate']) {
      service.clearFaults();
      service.addFaults(`GET /v1/account ${fault}`);
      const overSocket = await failureOf(() => fetch(`${baseUrl}/v1/account`, { headers }));
      expect(overSocket).not.toHaveLength(1);
      expect(await failureOf(() => call('/v1/account'))).toEqual(overSocket);
    }
    const elsewhere = () => service.fetch('http://elsewhere.test/');
    expect(await failureOf(elsewhere)).toEqual(['TypeError', 'fetch failed', 'ENOTFOUND']);
    await service.close();
    expect(await failureOf(() => call('/v1/account'))).toEqual(['TypeError', 'fetch failed', 'ECONNREFUSED']);
  });
});
