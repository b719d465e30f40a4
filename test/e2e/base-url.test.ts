/** A base URL that ends in /v1 works from every source, and each says that the /v1 is dropped. */
import { expect, test } from 'vitest';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const ANSWERS = { 'GET /v1/account': { body: { id: 'u1', email: 'a@b.example' } } };

test.each([
  ['the flag', (url: string) => ({ words: ['--base-url', url], env: { EDU_BASE_URL: 'https://other.example' } })],
  ['the environment', (url: string) => ({ words: [], env: { EDU_BASE_URL: url } })],
])('%s', async (_, given) => {
  const service = await scriptedService(ANSWERS);
  const { words, env } = given(`${service.env.EDU_BASE_URL}/v1/`);
  const ran = await run(['api', '/v1/account', ...words], { env: { ...service.env, ...env } });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(
    /^Warning: (--base-url|EDU_BASE_URL): using http:\S+, because edu itself adds the \/v1 of /,
  );
  const quiet = await run(['api', '/v1/account', ...words, '-q'], { env: { ...service.env, ...env } });
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
});

test('config set stores it without', async () => {
  const env = home();
  const set = await run(['config', 'set', 'base-url', 'https://api.example.com/edu/v1'], { env });
  expect(set.stderr).toMatch(/^Warning: base-url: using https:\/\/api\.example\.com\/edu, because /);
  expect((await run(['config', 'get', 'base-url'], { env })).stdout).toBe('https://api.example.com/edu\n');
});
