/** Requests around the commands: the remembered organization, file addresses, other origins, base URLs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../../support/run.js';
import { scriptedService, TOKEN } from '../../support/scripted-service.js';
import { skipWaits } from '../../support/skip-waits.js';
import { CALLER, page } from './case.js';

skipWaits();

const lines = (service: { readonly sent: readonly { readonly line: string }[] }) =>
  service.sent.map(({ line }) => line);

describe("the caller's own organization", () => {
  const answers = { ...CALLER, 'GET /v1/users': page('users', []), 'GET /v1/roles': { body: { roles: [] } } };

  test('is looked up once and remembered', async () => {
    const service = await scriptedService(answers);
    const env = { ...home(), ...service.env };
    await run(['users', 'list'], { env });
    await run(['users', 'list'], { env });
    await run(['roles', 'list'], { env });
    expect(lines(service)).toEqual([
      'GET /v1/account',
      'GET /v1/users/u1',
      'GET /v1/users',
      'GET /v1/users',
      'GET /v1/roles',
    ]);
  });

  test('is looked up again for another token', async () => {
    const service = await scriptedService(answers);
    const folders = home();
    await run(['users', 'list'], { env: { ...folders, ...service.env } });
    await run(['users', 'list'], {
      env: { ...folders, ...service.env, EDU_TOKEN: 'token-of-somebody-else' },
    });
    expect(lines(service).filter((line) => line === 'GET /v1/account')).toHaveLength(2);
  });

  test('is not looked up if the organization is given', async () => {
    const service = await scriptedService({ ...answers, 'GET /v1/schools/x': { body: { id: 'x' } } });
    await run(['users', 'list', '--organization', 'x', '--organization-type', 'School'], { env: service.env });
    expect(lines(service)).toEqual(['GET /v1/schools/x', 'GET /v1/users']);
  });
});

describe('files download', () => {
  const pdf = { body: '%PDF-1.4 the lesson', headers: { 'content-type': 'application/pdf' } };

  test('by an address of the service, with the token, into a file', async () => {
    const service = await scriptedService({ 'GET /v1/api/file/get/f%209': pdf }, '/edu');
    const file = join(temporaryFolder(), 'lesson.pdf');
    const ran = await run(['files', 'download', `${service.baseUrl}/v1/api/file/get/f%209`, '--to', file, '--json'], {
      env: service.env,
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({ path: file, bytes: 19 });
    expect(readFileSync(file, 'utf8')).toBe('%PDF-1.4 the lesson');
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test('by an address elsewhere, without the token', async () => {
    const service = await scriptedService();
    const storage = await scriptedService({ '*': pdf });
    const address = `http://localhost:${storage.port}/bucket/f9.pdf?signature=a%2Bb`;
    const ran = await run(['files', 'download', address, '--to', '-'], { env: service.env });
    expect(ran).toMatchObject({ code: 0, stdout: '%PDF-1.4 the lesson' });
    expect(service.sent).toEqual([]);
    expect(storage.requests[0]?.url).toBe('/bucket/f9.pdf?signature=a%2Bb');
    expect(storage.requests[0]?.headers.authorization).toBeUndefined();
  });
});

test.each(['', '/', '/edu', '/edu/', '/a/b%20c'])('accepts a base URL that ends in %j', async (path) => {
  const service = await scriptedService(CALLER, path.replace(/\/$/, ''));
  const ran = await run(['whoami', '-o', 'ids'], {
    env: { ...service.env, EDU_BASE_URL: `${service.baseUrl}${path.endsWith('/') ? '/' : ''}` },
  });
  expect(ran).toEqual({ code: 0, stdout: 'u1\n', stderr: '' });
  expect(lines(service)).toEqual(['GET /v1/account', 'GET /v1/users/u1']);
});

test('reports an account and an organization without IDs', async () => {
  const account = { id: null, email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [], permissions: [] };
  const unknown = await scriptedService({ 'GET /v1/account': { body: account } });
  const shown = await run(['whoami', '--json'], { env: unknown.env });
  expect([shown.code, JSON.parse(shown.stdout).organization]).toEqual([0, null]);
  expect(shown.stderr).toContain('The organization is not shown: the account has no ID');
  const nobodys = await scriptedService({
    ...CALLER,
    'GET /v1/users/u1': { body: { id: 'u1', organization: { id: null, type: null } } },
  });
  for (const { env, sent } of [unknown, nobodys]) {
    const ran = await run(['users', 'list', '--json'], { env });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      kind: 'invalid_response',
      hint: expect.stringContaining('--organization ID'),
    });
    expect(sent.filter(({ line }) => line === 'GET /v1/users')).toEqual([]);
  }
});

test('--base-url takes precedence over EDU_BASE_URL, which takes precedence over the profile', async () => {
  const meant = await scriptedService(CALLER);
  const other = await scriptedService(CALLER);
  await run(['whoami', '--base-url', meant.baseUrl], { env: other.env });
  expect(lines(meant)).toHaveLength(2);
  expect(other.sent).toEqual([]);
});

test('an editor address is printed, not fetched', async () => {
  const address = 'https://editor.example/edit?token=once';
  const service = await scriptedService({
    'GET /v1/books/b1': { body: { id: 'b1' } },
    'GET /v1/books/b1/editor': { body: { url: address } },
  });
  const printed = await run(['books', 'edit', 'b1', '--print-url'], { env: { ...service.env, EDU_OUTPUT: 'table' } });
  expect(printed).toEqual({ code: 0, stdout: `${address}\n`, stderr: '' });
  const quiet = await run(['books', 'edit', 'b1'], { env: { ...service.env, EDU_BROWSER: 'none' } });
  expect(quiet).toMatchObject({ code: 0, stdout: `${address}\n` });
  const queried = await run(['books', 'edit', 'b1', '--print-url', '--query', '{to: url}', '--header'], service);
  expect(queried).toMatchObject({ code: 0, stdout: `to\n${address}\n` });
  const once = ['GET /v1/books/b1', 'GET /v1/books/b1/editor'];
  expect(lines(service)).toEqual([...once, ...once, ...once]);
  const { env } = await scriptedService({ 'GET /v1/books/b1': {}, 'GET /v1/books/b1/editor': { body: { url: '' } } });
  expect(await run(['books', 'edit', 'b1', '--print-url'], { env })).toMatchObject({ code: 1, stdout: '' });
});
