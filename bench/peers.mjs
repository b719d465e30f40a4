/**
 * Installs the tools that `edu` is compared with from the npm registry into the user's cache, without their install
 * scripts. A tool that can't be installed is missing in the tables.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'edu', 'peers');

/**
 * Installs a package unless it is in the cache.
 * @param {string} name of the package
 * @param {string} version
 * @param {string} program one of its `bin`
 * @returns {string | undefined} path of the program; undefined if the package could not be installed
 */
export function installPeer(name, version, program) {
  const home = join(folder, `${name.replaceAll('/', '+')}@${version}`);
  const file = join(home, 'node_modules', '.bin', program);
  if (existsSync(file)) return file;
  process.stderr.write(`installing ${name} ${version} …\n`);
  mkdirSync(home, { recursive: true });
  try {
    const args = ['install', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', [...args, `${name}@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.stderr.write(`${name} ${version} could not be installed\n`);
  }
  return existsSync(file) ? file : undefined;
}

/** @param {string} program @returns {string | undefined} its path, if it is in a folder of `PATH` */
export function findOnPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((part) => join(part, program))
    .find((file) => existsSync(file));
}
