/** Classes of unknown outcome whose job was removed: their key tells whether they exist. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loseResponses } from '../support/lost-responses.js';
import { offline } from '../support/offline.js';
import { settleAtOnce } from '../support/skip-waits.js';

settleAtOnce();

test('are found by school, subject and name, and created if they are not there', async () => {
  const { env, write, ...one } = offline();
  const jobs = join(env.EDU_STATE_DIR, 'jobs');
  async function edu(...argv: readonly string[]) {
    const { code, stdout, stderr } = await one.edu(...argv);
    expect(code, stderr).toBe(0);
    return stdout;
  }
  async function create(...names: readonly string[]) {
    const file = write('a.csv', `name\n${names.join('\n')}\n`);
    return JSON.parse(await edu('classes', 'create', '--school', 's1', '--subject', '0001', '--from', file, '--json'));
  }
  const { job } = await create('Row 1', 'Row 2');
  const journal = join(jobs, readdirSync(jobs).find((name) => name === job) ?? '', 'journal.ndjson');
  loseResponses(journal);
  const query = "[?name=='Row 2' || className=='Row 2'].classId";
  const [lost] = JSON.parse(await edu('classes', 'list', '--school', 's1', '--json', '--query', query));
  await edu('classes', 'delete', lost, '--yes');
  await edu('jobs', 'remove', job, '--yes');
  expect(await create('Row 1', 'Row 2', 'Row 3')).toMatchObject({ exists: 1, created: 2, unknown: 0 });
});
