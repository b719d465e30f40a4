/** A small disk of a given size: a file system in memory, which root or sudo can mount. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function privileged(...words: readonly string[]): boolean {
  const [program = '', ...args] = process.geteuid?.() === 0 ? words : ['sudo', '-n', ...words];
  return spawnSync(program, args).status === 0;
}

export interface SmallDisk {
  readonly path: string;
  /**
   * Fills the remaining space.
   * @returns a function that frees it
   */
  fill(): () => void;
  readOnly(): void;
  remove(): void;
}

/**
 * @param kibibytes its size
 * @returns undefined if it cannot be mounted
 */
export function smallDisk(kibibytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'edu-disk-'));
  const owner = `uid=${process.geteuid?.()},gid=${process.getegid?.()},mode=700`;
  if (!privileged('mount', '-t', 'tmpfs', '-o', `size=${kibibytes}k,${owner}`, 'tmpfs', path)) {
    rmdirSync(path);
    return undefined;
  }
  return {
    path,
    fill() {
      const file = join(path, 'filler');
      const handle = openSync(file, 'w');
      try {
        for (;;) writeSync(handle, Buffer.alloc(4096));
      } catch {
      } finally {
        closeSync(handle);
      }
      return () => rmSync(file);
    },
    readOnly() {
      if (!privileged('mount', '-o', 'remount,ro', path)) throw new Error(`${path} can't be made read-only`);
    },
    remove() {
      if (!privileged('umount', path)) throw new Error(`${path} can't be unmounted`);
      rmdirSync(path);
    },
  };
}

/** Whether one can be mounted. */
export function hasSmallDisks(): boolean {
  const disk = smallDisk(64);
  disk?.remove();
  return disk !== undefined;
}
