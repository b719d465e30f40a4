/** A file whose rows were corrected after a job created their items. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { offline } from '../support/offline.js';
import { settleAtOnce } from '../support/skip-waits.js';

settleAtOnce();

function world() {
  const { edu, path, write } = offline();
  return {
    edu,
    create(names: readonly string[], file = 'autumn.csv', ...flags: readonly string[]) {
      mkdirSync(dirname(path(file)), { recursive: true });
      const from = write(file, [file === 'parts.csv' ? 'name,part' : 'name', ...names, ''].join('\n'));
      const licence = ['--type', 'Teacher', '--maximum-activations', '1'];
      return edu('licenses', 'create', '--from', from, ...licence, ...flags);
    },
  };
}

const LOST = 'no longer in';

test('a corrected row warns of the item of the wrong one, with the ways out', async () => {
  const { edu, create } = world();
  const [, job] = /Job (\w+),/.exec((await create(['Autum', 'Winter', 'Spring'])).stderr) ?? [];
  for (const flags of [['--dry-run'], []]) {
    const { stderr } = await create(['Autumn', 'Winter', 'Spring'], 'autumn.csv', ...flags);
    expect(stderr).toMatch(new RegExp(`Warning: 1 row is no longer in .*autumn\\.csv that the job ${job} created`));
    expect(stderr).toContain(`\`edu jobs undo ${job}\` deletes what that job created, where the API can;`);
    expect(stderr).toContain('--batch NAME');
  }
  // It is said once: the next change is compared with the last job.
  expect((await create(['Autumn', 'Winter', 'Spring', 'Summer'])).stderr).not.toContain(LOST);
  expect((await edu('jobs', 'undo', String(job), '--yes')).code).toBe(0);
  const again = await create(['Autumn', 'Winter', 'Spring', 'Summer', 'Fifth']);
  expect(again.stderr).toContain('3 created, 2 existed already');
});

test('hints give the ID of a job whose name another job has', async () => {
  const { edu, create } = world();
  const named = (...names: readonly string[]) => create(names, 'autumn.csv', '--job', 'autumn');
  expect((await named('Autum', 'Winter')).stderr).toContain('edu jobs show autumn --results');
  const { stderr } = await named('Autumn', 'Winter');
  const hinted = [...stderr.matchAll(/edu jobs (undo|show) (\w+)/g)].map(([, , job]) => job);
  const [second, first] = JSON.parse((await edu('jobs', 'list', '--json')).stdout).map(({ id }: { id: string }) => id);
  expect(hinted).toEqual([first, second]);
});

test('a file that grew, another file, another batch and other rows of the file have no warning', async () => {
  const { create } = world();
  await create(['A', 'B']);
  expect((await create(['B', 'A', 'C'])).stderr).not.toContain(LOST);
  expect((await create(['D', 'E'])).stderr).not.toContain(LOST);
  expect((await create(['A'], 'other.csv')).stderr).not.toContain(LOST);
  expect((await create(['A'], 'autumn.csv', '--batch', 'again')).stderr).not.toContain(LOST);
  const file = ['P,1', 'Q,1', 'Q,2', 'R,2'];
  const only = (part: number) => create(file, 'parts.csv', '--ignore', 'part', '--where', `part=${part}`);
  expect((await only(1)).stderr).toContain('2 created');
  expect((await only(2)).stderr).toMatch(/1 created, 1 existed already/);
});

test('an item that was undone, or was never created, is not missed', async () => {
  const { edu, create } = world();
  const [, job] = /Job (\w+),/.exec((await create(['Autum', 'Winter'])).stderr) ?? [];
  expect((await edu('jobs', 'undo', String(job), '--yes')).code).toBe(0);
  expect((await create(['Autumn', 'Winter'])).stderr).not.toContain(LOST);
});
