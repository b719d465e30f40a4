/**
 * Replays the examples of docs/contributing.md: applies their patches to a copy of the sources, runs their commands
 * there, and compares the output with the page.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/run.js';

const execute = promisify(execFile);
const PAGE = 'docs/contributing.md';

/** The current sources in a git repository, with the packages of this one. @returns runs a line there */
async function clone(): Promise<(line: string) => Promise<string>> {
  const home = temporaryFolder();
  const folder = join(home, 'clone');
  const listed = await execute('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const name of listed.stdout.split('\0').filter((one) => one !== '' && existsSync(one))) {
    cpSync(name, join(folder, name), { verbatimSymlinks: true });
  }
  // A new folder, because the build puts a link into it.
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(resolve('node_modules'))) {
    if (name === '.bin')
      cpSync(resolve('node_modules/.bin'), join(packages, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(packages, name));
  }
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    EDU_STATE_DIR: join(home, 'state'),
    EDU_CONFIG_DIR: join(home, 'config'),
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const run = async (line: string): Promise<string> => {
    const ran = await execute('bash', ['-c', line], { cwd: folder, env, maxBuffer: 1 << 24 }).catch((error) => error);
    expect(ran.code ?? 0, `${line}\n${ran.stdout}${ran.stderr}`).toBe(0);
    return ran.stdout;
  };
  await run('git init -q && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm before');
  return run;
}

/** A console session → its lines after `$`, each with its output. */
function linesOf(session: string): { readonly line: string; readonly shown: string }[] {
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...shown] = part.split('\n');
      return { line, shown: shown.join('\n') };
    });
}

const EXAMPLES = {
  'Add a command': 'command.diff',
  'Add a resource': 'resource.diff',
};

it.each(Object.entries(EXAMPLES))('%s: works as the page says', { timeout: 480_000 }, async (title, patch) => {
  const [, example = ''] =
    new RegExp(`^## ${title}[^\\n]*\\n(.*?)^## `, 'ms').exec(readFileSync(resolve(PAGE), 'utf8')) ?? [];
  const blocks = [...example.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text = '']) => ({
    language,
    text,
  }));
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'console']);
  expect(example).toContain(`contributing/${patch}`);
  const run = await clone();
  await run(`git apply test/slow/contributing/${patch}`);
  for (const { language, text } of blocks) {
    if (language === 'sh') await run(`set -e\n${text}`);
    else for (const { line, shown } of linesOf(text)) expect(await run(line), line).toBe(shown);
  }
});
