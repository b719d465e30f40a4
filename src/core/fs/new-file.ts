/** Creates files, safely even in folders that other users can write to. */
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { codeOf } from './disk-errors.js';

/** Creates a file for writing and replaces an existing one. A link is replaced, not followed. @throws the system's error */
export async function openNew(path: string): Promise<FileHandle> {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  return open(path, 'wx');
}
