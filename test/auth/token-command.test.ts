/** `token-command` and EDU_TOKEN_COMMAND: the access token from a program. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokenFromCommand } from '../../src/auth/credentials/token-command.js';
import { recordingServer } from '../support/recording-server.js';
import { home, run, temporaryFolder } from '../support/run.js';

const TOKEN = 'token-from-the-keychain-1234';

/** A program, and the number of its runs. */
function program(script: string, mode = 0o755) {
  const folder = temporaryFolder();
  const file = join(folder, 'keychain');
  const runs = join(folder, 'runs');
  writeFileSync(runs, '');
  writeFileSync(file, `#!/bin/sh\necho run >> ${runs}\n${script}\n`);
  chmodSync(file, mode);
  return { folder, file, runs: () => readFileSync(runs, 'utf8').split('\n').length - 1 };
}

const status = async (env: Record<string, string>, more: readonly string[] = []) => {
  const ran = await run(['auth', 'status', '--offline-check', '--json', ...more], { env });
  return { ...ran, ...(ran.code === 0 ? { shown: JSON.parse(ran.stdout) } : {}) };
};

describe('a token command', () => {
  it('is run once in a process, without a shell and without secrets', async () => {
    const server = await recordingServer(() => ({ body: { id: 'u1', permissions: [] } }));
    const { file, runs } = program(`[ "$#" = 2 ] && [ "$2" = 'a b;c' ] && [ -z "$EDU_CODE_SECRET" ] && echo ${TOKEN}`);
    const env = {
      ...home(),
      EDU_BASE_URL: server.origin,
      EDU_CODE_SECRET: 'secret',
      EDU_TOKEN_COMMAND: `${file} show 'a b;c'`,
    };
    expect(await status(env)).toMatchObject({
      shown: { source: 'command', from: 'EDU_TOKEN_COMMAND', token: '****1234' },
    });
    expect((await run(['account', 'show'], { env })).code).not.toBe(4);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(runs()).toBe(1);
    expect(await status({ ...env, EDU_TOKEN: 'other-token-of-20-letters' })).toMatchObject({
      shown: { source: 'environment' },
    });
    await server.close();
  });

  it('is found in absolute folders of PATH', async () => {
    const { folder } = program(`echo ${TOKEN}`);
    const env = { ...home(), EDU_BASE_URL: 'https://a.example', EDU_TOKEN_COMMAND: 'keychain found' };
    expect(await status({ ...env, PATH: folder })).toMatchObject({ shown: { source: 'command' } });
  });

  it.each([
    ['exit 3', 'it ended with exit code 3'],
    ['true', 'it printed nothing'],
    ['echo a; echo secret-token', 'contains no valid access token'],
    ['kill -9 $$', 'it was ended by SIGKILL'],
    ['yes secret-token | head -c 200000', 'it printed more than 64 kB'],
    ['echo secret-token >&2', 'it printed nothing'],
    ['echo secret token', 'contains no valid access token'],
    ["printf 'secret-token\\tx'", 'contains no valid access token'],
  ])('that fails is named, without its output: %s', async (script, reason) => {
    const env = { ...home(), EDU_BASE_URL: 'https://a.example', EDU_TOKEN_COMMAND: program(script).file };
    const { code, stderr } = await status(env);
    expect([code, stderr]).toEqual([reason.startsWith('contains') ? 2 : 4, expect.stringContaining(reason)]);
    expect(stderr).not.toContain('secret-token');
  });

  it('is refused if it is relative, missing, or open to all users', async () => {
    const open = program(`echo ${TOKEN}`, 0o777);
    const link = join(temporaryFolder(), 'keychain');
    symlinkSync(open.file, link);
    const shared = program(`echo ${TOKEN}`);
    chmodSync(shared.folder, 0o777);
    for (const [command, reason] of [
      ['./keychain', 'it is not an absolute path'],
      ['nosuchprogram', 'it is not in a folder of PATH'],
      ['/nonexistent/keychain', 'there is no such program'],
      [open.file, 'every user of this machine can change'],
      [link, 'every user of this machine can change'],
      [shared.file, 'every user of this machine can change'],
    ] as const) {
      const env = { ...home(), EDU_BASE_URL: 'https://a.example', PATH: '.', EDU_TOKEN_COMMAND: command };
      expect(await status(env)).toMatchObject({ code: 4, stderr: expect.stringContaining(reason) });
    }
    expect([open.runs(), shared.runs()]).toEqual([0, 0]);
  });

  it('is killed when it does not end, even if it ignores SIGTERM', () => {
    const { file } = program("trap '' TERM; while :; do read -r line </dev/zero; done");
    const command = { value: file, from: 'EDU_TOKEN_COMMAND' };
    expect(() => tokenFromCommand(command, {}, { timeoutMs: 200 })).toThrow('it did not end within 0.2 s');
  });

  it.each([401, 403])('is asked once more when the service rejects its token with %d', async (status) => {
    const valid = 'token-2';
    const server = await recordingServer(({ headers, url }) => {
      if (headers.authorization !== `Bearer ${valid}`) return { status, body: { message: 'expired' } };
      return url.startsWith('/v1/account') ? { body: { id: 'u1', permissions: [] } } : { body: { id: 's', name: 'S' } };
    });
    const { folder, file, runs } = program('');
    const count = join(folder, 'runs');
    writeFileSync(file, `#!/bin/sh\necho run >> ${count}\nprintf "token-$(grep -c run ${count})"\n`);
    const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN_COMMAND: file };
    expect((await run(['schools', 'get', 'id:s'], { env })).code).toBe(0);
    expect(runs()).toBe(2);
    // A token that is rejected again is not asked for again and again.
    const other = { ...env, EDU_TOKEN_COMMAND: `${file} other` };
    const refused = await run(['api', 'schools/s', '--retries', '0'], { env: other });
    expect([refused.code, runs()]).toEqual([4, 4]);
    expect(refused.stderr).not.toContain('token-3');
    expect(refused.stderr).toContain('EDU_TOKEN_COMMAND takes precedence over a login: make it print a valid token');
    await server.close();
  });

  it('of a profile gives its token to the service of the profile only', async () => {
    const env = home();
    const { file, runs } = program(`echo ${TOKEN}`);
    for (const [name, value] of [
      ['base-url', 'https://own.example'],
      ['token-command', `${file} own`],
    ] as const)
      expect((await run(['config', 'set', name, value], { env })).code).toBe(0);
    expect(await status(env)).toMatchObject({ shown: { from: 'token-command of profile default' } });
    expect((await run(['profiles', 'list', '--query', '[].loggedIn'], { env })).stdout).toBe('true\n');
    const own = await status(env, ['--base-url', 'https://own.example/v2']);
    expect(own).toMatchObject({ code: 0, shown: { from: 'token-command of profile default' } });
    const other = await status(env, ['--base-url', 'https://other.example']);
    expect(other.code).toBe(4);
    expect(runs()).toBe(1);
    const unset = 'edu config unset token-command --profile default';
    const login = await run(['login', '--no-browser'], { env });
    expect([login.code, login.stderr]).toEqual([2, expect.stringContaining(`Unset it first: ${unset}`)]);
    const logout = await run(['logout'], { env });
    expect([logout.code, logout.stderr]).toEqual([0, expect.stringContaining(`will be used. Unset it: ${unset}`)]);
  });

  it('is not read from settings that others can write', async () => {
    const env = home();
    const { file, runs } = program(`echo ${TOKEN}`);
    mkdirSync(env.EDU_CONFIG_DIR, { recursive: true });
    const settings = join(env.EDU_CONFIG_DIR, 'settings.json');
    const profile = { 'base-url': 'https://own.example', 'token-command': `${file} x` };
    writeFileSync(settings, JSON.stringify({ profiles: { default: profile } }));
    chmodSync(settings, 0o666);
    expect((await status(env)).code).toBe(2);
    expect(runs()).toBe(0);
  });
});
