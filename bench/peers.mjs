/**
 * Other tools to measure beside `edu`, brought from the npm registry into the user's cache: nothing of them runs while
 * they are installed, and they stay for the next time. One that can't be had is left out of the tables.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'edu', 'peers');

/**
 * The program of a package, installed when it is not there yet.
 * @param {string} name of the package
 * @param {string} version
 * @param {string} program one of its `bin`
 * @returns {string | undefined} its path
 */
export function brought(name, version, program) {
  const home = join(folder, `${name.replaceAll('/', '+')}@${version}`);
  const file = join(home, 'node_modules', '.bin', program);
  if (existsSync(file)) return file;
  process.stderr.write(`bringing ${name} ${version} …\n`);
  mkdirSync(home, { recursive: true });
  try {
    const args = ['install', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', [...args, `${name}@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.stderr.write(`${name} ${version} can't be had here\n`);
  }
  return existsSync(file) ? file : undefined;
}

/** A program that is installed on this machine. @param {string} program */
export function installed(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((part) => join(part, program))
    .find((file) => existsSync(file));
}
