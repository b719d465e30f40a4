/** Opens new files for writing, also in folders that other users can write. */
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { codeOf } from './disk-errors.js';

/** Opens a new file in place of what has its name: a link there is replaced, never written through. @throws the system's error */
export async function openNew(path: string): Promise<FileHandle> {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  return open(path, 'wx');
}
