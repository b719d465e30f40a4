/** Things that are no regular files of usual size, to put in place of a file. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

export const ODD: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void spawnSync('mkfifo', ['-m', '600', path]),
  'a device without end': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => void mkdirSync(path, { mode: 0o700 }),
  'a file without end': (path) => {
    writeFileSync(path, '', { mode: 0o600 });
    spawnSync('truncate', ['-s', '5T', path]);
  },
};

/** Puts one of them in place of a file. @param odd its name */
export function replace(path: string, odd: string): void {
  rmSync(path, { recursive: true, force: true });
  ODD[odd]?.(path);
}
