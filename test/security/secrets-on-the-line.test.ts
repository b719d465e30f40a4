/** Secrets on a line that is wrong are not repeated in errors. */
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

test.each([
  ['api', '/v1/x', '-H', `Authorization Bearer ${SECRET}`],
  ['api', '/v1/x', '-H', `: ${SECRET}`],
  ['api', '/v1/x', '-f', SECRET],
  ['api', '/v1/x', '-F', `=${SECRET}`],
  ['api', '/v1/x', '--form', SECRET],
  ['account', 'show', '--base-url', `https://a.example/?access_token=${SECRET}`],
  ['account', 'show', '--base-url', `http://a.example/#${SECRET}`],
  ['account', 'show', '--base-url', `https://user:${SECRET}@a.example`],
  ['schools', 'list', `EDU_TOKEN=${SECRET}`],
  ['schools', 'get', 's1', `client_secret=${SECRET}`],
])('edu %s %s %s %s', async (...words) => {
  for (const more of [[], ['--json'], ['--debug']]) {
    const { code, stdout, stderr } = await run([...words, ...more], { env: { EDU_TOKEN: 'token-of-a-test' } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain(SECRET);
  }
});

test.each(['access_token', 'token', 'code'])('the value of %s in the path of `edu api`', async (name) => {
  for (const more of [[], ['--json'], ['--debug']]) {
    const { code, stderr } = await run(['api', `/v1/none?${name}=${SECRET}`, '--offline', ...more], {});
    expect([code, stderr]).toEqual([5, expect.stringContaining(`/v1/none?${name}=***`)]);
    expect(stderr).not.toContain(SECRET);
  }
});
