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
    [{ EDU_OFFLINE: 'n' }, ['EDU_OFFLINE must be 1 or 0, not "n".']],
    [{ EDU_NO_INPUT: '2' }, ['EDU_NO_INPUT must be 1 or 0, not "2".']],
    [{ EDU_PLAIN: 'plain' }, ['EDU_PLAIN must be 1 or 0, not "plain".']],
    [{ EDU_DEBUG: 'yaml' }, ['EDU_DEBUG must be 1, 0 or json, not "yaml".']],
  ])('%j', async (env, says) => {
    const { said } = await refused(['books', 'list'], env as unknown as Record<string, string>);
    for (const part of says) expect(said).toContain(part);
  });
});
