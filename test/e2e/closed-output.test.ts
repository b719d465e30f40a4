/** A closed pipe hides no failure: the exit code of these commands is an answer of its own. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClosedPipe } from '../../src/core/io.js';
import { run, temporaryFolder } from '../support/run.js';

const closed = () => {
  throw new ClosedPipe('gone');
};

async function folders() {
  const [base, en, de, damaged] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const env = { EDU_OFFLINE: '1', EDU_STATE_DIR: join(base, 'state'), EDU_CONFIG_DIR: join(base, 'config') };
  for (const [to, language] of [
    [en, 'EN'],
    [de, 'DE'],
    [damaged, 'EN'],
  ] as const)
    expect((await run(['export', 'subjects', '--to', to, '--language', language], { env })).code).toBe(0);
  appendFileSync(join(damaged, 'subjects.ndjson'), '\n');
  mkdirSync(join(base, 'want'));
  writeFileSync(join(base, 'want', 'schools.csv'), 'name,country,city\nNew,DE,Ulm\n');
  return { base, en, de, damaged, env };
}

test.each<[number, string, (of: Awaited<ReturnType<typeof folders>>) => readonly string[]]>([
  [1, 'a diff', ({ en, de }) => ['diff', en, de, '--force']],
  [1, 'a diff as JSON', ({ en, de }) => ['diff', en, de, '--force', '--json']],
  [0, 'a diff of equal exports', ({ en }) => ['diff', en, en]],
  [1, 'a damaged export', ({ damaged }) => ['export', '--verify', damaged]],
  [3, 'an incomplete export', ({ base }) => ['export', '--strict', '--as', 'school', '--to', join(base, 'new')]],
  [10, 'a plan with changes', ({ base }) => ['plan', join(base, 'want')]],
  [3, 'a job with rejected rows', () => ['publishers', 'create', '--as', 'school', '--json', '--from', '-']],
])('exits %i after %s that nobody reads', async (code, _, line) => {
  const of = await folders();
  const ran = await run(line(of), { env: of.env, input: 'name\nNew\n', onWrite: closed });
  expect(ran).toMatchObject({ code, stdout: '' });
});
