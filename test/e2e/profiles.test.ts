/** `profiles use` sets the default profile, which a flag or an environment variable overrides. */
import { expect, test } from 'vitest';
import { home, run } from '../support/run.js';

test('profiles use sets the default profile', async () => {
  const env = home();
  await run(['config', 'set', 'language', 'DE', '--profile', 'work'], { env });
  expect((await run(['profiles', 'use', 'work'], { env })).code).toBe(0);
  const language = async (more: Record<string, string>, ...words: string[]) =>
    (await run(['config', 'get', 'language', ...words], { env: { ...env, ...more } })).stdout.trim();
  expect(await language({})).toBe('DE');
  expect(await language({}, '--profile', 'default')).toBe('EN');
  expect(await language({ EDU_PROFILE: 'default' })).toBe('EN');
  await run(['profiles', 'use', 'default'], { env });
  expect(await language({})).toBe('EN');
});

test('profiles use refuses a profile that does not exist, and names the closest', async () => {
  const env = home();
  await run(['config', 'set', 'language', 'DE', '--profile', 'work'], { env });
  const { code, stderr } = await run(['profiles', 'use', 'wrok'], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('There is no profile "wrok"')]);
  expect(stderr).toContain('work');
});
