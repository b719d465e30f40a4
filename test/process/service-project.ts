/** A folder in which the package is installed, as in the project of its users. Requires the build. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/run.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The command line of the project's vitest. */
export const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];

/** @param files content by name @returns a folder with these files and installed packages */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['vitest', 'undici'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(ROOT, join(folder, 'node_modules', 'edu-cli'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/**
 * Runs Node in a project, without the environment of this test.
 * @throws if it fails, with its output
 */
export const node = async (line: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, line, { cwd, env: { PATH: process.env.PATH } })).stdout;
