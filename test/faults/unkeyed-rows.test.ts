/** Rows without a key whose response is lost: equal items are found, never claimed wrongly. */
import { describe, expect, test } from 'vitest';
import { program } from '../bulk/program.js';
import { CLASSES, KEYLESS, LISTED, ONE, ran, second, served, UNCLEAR, words } from './unkeyed-cases.js';
import type { Fate } from './unkeyed-server.js';

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
      // The service has responded and lists no such class, so it is sent again.
      expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
      expect(server.creates()).toBe(4);
      return;
    }
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'], error: { kind: 'partial' } });
    expect(end.errorOf(2)).toMatch(/^It may have been carried out: .*\. No equal \w+ has been added so far\. /);
    expect(end.errorOf(2)).toContain(`Check with \`${resource.look}\``);
    const advice = isClass ? ', and sends it again if it still does not exist' : '; --unknown also sends it again';
    expect(end.errorOf(2)).toContain(`\`edu jobs retry JOB\` looks it up again${advice}`);
    expect(end.error.hint).toMatch(
      /^Retry the failed rows with: edu jobs retry \w+\nRows with an unknown outcome are looked up first; .* only with --unknown\.$/,
    );
    expect(server.creates()).toBe(3);
    expect(server.things).toHaveLength(2);
    const again = await ran(edu, [...resource.argv, ...ONE, ...flags], resource.rows(3));
    // Equal classes are never wanted, so one that is still absent is sent again.
    const states = ['created', isClass ? 'created' : 'unknown', 'created'];
    expect(again).toMatchObject({ code: isClass ? 0 : 3, states });
    if (!isClass)
      expect(again.errorOf(2)).toMatch(/^It may have been carried out in an earlier run, whose outcome is unknown\. /);
    expect(server.creates()).toBe(isClass ? 4 : 3);
  });

  test('an equal item of another client: unknown, and both are named', async () => {
    const server = await served(resource, {
      fate: (index) => {
        if (index !== 1) return 'ok';
        server.add(resource.second);
        return { reset: 'after' };
      },
    });
    const edu = program(server.origin);
    const end = await ran(edu, [...resource.argv, ...ONE], resource.rows(3));
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
    expect(end.errorOf(2)).toMatch(/n2\b.* and n3\b.* are equal to it, and .*maybe by another program/);
    expect(server.creates()).toBe(3);
    const plan = await edu.run([...resource.argv, ...ONE, '--dry-run', '--json'], resource.rows(3));
    expect(JSON.parse(plan.stdout)).toMatchObject({ create: 0, exist: 2, doubt: 1, requests: [] });
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
    const expected = `Warning: A row equals ${noun} ${there.join(' and ')}, which exist already, and creates another ${noun.slice(0, -1)}. To compare: ${resource.look}\n`;
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
    expect(other.warnings.match(/A row equals /g)).toHaveLength(3);
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

test.each(LISTED.map((resource) => [resource.path, resource] as const))(
  'an item of %s whose ID the service did not return is found in the list',
  async (_, resource) => {
    const server = await served(resource, { fate: second('empty') });
    const end = await ran(program(server.origin), [...resource.argv, ...ONE], resource.rows(3));
    expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'], ids: ['n1', 'n2', 'n3'] });
    expect(server.creates()).toBe(3);
  },
);

test('undo does not report a class as deleted whose ID the service did not return', async () => {
  const server = await served(CLASSES, { fate: second('empty'), list: () => 403 });
  const edu = program(server.origin);
  const end = await ran(edu, [...CLASSES.argv, ...ONE, '--job', 'autumn'], CLASSES.rows(2));
  expect(end).toMatchObject({ code: 0, states: ['created', 'created'], ids: ['n1', null] });
  const undone = await edu.run(words('jobs undo autumn --yes'));
  expect(undone.code, undone.stderr).toBe(3);
  expect(undone.stderr).toContain('Cannot undo row 2: whether it created anything is unknown.');
});

test('a class is not sent again while the list may not show it yet', async () => {
  const server = await served(CLASSES, { fate: second({ status: 500, after: true }), lag: 1000 });
  const end = await ran(program(server.origin), [...CLASSES.argv, ...ONE], CLASSES.rows(3));
  expect(end).toMatchObject({ code: 0, states: ['created', 'created', 'created'] });
  expect(server.creates()).toBe(3);
});
