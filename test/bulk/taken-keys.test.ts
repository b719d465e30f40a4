/** Rows whose key is taken: look-ups that cannot be read, and jobs that update what exists. */
import { expect, test } from 'vitest';
import { create, csv, fileIn, served } from './jobs.js';
import { against, manyLicences, program } from './program.js';

test('a licence whose look-up cannot be read is not created with another code', async () => {
  let pages = 0;
  const server = await served({ isPage: () => pages-- > 0 });
  const edu = program(server.origin);
  const grown = (rows: number) => edu.run(manyLicences(rows));
  expect((await grown(1)).code).toBe(0);
  pages = 2;
  expect((await grown(2)).code).toBe(0);
  expect(server.created).toHaveLength(2);
  pages = 100;
  expect(await grown(3)).toMatchObject({ code: 3, stderr: expect.stringContaining('a page instead of JSON') });
  pages = 0;
  expect((await grown(3)).code).toBe(0);
  expect(new Set(server.created.map(({ code }) => code)).size).toBe(3);
  expect(server.created).toHaveLength(3);
});

test.each(['skip', 'update'])('a line with --on-existing %s sends rejected rows again', async (how) => {
  const server = await served({ fate: (index) => (index === 0 ? { status: 400 } : 'ok') });
  const edu = program(server.origin);
  const from = ['--from', fileIn(edu, 'a.csv', csv('A,Teacher,1,aaa1', 'B,Teacher,1,aaa2'))];
  const line = create(...from, '--on-existing', how, '--concurrency', '1', '--json');
  expect(JSON.parse((await edu.run(line)).stdout)).toMatchObject({ created: 1, rejected: 1 });
  expect(JSON.parse((await edu.run(line)).stdout)).toMatchObject({ created: 2, rejected: 0 });
});

test('jobs resume and retry keep the --on-existing of the job', async () => {
  let isDown = true;
  const updates: unknown[] = [];
  let posts = 0;
  const edu = await against(({ method, body }) => {
    if (method === 'POST' && !isDown) posts++;
    const found = { id: 's1', name: 'Acme', country: 'NL', city: 'Delft', roles: [] };
    if (isDown) return { status: 503, body: { message: 'down' } };
    if (method === 'POST') return { status: 400, body: { message: 'name exists' } };
    if (method !== 'PUT') return { body: { schools: [found] } };
    const update = JSON.parse(body.toString());
    updates.push(update);
    return { body: { ...found, ...update } };
  });
  const rows = 'name,country,city\nAcme,NL,Leiden\n';
  const line = ['schools', 'create', '--from', '-', '--on-existing', 'update', '--job', 'moves'];
  expect((await edu.run([...line, '--max-wait', '1s'], rows)).code).toBe(7);
  isDown = false;
  const { code, stdout } = await edu.run(['jobs', 'resume', 'moves', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { updated: 1, conflict: 0 }]);
  expect(updates).toEqual([{ name: 'Acme', country: 'NL', city: 'Leiden' }]);
  expect((await edu.run(['schools', 'create', '--from', '-', '--job', 'stays'], rows)).code).toBe(3);
  const retried = await edu.run(['jobs', 'retry', 'stays', '--on-existing', 'update', '--json']);
  expect([retried.code, JSON.parse(retried.stdout), updates.length]).toMatchObject([0, { updated: 1 }, 2]);
  // Only the job without `update` sends a create of what exists; dry runs show the update alone, too.
  expect(posts).toBe(1);
});
