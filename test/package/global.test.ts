/** `npm install -g` of the tarball, as a user runs it, on every supported Node: program, man pages, completion. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { fetchNode, NODES } from '../../scripts/build/node-binaries.mjs';
import { hasNodeSqlite } from '../../src/service/store/sqlite.js';
import { sharedFolder } from '../support/run.js';
import { worldOf } from './program.js';

const { version, man } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as {
  readonly version: string;
  readonly man: readonly string[];
};
const folder = sharedFolder();

const which = (program: string): string => execFileSync('which', [program], { encoding: 'utf8' }).trim();
const NPM = realpathSync(which('npm'));

describe.each(NODES)('on Node %s', (node) => {
  const home = join(folder, node);
  const prefix = join(home, 'prefix');
  const binary = fetchNode(node);
  const path = [dirname(binary), '/usr/bin', '/bin'].join(delimiter);
  /** No settings of the person who runs the tests, no registry, an empty cache. */
  const npm = (...words: readonly string[]): string =>
    execFileSync(binary, [NPM, ...words, '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund'], {
      encoding: 'utf8',
      env: { PATH: path, HOME: home, npm_config_cache: join(home, 'cache'), npm_config_update_notifier: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const program = { file: join(prefix, 'bin/edu'), path };

  test('the program is on PATH, and works', async () => {
    npm('install', inject('tarball'));
    const { edu } = worldOf(program);
    expect(await edu(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const list = await edu(['licenses', 'list', '--limit', '1', '-o', 'ids', '--quiet']);
    if (hasNodeSqlite(node)) expect(list).toMatchObject({ code: 0, stdout: '00000001\n' });
    else expect(list.stderr).toContain('npm install --global libsql@');
  });

  test('man finds every man page', () => {
    const pages = ['man1', 'man7'].flatMap((section) => readdirSync(join(prefix, 'share/man', section)));
    expect(pages.sort()).toEqual(man.map((one) => one.split('/').at(-1)).sort());
    for (const page of ['man1/edu.1', 'man1/edu-licenses-create.1', 'man7/edu-exit-codes.7'])
      expect(readFileSync(join(prefix, 'share/man', page), 'utf8')).toContain('.TH "EDU');
  });

  test('the documented line switches completion on', () => {
    const page = readFileSync(join(prefix, 'lib/node_modules/edu-cli/docs/reference/completion.md'), 'utf8');
    const line = 'edu completion bash > edu-completion.bash && source edu-completion.bash';
    expect(page).toContain(line);
    const script = `${line} && complete -p edu && COMP_WORDS=(edu lic) COMP_CWORD=1 COMP_LINE='edu lic' COMP_POINT=7 && _edu && printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: [join(prefix, 'bin'), path].join(delimiter), HOME: home };
    const said = execFileSync('bash', ['--norc', '-c', script], { cwd: home, env, encoding: 'utf8' });
    expect(said).toMatch(/^complete .* edu\n[\s\S]*licenses/);
  });

  test('uninstalling leaves nothing', () => {
    npm('uninstall', 'edu-cli');
    const left = readdirSync(prefix, { recursive: true, encoding: 'utf8' }).filter((one) => one.includes('edu'));
    expect(left).toEqual([]);
    expect(existsSync(program.file)).toBe(false);
  });
});
