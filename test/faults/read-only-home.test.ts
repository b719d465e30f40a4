/** Read-only folders: the error and exit code of the program, and that no existing data is lost. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { type Exit, surroundings } from '../support/spawned.js';
import { CREATE, inShell, served, TOKEN } from './failing-disk.js';

let env: Record<string, string>;
let home: string;
beforeEach(() => {
  home = temporaryFolder();
  env = surroundings({ TMPDIR: home });
});

describe('a read-only home', () => {
  /** Root may write everywhere, unless it gives up that capability. */
  const readOnly = (argv: readonly string[], input = ''): Promise<Exit> =>
    process.geteuid?.() === 0
      ? inShell('exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"', argv, env, input)
      : inShell('exec "$@"', argv, env, input);

  let base: string;
  beforeEach(async () => {
    base = await served();
    const { EDU_CONFIG_DIR: _config, EDU_STATE_DIR: _state, ...others } = env;
    const user = join(home, 'user');
    mkdirSync(user);
    env = { ...others, EDU_BASE_URL: base, EDU_TOKEN: TOKEN, HOME: user, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
    chmodSync(user, 0o555);
    return () => chmodSync(user, 0o755);
  });

  test.each([
    [['--version']],
    [['help', 'bulk']],
    [['completion', 'zsh']],
    [['__complete', 'licenses', 'list', '--']],
    [['account', 'show']],
    [['licenses', 'list', '-o', 'ids']],
    [['licenses', 'list', '--sort', 'name', '-o', 'table']],
    [CREATE],
    [[...CREATE, '--dry-run']],
    [['config', 'list']],
    [['config', 'path']],
    [['profiles', 'list', '--json']],
    [['auth', 'status']],
    [['auth', 'token']],
    [['jobs', 'list', '--json']],
    [['offline', 'info', '--json']],
    [['doctor']],
    [['api', '/v1/account']],
  ])('is enough for %j', async (argv) => {
    const { code, stdout, stderr } = await readOnly(argv);
    expect(code, stderr).toBe(0);
    expect(stdout).not.toBe('');
    expect(readdirSync(join(home, 'user'))).toEqual([]);
  });

  test.each([
    [['config', 'set', 'language', 'NL'], 2, 'EDU_CONFIG_DIR'],
    [['licenses', 'create', '--count', '3', ...CREATE.slice(2)], 2, 'EDU_STATE_DIR'],
    [['--offline', 'licenses', 'list'], 1, 'EDU_STATE_DIR'],
    [['offline', 'reset', '--yes'], 1, 'EDU_STATE_DIR'],
  ])('is not enough for %j, and the hint says how to resume', async (argv, exit, name) => {
    const { code, stdout, stderr } = await readOnly(argv);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(join(home, 'user'));
    expect(stderr).toMatch(/E(ACCES|NOENT|ROFS)/);
    const hint = stderr.split('\n').filter((line) => line.startsWith('Hint: '));
    expect(hint).toHaveLength(1);
    expect(hint[0]).toContain(name);
    expect(stderr).not.toMatch(/bug|^\s+at /m);
    env = { ...env, [name]: join(home, 'elsewhere'), EDU_CODE_SECRET: 'not-to-be-guessed' };
    expect((await readOnly(argv)).code).toBe(0);
  });

  test('is reported by a login before a code is spent', async () => {
    const { EDU_TOKEN, ...without } = env;
    env = without;
    const { code, stderr } = await readOnly(['--base-url', base, 'auth', 'login', '--with-token'], EDU_TOKEN);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Error: Cannot write \S+\/edu\/private: .* \(E\w+\)\.\nHint: .*EDU_CONFIG_DIR.*EDU_TOKEN works without any file\./,
    );
  });
});
