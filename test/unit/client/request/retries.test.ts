import { expect, test } from 'vitest';
import { account } from '../../../../src/contract/account.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { readers } from '../../../../src/contract/readers.js';
import { users } from '../../../../src/contract/users.js';
import type { Step } from '../../../support/scripted-send.js';
import { bench, failure, lost } from '../support.js';

const CLASS = { classId: '7', className: 'A', classCode: 'x', subjectId: '1', usersInClass: null };
const newClass = { body: { subjectId: '1', schoolId: '2', name: 'A' } };

const PASSING: readonly (readonly [string, Step])[] = [
  ['a reset', lost()],
  ['a connection refused', lost({ sent: false })],
  ['a time-out', lost({ timedOut: true })],
  ...[408, 429, 500, 502, 503, 504, 507, 520, 529].map((status) => [`a ${status}`, { status }] as const),
];

test.each(PASSING)('repeats a read after %s', async (_, step) => {
  const { client, lines, clock } = bench([step, step, { body: { id: '1', email: 'a@b.example' } }]);
  expect(await client.call(account.show, {})).toEqual({ id: '1', email: 'a@b.example' });
  expect(lines()).toEqual(['GET /v1/account', 'GET /v1/account', 'GET /v1/account']);
  expect(clock.waits).toEqual([250, 500]);
});

test.each([400, 401, 404, 409, 413, 422, 418, 501, 505])('repeats no read after %i', async (status) => {
  const { client, lines } = bench([{ status }]);
  await failure(client.call(account.show, {}));
  expect(lines()).toHaveLength(1);
});

test.each([
  [{ status: 503 }, 'unavailable', 7],
  [{ status: 408 }, 'unavailable', 7],
  [{ status: 429 }, 'unavailable', 7],
  [{ status: 500 }, 'server_error', 1],
  [{ status: 502 }, 'server_error', 1],
  [lost(), 'unreachable', 7],
  [lost({ sent: false }), 'unreachable', 7],
] as const)('reports %j after three retries as %s, exit %i', async (step, kind, exitCode) => {
  const { client, lines, clock } = bench([step]);
  expect(await failure(client.call(account.show, {}))).toMatchObject({
    kind,
    exitCode,
    method: 'GET',
    path: '/v1/account',
    hint: expect.stringMatching(
      kind === 'server_error' ? /^Run the command again later/ : /safe to run the command again/,
    ),
  });
  expect(lines()).toHaveLength(4);
  expect(clock.waits).toEqual([250, 500, 1000]);
});

test('honours Retry-After, in seconds and as a date', async () => {
  const { client, clock } = bench(
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' } },
      { body: { id: '1' } },
    ],
    { maxWaitMs: 60_000 },
  );
  await client.call(account.show, {});
  // It is noon; after the first wait of 7 s, 23 s are left until the date.
  expect(clock.waits).toEqual([7000, 23_000]);
});

test('retries during an outage until --max-wait has passed, whatever Retry-After is', async () => {
  for (const seconds of ['3600', '50']) {
    const { client, clock } = bench([{ status: 503, headers: { 'retry-after': seconds } }], { maxWaitMs: 120_000 });
    const error = await failure(client.call(account.show, {}));
    expect(error).toMatchObject({ kind: 'unavailable', exitCode: 7, hint: expect.stringContaining(`${seconds} s`) });
    expect(clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(120_000);
  }
});

test('waits for a service that recovers within --max-wait, with any number of requests', async () => {
  const away = Array(12).fill({ status: 503 });
  const { client, clock } = bench([...away, lost(), { status: 429 }, { body: { id: '1' } }], { maxWaitMs: 1_800_000 });
  expect(await client.call(account.show, {})).toMatchObject({ id: '1' });
  expect(clock.waits).toHaveLength(14);
  expect(Math.max(...clock.waits)).toBeLessThanOrEqual(15_000);
});

test('backs off for "Retry-After: 0" as without Retry-After', async () => {
  const { client, clock } = bench(
    [...Array(5).fill({ status: 429, headers: { 'retry-after': '0' } }), { body: { id: '1' } }],
    { maxWaitMs: 60_000 },
  );
  await client.call(account.show, {});
  expect(clock.waits[0]).toBeGreaterThanOrEqual(250);
  expect(clock.waits[4]).toBeGreaterThanOrEqual(4000);
});

const CUT = { status: 200, body: '{"id":"1","email"', headers: { 'content-type': 'application/json' } };
const REFUSED = lost({ sent: false }, 'nothing listens');

test.each<[string, number | undefined, readonly Step[], number]>([
  ['a 503', 2, [{ status: 503 }], 3],
  ['a 429 with Retry-After', 2, [{ status: 429, headers: { 'retry-after': '1' } }], 3],
  ['a 500', 1, [{ status: 500 }], 2],
  ['a reset', 2, [lost()], 3],
  ['a refused connection', 2, [REFUSED], 3],
  ['invalid responses and failures together', 2, [{ status: 503 }, CUT, { status: 503 }, CUT], 3],
  ['a 503 with no retries', 0, [{ status: 503 }], 1],
  ['a 500 with no retries', 0, [{ status: 500 }], 1],
  ['a reset with no retries', 0, [lost()], 1],
  ['a refused connection with no retries', 0, [REFUSED], 1],
  // The address is probably wrong.
  ['a refused connection before the first response', undefined, [REFUSED], 4],
  ['a response that is not HTTP, the first', undefined, [lost({ isInvalid: true })], 4],
])(
  'sends as many attempts as --retries allows, however long --max-wait is: %s',
  async (_, retries, script, attempts) => {
    const { client, lines } = bench(script, { maxWaitMs: 1_800_000, ...(retries === undefined ? {} : { retries }) });
    await failure(client.call(account.show, {}));
    expect(lines()).toHaveLength(attempts);
  },
);

test('sends as many attempts as a call allows', async () => {
  const { client, lines } = bench([{ status: 503 }]);
  await failure(client.call(account.show, {}, { retries: 0 }));
  expect(lines()).toHaveLength(1);
});

test('takes refused connections for an outage after a response', async () => {
  const { client, lines } = bench([{ body: { id: '1' } }, ...Array(9).fill(REFUSED), { body: { id: '1' } }], {
    maxWaitMs: 1_800_000,
  });
  await client.call(account.show, {});
  await client.call(account.show, {});
  expect(lines()).toHaveLength(11);
});

test('repeats a read whose response is invalid, but no write', async () => {
  const { client, lines } = bench([CUT, { body: { id: '1' } }]);
  expect(await client.call(account.show, {})).toMatchObject({ id: '1' });
  expect(lines()).toHaveLength(2);
  const broken = bench([CUT]);
  expect(await failure(broken.client.call(account.show, {}))).toMatchObject({ kind: 'invalid_response' });
  expect(broken.lines()).toHaveLength(3);
});

test('names the request of a response that was cut, for a read and for a write', async () => {
  async function* cut() {
    yield Buffer.from('{"id":');
    throw lost({ isCut: true });
  }
  const step = () => ({ headers: { 'x-request-id': 'req-7' }, body: cut() });
  const of = (call: () => Promise<unknown>) => failure(call());
  const read = bench(step, { retries: 0 }).client;
  const message = 'the connection was closed before the response was complete [request req-7]';
  expect(await of(() => read.call(account.show, {}))).toMatchObject({
    kind: 'unreachable',
    message,
    requestId: 'req-7',
  });
  const write = bench(step).client;
  expect(await of(() => write.call(classes.create, newClass))).toMatchObject({
    kind: 'outcome_unknown',
    message: `it may have been carried out: ${message}`,
    requestId: 'req-7',
  });
});

test('treats 404 to the second attempt of a delete as a success', async () => {
  const { client } = bench([lost(), { status: 404 }]);
  expect(await client.call(licenses.delete, { params: { id: '7' } })).toBeUndefined();
  const second = bench([{ status: 502 }, { status: 404 }]);
  expect(await second.client.call(users.anonymize, { params: { id: '7' } })).toBeUndefined();
  const third = bench([lost(), { status: 404 }]);
  expect(await third.client.call(classes.delete, { params: { id: '7' } })).toEqual({ classId: '7' });
});

test('reports 404 to the first attempt of a delete, even after a 429 or a refused connection', async () => {
  for (const step of [{ status: 429 }, lost({ sent: false })]) {
    const { client } = bench([step, { status: 404 }]);
    expect(await failure(client.call(licenses.delete, { params: { id: '7' } }))).toMatchObject({
      kind: 'not_found',
      exitCode: 5,
    });
  }
});

test('reports 404 to the second attempt of a write that removes nothing', async () => {
  const { client } = bench([lost(), { status: 404 }]);
  expect(await failure(client.call(licenses.get, { params: { id: '7' } }))).toMatchObject({ kind: 'not_found' });
});

test('says, when a second attempt is refused, that the first may have been carried out', async () => {
  const { client } = bench([lost(), { status: 400, body: { message: 'cancelled already' } }]);
  const error = await failure(client.call(licenses.cancel, { params: { id: '7' } }));
  expect(error).toMatchObject({ kind: 'refused', status: 400, hint: expect.stringContaining('may have succeeded') });
  expect(error.message).toContain('cancelled already');
});

test.each([
  ['a reset', lost(), 'the connection was closed'],
  ['a time-out', lost({ timedOut: true }), 'the connection was closed'],
  ['a 500', { status: 500, body: { message: 'oh' } }, 'the service returned 500: oh'],
  ['a 502', { status: 502 }, 'the service returned 502: Bad Gateway'],
  ['a 503', { status: 503, headers: { 'retry-after': '0' } }, 'the service returned 503: Service Unavailable'],
])('never repeats an unkeyed create after %s: its outcome is unknown', async (_, step, why) => {
  const { client, lines } = bench([step, { body: CLASS }]);
  const error = await failure(client.call(classes.create, newClass));
  const message = `it may have been carried out: ${why}`;
  expect(error).toMatchObject({ kind: 'outcome_unknown', exitCode: 1, method: 'POST', path: '/v1/classes', message });
  expect(error.hint).toContain('edu classes list --school');
  expect(lines().filter((line) => line.startsWith('POST'))).toHaveLength(1);
});

test('treats PUT readers as a create', async () => {
  const body = { title: 'x', subject: '1', language: 'EN', fileId: 'f' } as const;
  const { client, lines } = bench([lost()]);
  expect(await failure(client.call(readers.createFromFile, { body }))).toMatchObject({ kind: 'outcome_unknown' });
  expect(lines().filter((line) => line.startsWith('PUT'))).toHaveLength(1);
});

test('treats an interrupted upload as not stored', async () => {
  const { client, lines } = bench([lost({ incomplete: true })]);
  expect(await failure(client.call(classes.create, newClass))).toMatchObject({ kind: 'unreachable', exitCode: 7 });
  expect(lines()).toHaveLength(1);
});

test('repeats an attempt that times out', async () => {
  let clock: { expire(): void } | undefined;
  const {
    client,
    clock: moved,
    sent,
  } = bench([], {
    send: (request) =>
      new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(lost()));
        queueMicrotask(() => clock?.expire());
      }),
  });
  clock = moved;
  const error = await failure(client.call(account.show, {}));
  expect(error).toMatchObject({ kind: 'unreachable', exitCode: 7 });
  expect(error.message).toBe('no complete response arrived within 30 s (tried 4 times)');
  expect(error.hint).toContain('--timeout');
  expect(sent).toEqual([]);
  expect(moved.limits()).toBe(0);
});

test('aborts an attempt that times out, and neither one beside it nor a later one', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const body = JSON.stringify({ id: '1' });
  const { client, clock } = bench([], {
    send: ({ signal }) => {
      const isHeld = signals.push(signal) === 2;
      if (!isHeld) return Promise.resolve({ status: 200, headers: {}, body });
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(lost()));
      });
    },
  });
  await client.call(account.show, {});
  const held = client.call(account.show, {});
  await client.call(account.show, {});
  clock.expire();
  await held;
  await client.call(account.show, {});
  expect(signals.slice(1).map((signal) => signal?.aborted)).toEqual([true, false, false, false]);
});

test('traces every attempt and every wait, without secrets', async () => {
  const events: unknown[] = [];
  const waits: unknown[] = [];
  const { client } = bench(
    [
      { status: 503, headers: { 'x-request-id': 'r1' } },
      lost({}, 'reset while sending tok-17'),
      { body: { id: '1' }, headers: { 'x-request-id': 'r2-tok-17' } },
    ],
    { trace: (event) => events.push(event), onWait: (reason) => waits.push(reason) },
  );
  await client.call(account.show, {});
  expect(waits).toEqual(['503', 'no response']);
  expect(events).toMatchObject([
    { method: 'GET', url: 'https://api.example/v1/account', attempt: 1, status: 503, requestId: 'r1', durationMs: 0 },
    { attempt: 1, status: 503, note: 'retrying in 250 ms: status 503' },
    { attempt: 2, error: 'reset while sending ***' },
    { attempt: 2, note: 'retrying in 500 ms: reset while sending ***' },
    { attempt: 3, status: 200, requestId: 'r2-***' },
  ]);
  expect(JSON.stringify(events)).not.toContain('tok-17');
});
