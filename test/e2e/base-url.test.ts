/** Where the base URL comes from, and the /v1 at its end, which is dropped with a word from every source. */
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

test('--offline needs none, so that an invalid EDU_BASE_URL does not matter', async () => {
  const env = { ...home(), EDU_BASE_URL: 'http://content.example' };
  expect(await run(['--offline', 'licenses', 'get', '00000001', '-o', 'ids'], { env })).toMatchObject({ code: 0 });
  expect((await run(['licenses', 'get', '00000001'], { env })).code).toBe(2);
});

test('is not the reason for a path that the API does not have', async () => {
  const unknown = await run(['--offline', 'api', '/v1/nosuch'], { env: home() });
  expect(unknown).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Hint: The API document has no such path'),
  });
});

test('an address at which nothing is found is named, also where the organization is looked up first', async () => {
  const { env } = await scriptedService({ '*': { status: 404, body: {} } });
  for (const words of [['licenses'], ['books'], ['users']])
    expect(await run([...words, 'list'], { env: { ...home(), ...env } })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Hint: Check the base URL: edu config get base-url'),
    });
});
