/** Invalid environment variables and settings. */
import { describe, expect, test } from 'vitest';
import { refused } from './refused.js';

describe('environment and settings are checked like flags', () => {
  test.each([
    [{ EDU_LANGUAGE: 'XX' }, ['EDU_LANGUAGE', 'XX']],
    [{ EDU_OUTPUT: 'xml' }, ['EDU_OUTPUT', 'xml']],
    [{ EDU_ORGANIZATION: 'o1', EDU_ORGANIZATION_TYPE: 'Club' }, ['EDU_ORGANIZATION_TYPE', 'Club']],
    [{ EDU_BASE_URL: '', EDU_TOKEN: 'x' }, ['No base URL', 'EDU_BASE_URL']],
    [{ EDU_BASE_URL: 'not an address' }, ['EDU_BASE_URL', 'not an address']],
    [{ EDU_PROFILE: 'nope' }, ['EDU_PROFILE', 'nope']],
    [{ EDU_TOKEN: 'two\nlines' }, ['EDU_TOKEN']],
  ])('%j', async (env, says) => {
    const { said } = await refused(['books', 'list'], env as unknown as Record<string, string>);
    for (const part of says) expect(said).toContain(part);
  });
});
