/** What support needs: the log of `--debug`, IDs of requests, `traceparent`. */
import { expect, test } from 'vitest';
import { home, run } from '../support/run.js';
import { type Answers, scriptedService, TOKEN } from '../support/scripted-service.js';

const LINE = 'GET /v1/licenses/L1';
const GET = ['licenses', 'get', 'id:L1'];
const FAILS: Answers = { [LINE]: { status: 400, headers: { 'x-request-id': 'req-7' }, body: { message: TOKEN } } };
const NOW = Date.parse('2031-02-03T04:05:06.789Z');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-00`;

let bytes = 0;
const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => ++bytes % 256);

async function failing(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const service = await scriptedService(FAILS);
  const ran = await run([...GET, ...words], {
    env: { ...home(), ...service.env, ...env },
    now: () => NOW,
    randomBytes,
  });
  return { ...ran, headers: service.requests.map(({ headers }) => headers.traceparent), service };
}

test('--debug prints time, duration, request ID and traceparent of each request', async () => {
  const { stderr, headers, service } = await failing(['--debug']);
  const url = `${service.baseUrl}/v1/licenses/L1`;
  const [first = ''] = stderr.split('\n');
  expect(first.replace(/\d+ ms/, 'N ms')).toBe(
    `debug: 2031-02-03T04:05:06.789Z GET ${url} · 400 · N ms · request req-7 · traceparent ${headers[0]}`,
  );
});

test.each([
  [['--debug=json'], {}],
  [[], { EDU_DEBUG: 'json' }],
])('%j %j prints an object a line, without secrets', async (words, env) => {
  const { stderr, headers, service } = await failing([...words, '--json'], env);
  const [attempt, error] = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(attempt).toEqual({
    time: '2031-02-03T04:05:06.789Z',
    level: 'debug',
    method: 'GET',
    url: `${service.baseUrl}/v1/licenses/L1`,
    attempt: 1,
    status: 400,
    requestId: 'req-7',
    traceparent: headers[0],
    durationMs: expect.any(Number),
  });
  expect(error.error).toMatchObject({ kind: 'not_found', requestId: 'req-7' });
  expect(stderr).not.toContain(TOKEN);
});

test.each([
  [
    ['licenses', 'list', '--limit', '1', '-o', 'ids'],
    [{ level: 'info', message: expect.stringContaining('cut by --limit') }],
  ],
  [['licenses', 'get', 'id:nope'], [{ error: { kind: 'not_found' } }]],
  [['licenses', 'list', '--limit', '0'], [{ error: { kind: 'usage' } }]],
  [['licenses', 'list', '--limitt'], [{ error: { kind: 'usage' } }]],
])('--debug=json makes every line of stderr an object: %j', async (line, expected) => {
  const { stderr } = await run([...line, '--offline', '--debug=json'], { env: home(), now: () => NOW });
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(lines.filter(({ level }) => level !== 'debug')).toMatchObject(expected);
});

test('--debug=yaml is a usage error', async () => {
  const { code, stderr } = await failing(['--debug=yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain('--debug is on or off: it takes no value but json, true or false.');
});

test.each([
  ['continues that of the environment', PARENT, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`)],
  [
    'continues one of a later version',
    `cc-${TRACE}-00f067aa0ba902b7-01-x`,
    new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`),
  ],
  ['is fresh without one', '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/],
  [
    'is fresh for an invalid one',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    /^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/,
  ],
])('the traceparent %s', async (_, TRACEPARENT, expected) => {
  const service = await scriptedService({
    [LINE]: { status: 404, body: '' },
    'GET /v1/licenses/code/l1': { status: 404, body: '' },
    '*': { body: { licenses: [], paging: {} } },
  });
  await run(['licenses', 'get', 'L1'], { env: { ...home(), ...service.env, TRACEPARENT }, randomBytes });
  const sent = service.requests.map(({ headers }) => String(headers.traceparent));
  expect(sent.length).toBeGreaterThan(1);
  for (const one of sent) expect(one).toMatch(expected);
  expect(new Set(sent).size).toBe(sent.length);
  expect(new Set(sent.map((one) => one.slice(3, 35))).size).toBe(1);
});

test('a header of `edu api` wins over the traceparent', async () => {
  const service = await scriptedService({ 'GET /v1/x': { body: {} } });
  await run(['api', 'x', '-H', `traceparent: ${PARENT}`], { env: { ...home(), ...service.env } });
  expect(service.requests[0]?.headers.traceparent).toBe(PARENT);
});
