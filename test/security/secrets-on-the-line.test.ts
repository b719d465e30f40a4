/** Secrets given to unknown flags are not repeated in errors. */
import { expect, test } from 'vitest';
import { run } from '../support/run.js';

const SECRET = 'c0de-that-works-once';

test.each([
  ['auth', 'login', `--code=${SECRET}`],
  ['auth', 'login', `--code=first line\n${SECRET}`],
  ['auth', 'login', '--code', SECRET],
  ['login', `--token=${SECRET}`],
  ['auth', 'login', `--client-secret=${SECRET}`],
  ['auth', 'login', '--client-secret', SECRET],
  ['auth', `--token=${SECRET}`, 'status'],
  ['auth', '--token', SECRET, 'status'],
  ['--token', SECRET, 'licenses', 'list'],
  [`--token=${SECRET}`, 'licenses', 'list'],
  ['licenses', 'list', `--code=${SECRET}`],
  [`--access-token=${SECRET}`],
])('edu %s %s %s', async (...words) => {
  for (const more of [[], ['--json'], ['--debug']]) {
    const { code, stdout, stderr } = await run([...words, ...more], {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/nknown flag --(code|token|client-secret|access-token)/);
    expect(stderr).not.toContain(SECRET);
  }
});
