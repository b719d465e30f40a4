/** Invalid environment variables and settings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, run } from '../../support/run.js';
import { refused } from './refused.js';

describe('environment and settings are checked like flags', () => {
  test.each([
    [{ EDU_LANGUAGE: 'XX' }, ['EDU_LANGUAGE', 'XX']],
    [{ EDU_OUTPUT: 'xml' }, ['EDU_OUTPUT', 'xml']],
    [{ EDU_ORGANIZATION: 'o1', EDU_ORGANIZATION_TYPE: 'Club' }, ['EDU_ORGANIZATION_TYPE', 'Club']],
    [{ EDU_BASE_URL: 'not an address' }, ['EDU_BASE_URL', 'not an address']],
    [{ EDU_PROFILE: 'nope' }, ['EDU_PROFILE', 'nope']],
    [{ EDU_TOKEN: 'two\nlines' }, ['EDU_TOKEN']],
  ])('%j', async (env, says) => {
    const { said } = await refused(['books', 'list'], env as unknown as Record<string, string>);
    for (const part of says) expect(said).toContain(part);
  });

  test('names line and column of a broken settings file', async () => {
    const folders = home();
    mkdirSync(folders.EDU_CONFIG_DIR, { recursive: true });
    const file = join(folders.EDU_CONFIG_DIR, 'settings.json');
    writeFileSync(file, '{\n  "profile": work\n}');
    const { stderr } = await refused(['books', 'list'], folders);
    expect(stderr).toContain(file);
    expect(stderr).toContain('line 2, column 14');
  });

  test('reports a missing base URL', async () => {
    const ran = await run(['books', 'list'], { env: { EDU_TOKEN: 'x' } });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('EDU_BASE_URL');
  });
});
