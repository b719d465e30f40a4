/** Rows without a key whose outcome stays unknown, and what finds them later. */
import { describe, expect, test } from 'vitest';
import { program } from '../bulk/program.js';
import { CLASSES, LISTED, ONE, type Resource, ran, SUBSCRIPTIONS, second, served, words } from './unkeyed-cases.js';
import type { Fate } from './unkeyed-server.js';

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

  const unlisted = async (resource: Resource) => {
    let hasFailed = false;
    const server = await served(resource, {
      fate: second({ reset: 'after' }),
      list: () => (hasFailed ? 200 : 403),
    });
    const edu = program(server.origin);
    const started = ran(edu, [...resource.argv, ...ONE, '--job', 'autumn'], resource.rows(3));
    while (server.creates() === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    hasFailed = true;
    return { end: await started, edu, server };
  };

  test('fails before the first row: rows are sent, and equal items are named but not claimed', async () => {
    const { end, server } = await unlisted(SUBSCRIPTIONS);
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown', 'created'] });
    expect(end.errorOf(2)).toMatch(/The subscription n2 is equal to it, and may have existed before/);
    expect(server.creates()).toBe(3);
  });

  test('fails before the first row: an equal class exists, because there is only one', async () => {
    const { end, edu, server } = await unlisted(CLASSES);
    expect(end).toMatchObject({ code: 0, states: ['created', 'exists', 'created'], ids: ['n1', 'n2', 'n3'] });
    expect(server.creates()).toBe(3);
    expect(await ran(edu, words('jobs retry autumn'))).toMatchObject({ code: 0 });
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

  test('are sent with --unknown if another job has them, too, which then finds them', async () => {
    const server = await served(SUBSCRIPTIONS, { fate: (index) => (index === 0 ? { reset: 'before' } : 'ok') });
    const edu = program(server.origin);
    const line = [...SUBSCRIPTIONS.argv, ...ONE];
    expect((await ran(edu, [...line, '--job', 'autumn'], SUBSCRIPTIONS.rows(2))).states).toEqual([
      'unknown',
      'created',
    ]);
    expect((await ran(edu, line, SUBSCRIPTIONS.rows(3))).states).toEqual(['unknown', 'exists', 'created']);
    const sent = await ran(edu, words('jobs retry autumn --unknown'));
    expect(sent).toMatchObject({ code: 0, states: ['created', 'created'] });
    expect((await ran(edu, line, SUBSCRIPTIONS.rows(3))).states).toEqual(['exists', 'exists', 'created']);
    expect(server.things).toHaveLength(3);
  });

  test('do not claim items that an earlier run created', async () => {
    // The first two rows are equal; the class of the first is known, the response to the second is lost.
    const server = await served(SUBSCRIPTIONS, { fate: second({ reset: 'before' }) });
    const edu = program(server.origin);
    const argv = [...SUBSCRIPTIONS.argv, ...SUBSCRIPTIONS.same, ...words('--count 2 --concurrency 1 --job autumn')];
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
    const argv = [...SUBSCRIPTIONS.argv, ...SUBSCRIPTIONS.same, ...words('--count 2 --concurrency 1 --job autumn')];
    const end = await ran(edu, argv);
    expect(end).toMatchObject({ code: 3, states: ['created', 'unknown'], ids: ['n1', null] });
    expect(end.errorOf(2)).toMatch(/No equal subscription has been added so far/);
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
