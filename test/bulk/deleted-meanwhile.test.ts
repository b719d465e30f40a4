/** Items that the service does not show: created again once, by whichever job comes first, but not right after their create. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { settleAtOnce } from '../support/skip-waits.js';
import { against } from './program.js';

/** Items that are shown a moment later. */
const late = new Map<string, object>();
const items = new Map<string, object>();
settleAtOnce(() => {
  for (const [id, item] of late) items.set(id, item);
});

async function machine() {
  late.clear();
  items.clear();
  const looks: string[] = [];
  let created = 0;
  const { run } = await against(({ method, url, body }) => {
    const id = /^\/v1\/subscriptions\/([^?]+)/.exec(url)?.[1];
    if (method === 'POST') {
      const item = { ...JSON.parse(body.toString()), id: `S${++created}`, numberOfActivations: 0 };
      items.set(item.id, item);
      return { body: { ...item, organization: { id: 'd1', type: 'Distributor' } } };
    }
    if (id === undefined) return { body: { subscriptions: [...items.values()], paging: { nextCursor: null } } };
    looks.push(id);
    return items.has(id) ? { body: items.get(id) } : { status: 404, body: { message: 'unknown' } };
  });
  const file = join(temporaryFolder(), 'a.csv');
  const line = ['subscriptions', 'create', '--expiration-date', '2031-07-31', '--from', file, '--json'];
  const create = async (...[rows, ...flags]: readonly string[]) => {
    writeFileSync(file, `maximum-activations\n${rows}\n`);
    const { code, stdout, stderr } = await run([...line, ...flags]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  return { looks, create, run, line };
}

test('a grown file finds what another one created again', async () => {
  const { create } = await machine();
  await create('1\n2');
  items.delete('S1');
  expect(await create('1\n2\n3')).toMatchObject({ created: 2, exists: 1 });
  expect(await create('1\n2\n3\n4', '--dry-run')).toMatchObject({ create: 1, exist: 3 });
  expect(await create('1\n2\n3\n4')).toMatchObject({ created: 1, exists: 3 });
  expect([...items.keys()]).toEqual(['S2', 'S3', 'S4', 'S5']);
});

test('the first job finds it, too, also after the jobs were removed', async () => {
  const { create, run } = await machine();
  await create('1\n2');
  items.delete('S1');
  await create('1\n2\n3');
  expect(await create('1\n2', '--dry-run')).toMatchObject({ create: 0, exist: 2 });
  await create('1\n2');
  expect(items.size).toBe(3);
  expect((await run(['jobs', 'prune', '--older-than', '0s'])).code).toBe(0);
  expect(await create('3\n2\n1')).toMatchObject({ created: 0, exists: 3 });
  items.delete('S3');
  expect(await create('3\n2\n1\n4')).toMatchObject({ created: 2, exists: 2 });
});

test('jobs remove --forget forgets the rows of that job only, also those of a job before it', async () => {
  const { create, run } = await machine();
  await create('1');
  await create('2');
  await run(['jobs', 'prune', '--older-than', '0s']);
  expect(await create('1')).toMatchObject({ exists: 1 });
  const [{ id }] = JSON.parse((await run(['jobs', 'list', '--json'])).stdout);
  expect((await run(['jobs', 'remove', id, '--forget'])).code).toBe(0);
  expect(await create('2')).toMatchObject({ exists: 1 });
  expect(await create('1')).toMatchObject({ created: 1 });
});

test('an item that the service shows only a moment after its create is not created again', async () => {
  const { create } = await machine();
  await create('1\n2');
  late.set('S1', items.get('S1') ?? {});
  items.delete('S1');
  expect(await create('1\n2')).toMatchObject({ created: 2, left: 0 });
  expect([...items.keys()].sort()).toEqual(['S1', 'S2']);
});

test('a dry run looks once for an item that was deleted', async () => {
  const { looks, create, run, line } = await machine();
  await create('1\n2');
  items.delete('S1');
  looks.length = 0;
  expect(JSON.parse((await run([...line, '--dry-run'])).stdout)).toMatchObject({ create: 1, exist: 1 });
  expect(looks.sort()).toEqual(['S1', 'S2']);
});
