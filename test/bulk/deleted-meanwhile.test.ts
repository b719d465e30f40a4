/** Items without a key that someone deleted: created again once, by whichever job comes first. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/run.js';
import { answersCaller, program } from './program.js';

async function subscriptionServer() {
  const items = new Map<string, object>();
  let created = 0;
  const server = createServer(async (request, response) => {
    if (answersCaller(request, response)) return;
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [path = ''] = (request.url ?? '').split('?');
    const id = /^\/v1\/subscriptions\/(.+)$/.exec(path)?.[1];
    if (request.method === 'POST') {
      const item = { ...JSON.parse(Buffer.concat(chunks).toString()), id: `S${++created}`, numberOfActivations: 0 };
      items.set(item.id, item);
      answer(200, { ...item, organization: { id: 'd1', type: 'Distributor' } });
    } else if (id === undefined) answer(200, { subscriptions: [...items.values()], paging: { nextCursor: null } });
    else answer(items.has(id) ? 200 : 404, items.get(id) ?? { message: 'unknown' });
  });
  const { origin, close } = await onLoopback(server);
  onTestFinished(close);
  return { origin, items };
}

async function machine() {
  const { origin, items } = await subscriptionServer();
  const { run } = program(origin);
  const file = join(temporaryFolder(), 'a.csv');
  const line = ['subscriptions', 'create', '--expiration-date', '2031-07-31', '--from', file, '--json'];
  const create = async (...[rows, ...flags]: readonly string[]) => {
    writeFileSync(file, `maximum-activations\n${rows}\n`);
    const { code, stdout, stderr } = await run([...line, ...flags]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  return { items, create, run };
}

test('a grown file finds what another one created again', async () => {
  const { items, create } = await machine();
  await create('1\n2');
  items.delete('S1');
  expect(await create('1\n2\n3')).toMatchObject({ created: 2, exists: 1 });
  expect(await create('1\n2\n3\n4', '--dry-run')).toMatchObject({ create: 1, exist: 3 });
  expect(await create('1\n2\n3\n4')).toMatchObject({ created: 1, exists: 3 });
  expect([...items.keys()]).toEqual(['S2', 'S3', 'S4', 'S5']);
});

test('the first job finds it, too, also after the jobs were removed', async () => {
  const { items, create, run } = await machine();
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
