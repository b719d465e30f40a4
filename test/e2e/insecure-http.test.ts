/** --insecure-http and EDU_INSECURE_HTTP: plain http to exactly the named hosts, with a warning. 0.0.0.0 is not loopback. */
import { expect, test } from 'vitest';
import { run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const ACCOUNT = { id: 'u1', email: 'a@b.example' };

async function plainService(answers = {}) {
  const service = await scriptedService({ 'GET /v1/account': { body: ACCOUNT }, ...answers });
  const url = `http://0.0.0.0:${service.port}`;
  const edu = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(['api', '/v1/account', '-o', 'tsv', ...words], { env: { ...service.env, EDU_BASE_URL: url, ...env } });
  return { service, url, edu };
}

test.each([
  ['neither', [], {}],
  ['another host', ['--insecure-http', 'edu,0.0.0.1'], {}],
  ['a flag that replaces the variable', ['--insecure-http', 'edu'], { EDU_INSECURE_HTTP: '0.0.0.0' }],
])('refuses http with %s', async (_, words, env) => {
  const { service, url, edu } = await plainService();
  expect(await edu(words, env)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `Error: EDU_BASE_URL: "${url}" is not encrypted.
Hint: Use https. Plain http is allowed for this machine (127.0.0.1, localhost, [::1]), and for a host that you name, such as in a test: --insecure-http 0.0.0.0
`,
  });
  expect(service.requests).toEqual([]);
});

test.each([
  ['the flag', ['--insecure-http', 'edu', '--insecure-http=0.0.0.0'], {}],
  ['the variable', [], { EDU_INSECURE_HTTP: 'edu, 0.0.0.0' }],
  ['--quiet', ['-q', '--insecure-http', '0.0.0.0'], {}],
])('sends the token to a named host, and warns once, with %s', async (_, words, env) => {
  const { service, url, edu } = await plainService();
  // A proxy on another machine would see the token.
  const ran = await edu(words, { ...env, HTTP_PROXY: 'http://proxy.example:3128' });
  expect(ran).toMatchObject({
    code: 0,
    stderr: `Warning: ${url} is not encrypted: others on the network can read the access token (--insecure-http, EDU_INSECURE_HTTP).\n`,
  });
  expect(service.requests[0]?.headers.authorization).toMatch(/^Bearer /);
});

test('refuses a redirect to another http host', async () => {
  const location = 'http://edu.example/v1/account';
  const { service, edu } = await plainService({ 'GET /v1/account': { status: 302, headers: { location } } });
  const ran = await edu(['--insecure-http', '0.0.0.0', '--retries', '0']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('a redirect to another origin, http://edu.example');
  expect(service.requests).toHaveLength(1);
});

test.each(['http://0.0.0.0', '0.0.0.0:4010', '[', 'a/b'])('refuses %s as a host', async (host) => {
  const { edu } = await plainService();
  const stderr = `Error: --insecure-http: "${host}" is not a host name.\nHint: Give the name alone, without http:// and port.\n`;
  expect(await edu(['--insecure-http', host])).toMatchObject({ code: 2, stderr });
});

test('config set stores the address of a named host', async () => {
  const { service } = await plainService();
  const set = ['config', 'set', 'base-url', 'http://edu:4010'];
  expect((await run(set, { env: service.env })).stderr).toContain('"http://edu:4010" is not encrypted.');
  expect((await run([...set, '--insecure-http', 'EDU'], { env: service.env })).code).toBe(0);
});
