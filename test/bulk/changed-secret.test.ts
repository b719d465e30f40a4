/** Rows whose licence code was derived from another EDU_CODE_SECRET: they keep the code under which they were sent. */
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loseResponses } from '../support/lost-responses.js';
import { home, run } from '../support/run.js';

function machine() {
  const folders = home();
  const file = join(folders.EDU_STATE_DIR, '..', 'a.csv');
  const jobs = join(folders.EDU_STATE_DIR, 'jobs');
  async function edu(secret: string, ...argv: readonly string[]) {
    const env = { ...folders, EDU_OFFLINE: '1', EDU_CODE_SECRET: `${secret} secret of a machine` };
    const { code, stdout, stderr } = await run(argv, { env, randomBytes });
    expect(code, stderr).toBe(0);
    return stdout;
  }
  return {
    edu,
    async create(secret: string, names: readonly string[], ...flags: readonly string[]) {
      writeFileSync(file, `name\n${names.join('\n')}\n`);
      const line = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--from', file, '--json'];
      return JSON.parse(await edu(secret, ...line, ...flags));
    },
    async count() {
      return JSON.parse(await edu('any', 'licenses', 'list', '--type', 'TEACHER', '--json')).length;
    },
    /** Removes the outcomes from the journal, as if the job had been killed before the responses. */
    loseResponses(): void {
      const journal = join(jobs, readdirSync(jobs).find((name) => /^\w{10}$/.test(name)) ?? '', 'journal.ndjson');
      loseResponses(journal);
    },
  };
}

test.each(['skip', 'fail'])('exist for --dry-run, too, with --on-existing %s', async (how) => {
  const { create } = machine();
  await create('first', ['Ash', 'Oak']);
  const rows = (names: readonly string[], ...flags: readonly string[]) =>
    create('other', names, '--on-existing', how, ...flags);
  expect(await rows(['Ash', 'Oak'], '--dry-run')).toMatchObject({ create: 0, exist: 2 });
  expect(await rows(['Ash', 'Oak', 'Elm'], '--dry-run')).toMatchObject({ create: 1, exist: 2 });
  expect(await rows(['Ash', 'Oak', 'Elm'])).toMatchObject({ created: 1, exists: 2 });
});

test.each([
  ['the same file', ['Ash', 'Oak'], false],
  ['a grown file', ['Ash', 'Oak', 'Elm'], false],
  ['a grown file, after the job was removed', ['Ash', 'Oak', 'Elm'], true],
])('are not created again after a lost response: %s', async (_, names, isRemoved) => {
  const { create, edu, count, loseResponses } = machine();
  const before = await count();
  const { job } = await create('first', ['Ash', 'Oak']);
  loseResponses();
  if (isRemoved) await edu('other', 'jobs', 'remove', job, '--yes');
  expect(await create('other', names, '--dry-run')).toMatchObject({ create: names.length - 2, exist: 2 });
  await create('other', names);
  expect((await count()) - before).toBe(names.length);
});
