/** Replaces the content of a file atomically: it is written to a temporary file, which is renamed. */
import { rmSync, writeFileSync } from 'node:fs';
import { replaceFile } from './atomic-rename.js';
import { processTag } from './temporary.js';

interface Options {
  /** Part of the temporary file's name, if this process may write the file twice at once. */
  readonly unique?: string;
  readonly mode?: number;
  /** Write to disk before renaming, so that a power failure cannot truncate the file. */
  readonly flush?: boolean;
}

/** @throws the system's error; the file is then unchanged */
export function replaceContent(
  file: string,
  content: string | Uint8Array,
  { unique = '', mode = 0o600, flush = false }: Options = {},
): void {
  const temporary = [file, processTag(), unique].filter(Boolean).join('.');
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode, flush });
    replaceFile(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
