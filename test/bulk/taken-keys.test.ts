/** Rows whose key is taken: exists, conflict, retry and resume. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { create, csv, fileIn, HEADER, served } from './jobs.js';
import { against, manyLicences, program } from './program.js';

describe('keys that are taken', () => {
  test('an equal item exists; a different one, or one of another organization, is a conflict', async () => {
    const server = await served({ foreign: ['theirs'] });
    const edu = program(server.origin);
    const before = fileIn(edu, 'before.csv', csv('A,Teacher,1,mine1', 'B,Teacher,1,mine2'));
    expect((await edu.run(create('--from', before))).code).toBe(0);
    const file = fileIn(
      edu,
      'now.csv',
      csv('A,Teacher,1,mine1', 'B,Teacher,9,mine2', 'C,Teacher,1,theirs', 'D,Teacher,1,new1'),
    );
    const results = fileIn(edu, 'results.ndjson');
    const failed = fileIn(edu, 'failed.csv');
    const { code } = await edu.run(create('--from', file, '--results', results, '--failed', failed));
    expect(code).toBe(3);
    const rows = readFileSync(results, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ edu_row, edu_status }) => [edu_row, edu_status])).toEqual([
      [1, 'exists'],
      [2, 'conflict'],
      [3, 'conflict'],
      [4, 'created'],
    ]);
    expect(rows[1].edu_error).toContain('maximumActivations is 1, not 9');
    expect(rows[2].edu_error).toContain('belongs to another organization');
    expect(readFileSync(failed, 'utf8').split('\n')[0]).toBe(`${HEADER},edu_row,edu_status,edu_id,edu_code,edu_error`);
    expect(server.created.map((licence) => licence.code)).toEqual(['mine1', 'mine2', 'new1']);
    // Read again unchanged, the failed rows are a job of two rows.
    const repaired = readFileSync(failed, 'utf8').replace('mine2', 'mine3').replace('theirs', 'ours1');
    expect((await edu.run(create('--from', '-'), repaired)).code).toBe(0);
    expect(server.created.map((licence) => licence.code)).toEqual(['mine1', 'mine2', 'new1', 'mine3', 'ours1']);
  });

  test('jobs retry sends refused rows again, and only them', async () => {
    let isBad = true;
    const server = await served({ fate: (_, { name }) => (isBad && name === 'B' ? { status: 400 } : 'ok') });
    const edu = program(server.origin);
    const file = fileIn(edu, 'a.csv', csv('A,Teacher,1,', 'B,Teacher,1,', 'C,Teacher,1,'));
    expect((await edu.run(create('--from', file, '--job', 'spring'))).code).toBe(3);
    expect(server.posts()).toBe(3);
    isBad = false;
    const again = await edu.run(['jobs', 'retry', 'spring', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ name: 'spring', created: 3, done: true });
    expect(server.created).toHaveLength(3);
    const listed = JSON.parse((await edu.run(['jobs', 'list', '--json'])).stdout);
    expect(listed).toMatchObject([{ name: 'spring', state: 'done', rows: 3, done: 3, failed: 0, left: 0 }]);
    expect((await edu.run(['jobs', 'remove', 'spring'])).code).toBe(0);
    expect(readdirSync(join(edu.env.EDU_STATE_DIR ?? '', 'jobs'))).toEqual(['.ledger.ndjson']);
  });
});

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

test('a finished job keeps what it created if the look-ups of a later run fail', async () => {
  let pages = 0;
  const server = await served({ isPage: () => pages-- > 0 });
  const edu = program(server.origin);
  const line = [...manyLicences(2), '--job', 'kept', '--json'];
  await edu.run(line);
  pages = 100;
  const checked = await edu.run(line);
  expect(checked).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'Warning: Cannot check whether the item of row 1 still exists: the service returned a page',
    ),
  });
  expect(JSON.parse(checked.stdout)).toMatchObject({ created: 2, done: true });
  await server.close();
  const lost = await edu.run([...line, '--max-wait', '10ms', '--retries', '0']);
  expect(lost.code).toBe(7);
  expect(JSON.parse((await edu.run(['jobs', 'show', 'kept', '--json'])).stdout)).toMatchObject({ done: 2, left: 0 });
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
