/** Files that this process has open, on Linux. */
import { readdirSync, readlinkSync } from 'node:fs';

/** Paths of the open files in a folder; none on other systems. */
export function openFilesIn(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(`${folder}/`) ? [path] : [];
    } catch {
      // It was that of the list itself.
      return [];
    }
  });
}
