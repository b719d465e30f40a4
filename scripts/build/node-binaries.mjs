/**
 * Brings other Nodes than the one that runs this: the binaries that are published as npm packages, checked by npm against
 * the registry's digests, unpacked into a folder that stays. Nothing of them runs while they are installed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What is tested: the oldest that is promised (package.json "engines"), and one of each later line. */
export const NODES = /** @type {const} */ (['20.18.1', '22.23.3', '24.21.0', '26.10.0']);

/** Where they are kept: `EDU_NODES`, else the user's cache. */
const folder = process.env.EDU_NODES || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'edu', 'nodes');

const isWindows = process.platform === 'win32';

/**
 * @param {string} version
 * @returns {string} path of its `node`, for this platform
 */
export function bringNode(version) {
  const home = join(folder, `${version}-${process.platform}-${process.arch}`);
  const binary = join(home, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const aside = mkdtempSync(join(folder, '.making-'));
  try {
    const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}@${version}`;
    // npm refuses what does not have the digest that the registry names.
    const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', aside, name], {
      cwd: aside,
      encoding: 'utf8',
      shell: isWindows,
    });
    const members = [`package/bin/${isWindows ? 'node.exe' : 'node'}`, 'package/LICENSE'];
    execFileSync('tar', ['-xzf', join(aside, packed.trim()), '-C', aside, ...members]);
    try {
      renameSync(join(aside, 'package'), home);
    } catch (error) {
      // Another one was quicker.
      if (!existsSync(binary)) throw error;
    }
    return binary;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
