/** `edu profiles use NAME --here` in folders that are linked, nested and moved. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { EDU, surroundings } from '../support/spawned.js';

it('follows links to the real folder, the nearest one, and names a folder whose profile is gone', async () => {
  const config = temporaryFolder();
  const env = surroundings({ EDU_CONFIG_DIR: config });
  const settings = join(config, 'settings.json');
  const profiles = { work: { 'base-url': 'https://work.example' }, test: { 'base-url': 'https://test.example' } };
  writeFileSync(settings, JSON.stringify({ profiles }));
  const root = realpathSync(temporaryFolder());
  const inner = join(root, 'a', 'inner');
  mkdirSync(inner, { recursive: true });
  symlinkSync(inner, join(root, 'link'));
  const edu = (cwd: string, ...argv: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [EDU, ...argv], { cwd, env, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };
  const profileIn = (cwd: string) => edu(cwd, 'config', 'get', 'profile').stdout.trim();
  expect(edu(root, 'profiles', 'use', 'work', '--here').code).toBe(0);
  expect(edu(join(root, 'link'), 'profiles', 'use', 'test', '--here').code).toBe(0);
  expect([root, join(root, 'a'), inner, join(root, 'link')].map(profileIn)).toEqual(['work', 'work', 'test', 'test']);
  // A folder of another name or place is not the folder that was chosen.
  renameSync(join(root, 'a'), join(root, 'b'));
  expect(profileIn(join(root, 'b', 'inner'))).toBe('work');
  const document = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...document, profiles: { test: profiles.test } }));
  expect(edu(root, 'account', 'show')).toMatchObject({ code: 2, stderr: expect.stringContaining(`folder ${root}`) });
});
