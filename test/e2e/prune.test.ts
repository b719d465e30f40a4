/** `edu jobs prune`: removes the records of finished work, and says how many. */

import fs, { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loseEnd } from '../support/lost-responses.js';
import { observe } from '../support/observed-fs.js';
import { offline } from '../support/offline.js';

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--name', 'Autumn'];
const PRUNE = ['jobs', 'prune', '--older-than', '0s'];

test('says in a pipe how many jobs were removed, on stderr', async () => {
  const { edu } = offline();
  await edu(...CREATE, '--count', '2', '--quiet');
  await edu(...CREATE, '--count', '9', '--limit', '1', '--quiet');
  expect(await edu(...PRUNE)).toEqual({ code: 0, stdout: '', stderr: 'Removed 1 finished job.\n' });
  expect(await edu(...PRUNE)).toEqual({ code: 0, stdout: '', stderr: 'Removed 0 finished jobs.\n' });
  expect(await edu(...PRUNE, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  // Meant are days, which would be seconds.
  expect(await edu('jobs', 'prune', '--older-than', '90')).toMatchObject({ code: 2, stdout: '' });
});

test('leaves no half of a job when the process is killed', async () => {
  const { env, edu } = offline();
  await edu(...CREATE, '--count', '2', '--quiet');
  observe(fs, ({ rmSync }) => ({
    rmSync: (path, options) => {
      if (options?.recursive !== true) return rmSync(path, options);
      rmSync(join(String(path), 'journal.ndjson'));
      throw new Error('killed');
    },
  }));
  expect(await edu(...PRUNE)).toMatchObject({ code: 1, stderr: expect.stringContaining('killed') });
  expect(readdirSync(join(env.EDU_STATE_DIR, 'jobs')).filter((name) => !name.startsWith('.'))).toEqual([]);
  expect(await edu('jobs', 'list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('removes the records of applied plans, but not of one whose end is unknown', async () => {
  const { env, edu, path } = offline();
  const [want, plan, plans] = [path('licenses.csv'), path('a.plan'), join(env.EDU_STATE_DIR, 'plans')];
  writeFileSync(want, 'code,name,type,maximumActivations\nautumn1,Autumn,Teacher,5\n');
  await edu('plan', want, '--out', plan);
  const { hash } = JSON.parse(readFileSync(plan, 'utf8').split('\n', 1)[0] ?? '');
  expect((await edu('apply', plan, '--confirm', hash)).code).toBe(0);
  const [applied = ''] = readdirSync(plans);
  cpSync(join(plans, applied), join(plans, 'killed'), { recursive: true });
  loseEnd(join(plans, 'killed', 'journal.ndjson'));
  expect((await edu('jobs', 'prune')).stderr).toBe('Removed 0 finished jobs.\n');
  expect((await edu(...PRUNE)).stderr).toBe('Removed 0 finished jobs and the records of 1 applied plan.\n');
  expect(readdirSync(plans)).toEqual(['killed']);
  const again = await edu('apply', plan, '--confirm', hash);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('1 step: 1 already done') });
});
