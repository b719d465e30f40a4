/** Rows without a key whose run is killed, or whose service goes away. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Program, program } from '../bulk/program.js';
import { CLASSES, journalOf, KEYLESS, lines, ONE, ran, SUBSCRIPTIONS, second, served, words } from './unkeyed-cases.js';

describe('kill -9', () => {
  /** Kills a run after a number of creates. */
  async function killed(edu: Program, argv: readonly string[], input: string, arrived: () => boolean): Promise<void> {
    const { child, ended } = edu.start(argv, input);
    while (!arrived()) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGKILL');
    await ended;
  }

  test.each([
    ['after the work: found when the job is resumed', 'after', 0, ['created', 'created', 'created']],
    ['before the work: unknown, not sent again', 'before', 3, ['created', 'unknown', 'created']],
  ] as const)('%s', async (_, when, code, states) => {
    for (const resource of KEYLESS) {
      const server = await served(resource, { fate: second({ silent: when }) });
      server.add(resource.second);
      const edu = program(server.origin);
      const argv = [...resource.argv, ...ONE];
      await killed(edu, argv, resource.rows(3), () => server.creates() === 2);
      const end = await ran(edu, argv, resource.rows(3));
      expect(end, resource.path).toMatchObject({ code, states });
      expect(server.creates()).toBe(3);
      expect(server.things).toHaveLength(when === 'after' ? 4 : 3);
      expect(new Set(end.ids).size).toBe(3);
    }
  });

  test('between the journal entry and the request: `jobs resume` sends the class', async () => {
    const server = await served(CLASSES);
    const edu = program(server.origin);
    const argv = [...CLASSES.argv, ...ONE, '--job', 'autumn'];
    await ran(edu, argv, CLASSES.rows(3));
    const entries = readFileSync(journalOf(edu), 'utf8').trim().split('\n');
    // As if the third row had only been recorded, and its class never created.
    const third = entries.filter((entry) => JSON.parse(entry).row === 3);
    writeFileSync(journalOf(edu), `${entries.filter((entry) => !third.includes(entry)).join('\n')}\n${third[0]}\n`);
    server.things.pop();
    const end = await ran(edu, words('jobs resume autumn'));
    expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
    expect(server.creates()).toBe(4);
  });

  test('with eight equal rows under way: each is found', async () => {
    // A job sends one row at first, and one more at a time for each fast response.
    const server = await served(SUBSCRIPTIONS, {
      fate: (index) => (index >= 12 && index < 20 ? { silent: 'after' } : 'ok'),
      latency: 100,
    });
    const edu = program(server.origin);
    const argv = [...SUBSCRIPTIONS.argv, ...SUBSCRIPTIONS.same, '--count', '28', '--concurrency', '8'];
    await killed(edu, argv, '', () => server.creates() === 20);
    const end = await ran(edu, argv);
    expect(end).toMatchObject({ code: 0, summary: { created: 28, unknown: 0 } });
    expect(server.creates()).toBe(28);
    expect(new Set(end.ids).size).toBe(28);
  });
});

/** EDU_KILLS=100 kills more often than the suite has time for. */
const KILLS = Math.ceil(Number(process.env.EDU_KILLS ?? 20) / 4);

test.each([
  ['rows that differ', (count: number) => [[...CLASSES.argv, '--from', '-'], CLASSES.rows(count)] as const, CLASSES],
  [
    'rows that are the same',
    (count: number) => [[...SUBSCRIPTIONS.argv, ...SUBSCRIPTIONS.same, '--count', String(count)], ''] as const,
    SUBSCRIPTIONS,
  ],
])(
  `kill -9 ${KILLS} times at random moments, %s: each row creates its item once`,
  async (_, lineOf, resource) => {
    const server = await served(resource, { latency: 5 });
    server.add(resource === CLASSES ? { ...CLASSES.second, name: 'Another' } : resource.second);
    const edu = program(server.origin);
    const rows = 60 * KILLS;
    const [argv, input] = lineOf(rows);
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = edu.start([...argv, '--concurrency', '8'], input);
      // Spread over the whole run of the program, the same in every run of this test.
      await new Promise((resolve) => setTimeout(resolve, 150 + ((kill * 37) % 160)));
      child.kill('SIGKILL');
      await ended;
    }
    const end = await ran(edu, argv, input);
    const { created, unknown, left } = end.summary as { created: number; unknown: number; left: number };
    const [old, ...made] = server.things.map(({ classId, id }) => classId ?? id);
    expect(left).toBe(0);
    expect(created + unknown).toBe(rows);
    // Only recorded but unsent rows may be unknown: at most eight per kill.
    expect(unknown).toBeLessThanOrEqual(8 * KILLS);
    const ids = end.ids.filter((id) => id !== null);
    expect(ids.toSorted()).toEqual(made.toSorted());
    expect(ids).not.toContain(old);
    expect(server.creates()).toBe(made.length);
  },
  KILLS * 6000,
);

test('finds a lost row on resume if the service was unreachable before', async () => {
  let isDown = false;
  const server = await served(CLASSES, {
    fate: (index) => {
      if (index !== 1) return isDown ? { status: 503 } : 'ok';
      isDown = true;
      return { reset: 'after' };
    },
    list: () => (isDown ? 503 : 200),
  });
  const edu = program(server.origin);
  const argv = [...CLASSES.argv, '--from', '-', '--concurrency', '4', '--job', 'autumn', '--max-wait', '2s'];
  const down = await ran(edu, argv, CLASSES.rows(12));
  expect(down).toMatchObject({ code: 7, summary: { rejected: 0 }, error: { kind: 'unavailable' } });
  isDown = false;
  const resumed = await ran(edu, words('jobs retry autumn'));
  // After a 503 it is unknown whether a create was carried out: a class that still does not exist is sent again.
  expect(resumed).toMatchObject({ code: 0, summary: { left: 0, rejected: 0, created: 12 } });
  const names = server.things.map(({ className }) => className);
  expect(names).toHaveLength(12);
  expect(new Set(names).size).toBe(12);
}, 30_000);

describe('items that no list shows', () => {
  const person = lines('first-name,last-name,email', 3, (n) => `A,B,p${n}@example.org`);

  test.each([
    ['after', 3],
    ['before', 2],
  ] as const)(
    'end users, connection reset %s the request was carried out: unknown, never sent again, with a hint',
    async (when, made) => {
      const server = await served({ path: '/v1/users/enduser' }, { fate: second({ reset: when }) });
      const end = await ran(program(server.origin), [...words('end-users create --language EN'), ...ONE], person);
      expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
      expect(end.errorOf(2)).toContain('End users cannot be listed: ask whether the e-mail with the password has come');
      expect(end.errorOf(2)).toContain('`edu jobs retry JOB --unknown` sends it again');
      expect(server.creates()).toBe(3);
      expect(server.things).toHaveLength(made);
      const own = ['GET /v1/account', 'GET /v1/users/u1'];
      expect(server.requests.filter((request) => request.startsWith('GET') && !own.includes(request))).toEqual([]);
    },
  );

  test('files: the same', async () => {
    const server = await served({ path: '/v1/files' }, { fate: second({ reset: 'after' }) });
    const edu = program(server.origin);
    const file = (n: number): string => join(edu.env.EDU_CONFIG_DIR ?? '', '..', `${n}.pdf`);
    for (const n of [1, 2, 3]) writeFileSync(file(n), '%PDF-1.4\n');
    const end = await ran(edu, [...words('files upload --type Document'), ...ONE], lines('file', 3, file));
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
    expect(end.errorOf(2)).toContain('Files cannot be listed');
    expect(server.creates()).toBe(3);
  });
});
