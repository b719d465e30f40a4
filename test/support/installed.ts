/** Packages that a few tests run, and that would be many megabytes of dependencies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CACHE = resolve('node_modules/.cache/installed');

/**
 * Installs a package with its dependencies into a folder of its own, unless that is done already.
 * @param spec name and exact version, such as `a@1.2.3`
 * @returns the `node_modules` folder that contains it
 */
export function installed(spec: string): string {
  const modules = join(CACHE, spec.replaceAll('/', '+'), 'node_modules');
  if (existsSync(modules)) return modules;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, '.making-'));
  const line = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', spec];
  execFileSync('npm', line, { stdio: 'ignore', shell: process.platform === 'win32' });
  try {
    renameSync(folder, join(modules, '..'));
  } catch (error) {
    // Another process has put the same package there.
    if (!existsSync(modules)) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
  return modules;
}
