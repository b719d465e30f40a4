/**
 * Rows that create items without a natural key, with lost responses: an item is matched if that can be proved,
 * otherwise it is unknown, and never sent again automatically.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Ended, type Program, program } from '../bulk/program.js';
import { type Fate, type Thing, type UnkeyedServerOptions, unkeyedServer } from './unkeyed-server.js';

interface Resource {
  readonly path: string;
  readonly argv: readonly string[];
  /** Input with different rows. */
  readonly rows: (count: number) => string;
  /** The flags for --count. */
  readonly same: readonly string[];
  readonly look: string;
  /** As sent, equal to row 2 of `rows`. */
  readonly second: Thing;
}

const words = (line: string): readonly string[] => line.split(' ');
const lines = (header: string, count: number, row: (n: number) => string): string =>
  [header, ...Array.from({ length: count }, (_, index) => row(index + 1)), ''].join('\n');

const CLASSES: Resource = {
  path: '/v1/classes',
  argv: words('classes create --school-id s1 --subject-id 0001'),
  rows: (count) => lines('name', count, (n) => `Class ${n}`),
  same: ['--name', 'Class 2'],
  look: 'edu classes list --school s1',
  second: { name: 'Class 2', subjectId: '0001', schoolId: 's1' },
};
const SUBSCRIPTIONS: Resource = {
  path: '/v1/subscriptions',
  argv: words('subscriptions create --expiration-date 2031-01-31'),
  rows: (count) => lines('maximum-activations', count, (n) => `${n}`),
  same: ['--maximum-activations', '2'],
  look: 'edu subscriptions list',
  second: { maximumActivations: 2, expirationDate: '2031-01-31' },
};
/** Resources in which equal items may exist. */
const KEYLESS: readonly Resource[] = [
  {
    path: '/v1/readers',
    argv: words('readers create --subject 0001 --content-language EN --file-id f1'),
    rows: (count) => lines('title', count, (n) => `Reader ${n}`),
    same: ['--title', 'Reader 2'],
    look: 'edu readers list',
    second: { title: 'Reader 2', subject: '0001' },
  },
  SUBSCRIPTIONS,
];
const LISTED: readonly Resource[] = [CLASSES, ...KEYLESS];

async function served(resource: Pick<Resource, 'path'>, options: UnkeyedServerOptions = {}) {
  const server = await unkeyedServer(resource.path, options);
  onTestFinished(() => server.close());
  return server;
}

const summary = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout);

/** Runs a line, and reads the outcome of each row. */
async function ran(edu: Program, argv: readonly string[], input?: string) {
  const file = join(edu.env.EDU_STATE_DIR ?? '', 'results.ndjson');
  const ended = await edu.run([...argv, '--json', '--results', file], input);
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [warnings = '', error] = ended.stderr.split(/^(?=\{)/m);
  return {
    code: ended.code,
    summary: summary(ended),
    warnings: warnings.startsWith('{') ? '' : warnings,
    error: JSON.parse(error ?? (warnings.startsWith('{') ? warnings : '{}')).error,
    states: rows.map(({ edu_status }) => edu_status),
    ids: rows.map(({ edu_id }) => edu_id),
    /** The outcome of a row. */
    errorOf: (row: number): string => rows[row - 1].edu_error,
  };
}

/** The second create fails, all others succeed. */
const second =
  (fate: Fate) =>
  (index: number): Fate =>
    index === 1 ? fate : 'ok';

/** One row at a time, so that the second create is the second row. */
const ONE = ['--from', '-', '--concurrency', '1'];

const UNCLEAR: readonly (readonly [string, (when: 'before' | 'after') => Fate, readonly string[]])[] = [
  ['a reset', (when) => ({ reset: when }), []],
  ['a 500', (when) => ({ status: 500, after: when === 'after' }), []],
  ['a 504', (when) => ({ status: 504, after: when === 'after' }), []],
  ['a time-out', (when) => ({ silent: when }), ['--timeout', '700ms']],
];

describe.each(LISTED)('$path', (resource) => {
  test.each(UNCLEAR)(
    '%s after the request was carried out: the row is found in the list, and created',
    async (_, fate, flags) => {
      const server = await served(resource, { fate: second(fate('after')) });
      const edu = program(server.origin);
      const end = await ran(edu, [...resource.argv, ...ONE, ...flags], resource.rows(3));
      expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'], ids: ['n1', 'n2', 'n3'] });
      expect(server.creates()).toBe(3);
      expect(server.things).toHaveLength(3);
    },
  );

  const isClass = resource === CLASSES;

  test.each(UNCLEAR)('%s before that: unknown, exit 3, and not sent again by this run', async (what, fate, flags) => {
    const server = await served(resource, { fate: second(fate('before')) });
    const edu = program(server.origin);
    const end = await ran(edu, [...resource.argv, ...ONE, ...flags], resource.rows(3));
    if (isClass && what === 'a 500') {
      // The service has responded and lists no such class, so it is sent again at once.
      expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
      expect(server.creates()).toBe(4);
      return;
    }
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'], error: { kind: 'partial' } });
    expect(end.errorOf(2)).toMatch(/^It may have been carried out: .*\. No equal \w+ has been added so far\. /);
    expect(end.errorOf(2)).toContain(`Check with \`${resource.look}\``);
    const advice = isClass ? ', and sends it again if it still does not exist' : '; --unknown also sends it again';
    expect(end.errorOf(2)).toContain(`\`edu jobs retry\` looks it up again${advice}`);
    expect(end.error.hint).toMatch(
      /^Retry the failed rows with: edu jobs retry \w+\nRows with an unknown outcome are looked up first; .* only with --unknown\.$/,
    );
    expect(server.creates()).toBe(3);
    expect(server.things).toHaveLength(2);
    const again = await ran(edu, [...resource.argv, ...ONE, ...flags], resource.rows(3));
    // Equal classes are never wanted, so one that is still absent is sent again.
    const states = ['created', isClass ? 'created' : 'unknown', 'created'];
    expect(again).toMatchObject({ code: isClass ? 0 : 3, states });
    expect(server.creates()).toBe(isClass ? 4 : 3);
  });

  test('a response that cannot be read: the item is still found', async () => {
    const server = await served(resource, { fate: second('empty') });
    const { origin } = server;
    const end = await ran(program(origin), [...resource.argv, ...ONE], resource.rows(3));
    // An empty response is a success without an ID.
    expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
    expect(server.creates()).toBe(3);
  });

  test('an equal item of another client: unknown, and both are named', async () => {
    const server = await served(resource, {
      fate: (index) => {
        if (index !== 1) return 'ok';
        server.add(resource.second);
        return { reset: 'after' };
      },
    });
    const end = await ran(program(server.origin), [...resource.argv, ...ONE], resource.rows(3));
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
    expect(end.errorOf(2)).toMatch(/n2\b.* and n3\b.* are equal to it, and .*maybe by another program/);
    expect(server.creates()).toBe(3);
  });
});

describe.each(KEYLESS)('$path, equal items', (resource) => {
  test('an equal item that existed before proves nothing', async () => {
    for (const when of ['before', 'after'] as const) {
      const server = await served(resource, { fate: second({ reset: when }) });
      server.add(resource.second);
      const end = await ran(program(server.origin), [...resource.argv, ...ONE], resource.rows(3));
      const done = when === 'after';
      expect(end).toMatchObject({ code: done ? 0 : 3, states: ['created', done ? 'created' : 'unknown', 'created'] });
      expect(end.ids).toEqual(done ? ['n2', 'n3', 'n4'] : ['n2', null, 'n3']);
      expect(server.creates()).toBe(3);
    }
  });

  test('equal rows create as many items, whichever responses are lost', async () => {
    const fates: readonly Fate[] = [{ reset: 'after' }, 'ok', { status: 500, after: true }, { reset: 'before' }];
    const server = await served(resource, { fate: (index) => fates[index % 4] ?? 'ok', latency: 5 });
    const edu = program(server.origin);
    const end = await ran(edu, [...resource.argv, ...resource.same, '--count', '16', '--concurrency', '6']);
    expect(server.creates()).toBe(16);
    expect(server.things).toHaveLength(12);
    expect(end).toMatchObject({ code: 3, summary: { created: 12, unknown: 4, left: 0 } });
    const ids = end.ids.filter((id) => id !== null);
    expect(new Set(ids).size).toBe(12);
  });
});

describe.each(KEYLESS)('$path for items that are listed already', (resource) => {
  const list = `GET ${resource.path}`;

  test('warns before the first row is sent, and reads the list once', async () => {
    const server = await served(resource);
    const there = [server.add(resource.second), server.add(resource.second)];
    const edu = program(server.origin);
    const noun = resource.path.slice('/v1/'.length);
    const expected = `Warning: 1 row equals ${noun} ${there.join(' and ')}, which exist already. It creates another ${noun.slice(0, -1)}. To compare: ${resource.look}\n`;
    const plan = await edu.run([...resource.argv, ...ONE, '--dry-run', '--json'], resource.rows(3));
    expect([plan.code, plan.stderr]).toEqual([0, expected]);
    expect(JSON.parse(plan.stdout)).toMatchObject({ create: 3 });
    expect(server.requests.filter((request) => request === list)).toHaveLength(1);
    const end = await ran(edu, [...resource.argv, ...ONE], resource.rows(3));
    expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'], warnings: expected });
    expect(server.requests.filter((request) => request === list)).toHaveLength(2);
  });

  test('does not warn of items that earlier jobs created', async () => {
    const server = await served(resource);
    const edu = program(server.origin);
    expect(await ran(edu, [...resource.argv, ...ONE], resource.rows(2))).toMatchObject({ code: 0, warnings: '' });
    const again = await ran(edu, [...resource.argv, ...ONE], resource.rows(3));
    expect(again).toMatchObject({ code: 0, states: ['exists', 'exists', 'created'], warnings: '' });
    const other = await ran(edu, [...resource.argv, ...ONE, '--batch', 'second'], resource.rows(3));
    expect(other).toMatchObject({ code: 0, summary: { created: 3 } });
    expect(other.warnings).toContain('3 rows equal ');
  });

  test('warns and continues when the list is refused', async () => {
    const server = await served(resource, { list: () => 403 });
    const end = await ran(program(server.origin), [...resource.argv, ...ONE], resource.rows(2));
    expect(end).toMatchObject({ code: 0, states: ['created', 'created'] });
    expect(end.warnings).toMatch(/^Warning: Cannot check whether equal items exist already: .*403/);
  });
});

test('a class that exists has the outcome exists', async () => {
  const server = await served(CLASSES);
  const there = server.add(CLASSES.second);
  const end = await ran(program(server.origin), [...CLASSES.argv, ...ONE], CLASSES.rows(3));
  expect(end).toMatchObject({ code: 0, states: ['created', 'exists', 'created'] });
  expect(end.ids[1]).toBe(there);
  expect(server.creates()).toBe(2);
});

test('a class that was deleted is created again, unless an equal one exists', async () => {
  const server = await served(CLASSES);
  const edu = program(server.origin);
  const argv = [...CLASSES.argv, ...ONE];
  await ran(edu, argv, CLASSES.rows(3));
  for (const place of [0, 1])
    server.things[place] = { ...server.things[place], deactivationDate: '2026-11-21T09:30:00.000' };
  const other = server.add(CLASSES.second);
  const again = await ran(edu, argv, CLASSES.rows(3));
  expect(again).toMatchObject({ code: 0, states: ['created', 'exists', 'created'], ids: ['n5', other, 'n3'] });
  expect(await ran(edu, argv, CLASSES.rows(3))).toMatchObject({ code: 0 });
  expect(server.creates()).toBe(4);
});

test('undo does not report a class as deleted whose ID the service did not return', async () => {
  const server = await served(CLASSES, { fate: second('empty') });
  const edu = program(server.origin);
  await ran(edu, [...CLASSES.argv, ...ONE, '--job', 'autumn'], CLASSES.rows(2));
  const undone = await edu.run(words('jobs undo autumn --yes'));
  expect(undone.code, undone.stderr).toBe(3);
  expect(undone.stderr).toContain('Cannot undo row 2: whether it created anything is unknown.');
});

describe('the list that is read to find a row', () => {
  test('fails: the row is unknown, and `jobs retry` finds it later', async () => {
    let isDown = true;
    const server = await served(CLASSES, {
      fate: second({ reset: 'after' }),
      list: (index) => (isDown && index > 0 ? 500 : 200),
    });
    const edu = program(server.origin);
    const end = await ran(edu, [...CLASSES.argv, ...ONE, '--job', 'autumn'], CLASSES.rows(3));
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
    expect(end.errorOf(2)).toContain('The look-up failed too: ');
    expect(end.errorOf(2)).toContain('edu classes list --school');
    isDown = false;
    const again = await ran(edu, words('jobs retry autumn'));
    expect(again).toMatchObject({ code: 0, states: ['created', 'created', 'created'], ids: ['n1', 'n2', 'n3'] });
    expect(server.creates()).toBe(3);
  });

  test('fails before the first row: rows are sent, and equal items are named but not claimed', async () => {
    let hasFailed = false;
    const server = await served(CLASSES, {
      fate: second({ reset: 'after' }),
      list: () => (hasFailed ? 200 : 403),
    });
    const edu = program(server.origin);
    const started = ran(edu, [...CLASSES.argv, ...ONE], CLASSES.rows(3));
    while (server.creates() === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    hasFailed = true;
    const end = await started;
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
    expect(end.errorOf(2)).toMatch(/The class n2 .*is equal to it, and may have existed before/);
    expect(server.creates()).toBe(3);
  });

  test('fails every time: rows whose responses arrive do not need it', async () => {
    const server = await served(CLASSES, { list: () => 403 });
    const end = await ran(program(server.origin), [...CLASSES.argv, ...ONE], CLASSES.rows(3));
    expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
  });
});

describe('unknown rows afterwards', () => {
  test('are found by `jobs retry` once they appear, and otherwise stay unknown until --unknown', async () => {
    const server = await served(SUBSCRIPTIONS, {
      fate: (index) => (index < 2 ? { status: 504 } : 'ok'),
    });
    const edu = program(server.origin);
    const end = await ran(edu, [...SUBSCRIPTIONS.argv, ...ONE, '--job', 'autumn'], SUBSCRIPTIONS.rows(3));
    expect(end).toMatchObject({ code: 3, states: ['unknown', 'unknown', 'created'] });
    const late = server.add(SUBSCRIPTIONS.second);
    const again = await ran(edu, words('jobs retry autumn'));
    expect(again).toMatchObject({ code: 3, states: ['unknown', 'created', 'created'], ids: [null, late, 'n1'] });
    expect(server.creates()).toBe(3);
    expect(await ran(edu, words('jobs retry autumn'))).toMatchObject({ code: 3, summary: { unknown: 1 } });
    expect(server.creates()).toBe(3);
    const sent = await ran(edu, words('jobs retry autumn --unknown'));
    expect(sent).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
    expect(server.creates()).toBe(4);
  });

  test('do not claim items that an earlier run created', async () => {
    // The first two rows are equal; the class of the first is known, the response to the second is lost.
    const server = await served(SUBSCRIPTIONS, { fate: second({ reset: 'before' }) });
    const edu = program(server.origin);
    const argv = [
      ...SUBSCRIPTIONS.argv,
      ...SUBSCRIPTIONS.same,
      '--count',
      '2',
      '--concurrency',
      '1',
      '--job',
      'autumn',
    ];
    expect(await ran(edu, argv)).toMatchObject({ code: 3, states: ['created', 'unknown'] });
    expect(await ran(edu, words('jobs retry autumn'))).toMatchObject({ code: 3, states: ['created', 'unknown'] });
    expect(server.things).toHaveLength(1);
  });

  test('claim nothing in a shard, because another shard may have created it', async () => {
    const server = await served(SUBSCRIPTIONS, { fate: (index) => (index === 0 ? { reset: 'after' } : 'ok') });
    const argv = [...SUBSCRIPTIONS.argv, ...SUBSCRIPTIONS.same, '--count', '4', '--concurrency', '1', '--shard', '1/2'];
    const end = await ran(program(server.origin), argv);
    expect(end).toMatchObject({ code: 3, summary: { rows: 2, created: 1, unknown: 1 } });
    expect(end.errorOf(1)).toMatch(/The subscription n1 .*maybe by another part of the job/);
    expect(server.creates()).toBe(2);
  });

  test('claim nothing new after a row with an empty response', async () => {
    const fates: readonly Fate[] = ['empty', { reset: 'before' }];
    const server = await served(SUBSCRIPTIONS, { fate: (index) => fates[index] ?? 'ok' });
    const edu = program(server.origin);
    const argv = [
      ...SUBSCRIPTIONS.argv,
      ...SUBSCRIPTIONS.same,
      '--count',
      '2',
      '--concurrency',
      '1',
      '--job',
      'autumn',
    ];
    const end = await ran(edu, argv);
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown'] });
    expect(end.errorOf(2)).toMatch(/The subscription n1 .*maybe by a row whose response was lost/);
    // The same in another run, which knows the first row from the journal.
    expect(await ran(edu, words('jobs retry autumn'))).toMatchObject({ code: 3, states: ['created', 'unknown'] });
    expect(server.creates()).toBe(2);
  });

  test('are not confused with rows that differ in fields that no list shows', async () => {
    const [, readers] = LISTED;
    if (readers === undefined) throw new Error('no readers');
    const server = await served(readers, {
      fate: (index) => (index < 2 ? { reset: index === 0 ? 'before' : 'after' } : 'ok'),
    });
    const edu = program(server.origin);
    const rows = 'title,content-language\nAtlas,EN\nAtlas,DE\n';
    const argv = [...words('readers create --subject 0001 --file-id f1 --from - --concurrency 2'), '--job', 'atlas'];
    const end = await ran(edu, argv, rows);
    // The first was not created, and the second is the only new item: but it could be either of the two.
    expect(end.code).toBe(3);
    expect(end.states[0]).toBe('unknown');
    expect(server.creates()).toBe(2);
    expect(server.things).toHaveLength(1);
  });
});

/** The journal of the only job. */
function journalOf({ env }: Program): string {
  const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
  const [only = ''] = readdirSync(jobs).filter((name) => !name.startsWith('.'));
  return join(jobs, only, 'journal.ndjson');
}

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
      expect(end.errorOf(2)).toContain('`edu jobs retry --unknown` sends it again');
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
