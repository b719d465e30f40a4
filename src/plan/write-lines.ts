/** Writes files of lines atomically, with mode 0600 because they contain names and addresses. */
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../core/errors.js';
import { replaceFile } from '../core/fs/atomic-rename.js';
import { describeErrno, diskFullHint } from '../core/fs/disk-errors.js';
import { processTag, removeAbandoned } from '../core/fs/temporary.js';
import { writeAll } from '../core/fs/write-all.js';

/** UTF-16 units per write. */
const PIECE = 64 * 1024;

function writePieces(handle: number, lines: Iterable<string>): void {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    writeAll(handle, piece);
    piece = '';
  }
  writeAll(handle, piece);
  fsyncSync(handle);
}

/**
 * Writes a temporary file and renames it over the target.
 * @param unique part of the temporary name
 * @throws EduError `usage` if the file cannot be written
 */
export function writeLines(file: string, lines: Iterable<string>, unique: string): void {
  const folder = dirname(file);
  const name = `.${basename(file)}.`;
  const temporary = join(folder, `${name}${processTag()}.${unique}`);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw usageError(`Cannot write ${file}: it is a folder.`, 'Name a file.');
    removeAbandoned(folder, (left) => left.startsWith(name));
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writePieces(handle, lines);
    } finally {
      closeSync(handle);
    }
    replaceFile(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof Error && 'code' in error)
      throw usageError(
        `Cannot write ${file}: ${describeErrno(error)}.`,
        diskFullHint(error, 'Name a file in a folder that you can write.'),
      );
    throw error;
  }
}
