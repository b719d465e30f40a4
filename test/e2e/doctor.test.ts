import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

let server: Server | undefined;
afterEach(() => server?.close());

/** A service whose account returns this status, and whose clock is off by a number of seconds. */
async function service(status: number, off = 0): Promise<string> {
  server = createServer((_, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      date: new Date(Date.now() + off * 1000).toUTCString(),
    });
    const account = {
      id: 'u1',
      email: 'a@b.example',
      firstName: 'A',
      lastName: 'B',
      avatar: null,
      roles: [],
      permissions: [{ resource: 'Book', operation: 'Create' }],
    };
    response.end(JSON.stringify(account));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const statuses = (stdout: string): Record<string, string> =>
  Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t').slice(0, 2) as [string, string]),
  );

describe('edu doctor', () => {
  it('finds nothing wrong with the bundled service', async () => {
    const { code, stdout } = await run(['doctor', '--offline']);
    expect(new Set(Object.values(statuses(stdout)))).toEqual(new Set(['ok']));
    expect(code).toBe(0);
  });
  it.each(['EDU_CONFIG_DIR', 'EDU_STATE_DIR'])('reports that %s is a file, which no command can use', async (name) => {
    const env = home();
    writeFileSync(env.EDU_STATE_DIR, '');
    const ran = await run(['doctor'], {
      env: { ...env, EDU_BASE_URL: await service(200), EDU_TOKEN: 't', [name]: env.EDU_STATE_DIR },
    });
    expect([ran.code, statuses(ran.stdout).Folders]).toEqual([2, 'problem']);
    expect(ran.stdout).toContain(`Cannot use ${env.EDU_STATE_DIR}: it is not a folder`);
  });
  it.each([
    ['a broken file', {}, '{', 'line 1, column 2 is not valid JSON'],
    ['a variable', { EDU_LANGUAGE: 'xx', EDU_OUTPUT: 'yy' }, '{}', 'EDU_LANGUAGE must be'],
    ['a profile', { EDU_PROFILE: 'nosuch' }, '{}', 'there is no profile "nosuch"'],
  ])('reports settings that are invalid because of %s, after the other checks', async (_, more, content, message) => {
    const env = { ...home(), ...more };
    mkdirSync(env.EDU_CONFIG_DIR, { recursive: true });
    writeFileSync(join(env.EDU_CONFIG_DIR, 'settings.json'), content);
    const { code, stdout, stderr } = await run(['doctor'], { env });
    expect(code).toBe(2);
    expect(statuses(stdout)).toMatchObject({ Node: 'ok', Settings: 'problem', Proxy: 'skipped', Terminal: 'ok' });
    for (const text of [stdout, stderr]) expect(text).toContain(message);
  });
  it.each(['profiles list', 'config list', 'doctor', 'schools list'])(
    'keeps the format beside them: %s',
    async (line) => {
      const env = { ...home(), EDU_LANGUAGE: 'XX' };
      await run(['config', 'set', 'output', 'json'], { env });
      const { stdout, stderr } = await run(line.split(' '), { env });
      expect(JSON.parse(stdout || stderr)).toBeInstanceOf(Object);
    },
  );
  it('names the command to run when no base URL is set', async () => {
    const { code, stdout, stderr } = await run(['doctor']);
    expect(statuses(stdout)).toMatchObject({ Node: 'ok', Settings: 'problem' });
    // What was not looked at is not reported as fine or missing.
    expect(statuses(stdout)).toMatchObject({ Proxy: 'skipped', Connection: 'skipped', Login: 'skipped' });
    expect(stdout).toContain('edu auth login');
    expect(stderr).toContain('No base URL: it is set neither by');
    expect(code).toBe(2);
  });
  it('distinguishes a refused token, a missing one, and a service that cannot be reached', async () => {
    const env = { EDU_BASE_URL: await service(401), EDU_TOKEN: 'secret-token-1' };
    const refused = await run(['doctor'], { env });
    expect(statuses(refused.stdout)).toMatchObject({ Connection: 'ok', Login: 'problem' });
    expect(refused.code).toBe(4);
    const unreachable = await run(['doctor', '--retries', '0'], {
      env: { EDU_BASE_URL: 'http://127.0.0.1:1', EDU_TOKEN: 'secret-token-1' },
    });
    expect(statuses(unreachable.stdout)).toMatchObject({ Connection: 'problem' });
    expect(unreachable.code).toBe(7);
    const missing = await run(['doctor'], { env: { EDU_BASE_URL: await service(401), EDU_TOKEN: '' } });
    expect(statuses(missing.stdout)).toMatchObject({ Connection: 'skipped', Login: 'problem' });
    expect([missing.code, missing.stdout]).toEqual([4, expect.stringContaining('You are not logged in')]);
    const there = await service(401);
    const flagged = await run(['doctor', '--base-url', there], { env: { EDU_TOKEN: '' } });
    expect(flagged.stdout).toContain(`\`edu auth login --base-url ${there}\``);
    expect(refused.stdout + refused.stderr + unreachable.stdout + unreachable.stderr).not.toContain('secret-token-1');
  });
  it('says what it could not check: permissions and clock that the service does not return', async () => {
    const { env } = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example' }, headers: { date: 'x' } },
    });
    const { code, stdout } = await run(['doctor'], { env });
    expect(statuses(stdout)).toMatchObject({ Login: 'ok', Permissions: 'skipped', Clock: 'skipped' });
    expect(stdout).toContain('not checked: the service does not return them');
    expect(stdout).toMatch(/^Login\tok\t<a@b\.example>, token /m);
    expect(code).toBe(0);
  });
  it('names an account of blank fields by its ID, as the login does', async () => {
    const blank = { id: 'u1', email: null, firstName: null, lastName: null, roles: [], permissions: [] };
    const { env } = await scriptedService({ 'GET /v1/account': { body: blank } });
    expect((await run(['doctor'], { env })).stdout).toMatch(/^Login\tok\tu1, token /m);
    const { stderr } = await run(['login', '--with-token'], { env: { ...env, EDU_TOKEN: '' }, input: 'a-token' });
    expect(stderr).toMatch(/^Logged in as u1 at /);
  });
  it('detects a wrong clock', async () => {
    const env = { EDU_BASE_URL: await service(200, 600), EDU_TOKEN: 'secret-token-1' };
    const { code, stdout } = await run(['doctor'], { env });
    expect(statuses(stdout)).toMatchObject({ Clock: 'warning', Login: 'ok', Permissions: 'ok' });
    expect(stdout).toMatch(/600 s apart|599 s apart/);
    expect(code).toBe(0);
  });
  it('shows a checklist on a terminal, no wider than the terminal', async () => {
    const { stdout } = await run(['doctor', '--offline', '--no-color'], { terminal: 60 });
    expect(stdout).toMatch(/^✓ Node {10}edu /);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});
