/** The offline data on a file system that refuses locks: the error names the file, and no command waits for each list. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../support/run.js';
import { edu } from '../support/spawned.js';
import { withoutLocks } from './failing.js';

const home = sharedFolder();

/** Longer than one wait for a lock, and shorter than two. */
const MAX_MS = 38_000;

test.each([
  ['from the first lock on', 1],
  ['after the data were opened', 40],
])('an export ends after one wait %s, and names the file', async (_, at) => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    TMPDIR: home,
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_STATE_DIR: join(home, 'state'),
    EDU_NO_INPUT: '1',
  };
  expect((await edu(['--offline', 'schools', 'list', '-q'], { env })).code).toBe(0);
  const start = performance.now();
  const exported = ['--offline', 'export', '--to', join(home, `export-${at}`)];
  const { code, stderr, calls } = await withoutLocks(exported, env, home, at);
  expect(calls.some((call) => call.startsWith('lock ') && call.endsWith(' !'))).toBe(true);
  expect([3, 7], stderr).toContain(code);
  expect(stderr).toContain(join(home, 'state', 'offline', 'service.db'));
  expect(stderr).toContain('EDU_STATE_DIR');
  expect(stderr).not.toMatch(/the service failed|\bbug\b|^\s+at /m);
  expect(performance.now() - start).toBeLessThan(MAX_MS);
});
