/** The CI recipes: their scripts run here as they stand, and the jobs around them are well-formed. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { home, temporaryFolder } from '../support/run.js';

const run = promisify(execFile);
const recipes = resolve('docs/recipes');
const edu = `${process.execPath} ${resolve('bin/edu.js')}`;

describe('nightly.sh', () => {
  it('exports, compares with the night before, and ends with 0 though something changed', async () => {
    const env = { PATH: process.env.PATH, ...home(), EDU: edu, EDU_OFFLINE: '1' };
    const folder = join(temporaryFolder(), 'exports');
    const night = () => run('bash', [join(recipes, 'nightly.sh'), folder], { env });
    const changes = () => readFileSync(join(folder, 'changes.txt'), 'utf8');
    await night();
    expect(changes()).toContain('first export');
    await night();
    expect(changes()).toBe('No differences.\n');
    await run('bash', ['-c', `${edu} licenses delete code:0012345 --yes`], { env });
    await night();
    expect(changes()).toContain('  - 00000002 0012345');
    expect(readdirSync(folder).sort()).toEqual(['changes.txt', 'today', 'yesterday']);
  });

  it('leaves the exports of the nights before alone when one fails', async () => {
    const env = { PATH: process.env.PATH, ...home(), EDU: edu };
    const folder = join(temporaryFolder(), 'exports');
    const night = (more: Record<string, string>) =>
      run('bash', [join(recipes, 'nightly.sh'), folder], { env: { ...env, ...more } });
    await night({ EDU_OFFLINE: '1' });
    const before = readFileSync(join(folder, 'today', 'manifest.json'), 'utf8');
    await expect(night({ EDU_BASE_URL: 'http://127.0.0.1:9' })).rejects.toMatchObject({ code: 4 });
    expect(readFileSync(join(folder, 'today', 'manifest.json'), 'utf8')).toBe(before);
  });
});

/** The scripts of a job: what stands behind `run:`, and the items of `script:` and `before_script:`. */
function scriptsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^( *)(?:- )?run: \|\n((?:\1 .*\n|\n)+)/gm)].map(([, , block = '']) => block);
  const lines = [...text.matchAll(/^ *(?:- )?run: ([^|\n].*)$/gm)].map(([, line = '']) => line);
  const lists = [...text.matchAll(/^ *(?:before_)?script:\n((?: {4}.*\n)+)/gm)].map(([, list = '']) =>
    list.replace(/^ *- /gm, ''),
  );
  return [...blocks, ...lines, ...lists];
}

describe('jobs', () => {
  it.each(['github-actions.yml', 'gitlab-ci.yml'])('%s runs the script, and its shell is well-formed', async (name) => {
    const text = readFileSync(join(recipes, name), 'utf8');
    const scripts = scriptsIn(text);
    expect(scripts.join('\n')).toContain('./nightly.sh exports');
    for (const script of scripts) await run('bash', ['-n', '-c', script]);
    expect(text).not.toMatch(/\t/);
    // YAML: two blanks for each level, and no text whose colon would make it a mapping.
    for (const line of text.split('\n'))
      expect(/^ */.exec(line)?.[0].length ?? 0, line).toSatisfy((blanks) => Number(blanks) % 2 === 0);
  });
});

describe('rehearsal.md', () => {
  it('does what it says, with a job that creates a licence', async () => {
    const [block = ''] =
      /```sh\n([\s\S]*?)```/.exec(readFileSync(join(recipes, 'rehearsal.md'), 'utf8'))?.slice(1) ?? [];
    const folder = temporaryFolder();
    // "Real" is a state of its own here; the rehearsal has another.
    const script = [
      'set -e',
      `real() { EDU_STATE_DIR=${folder}/real EDU_OFFLINE=1 ${edu} "$@"; }`,
      `copy() { EDU_STATE_DIR=${folder}/copy EDU_OFFLINE=1 ${edu} "$@"; }`,
      `edu() { if [ "\${EDU_OFFLINE-}" = 1 ] || [ "$1" = offline ]; then copy "$@"; else real "$@"; fi; }`,
      'job() { edu licenses create --name X --code rehearsed1 --type Teacher --maximum-activations 1 --quiet; }',
      block.replaceAll('./the-job.sh', 'job'),
    ].join('\n');
    const env = { PATH: process.env.PATH, ...home() };
    const { stdout } = await run('bash', ['-c', script], { env, cwd: folder });
    expect(stdout).toMatch(/ {2}\+ [0-9a-f]+ rehearsed1 X\n1 added\n/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('No differences.');
  });
});
