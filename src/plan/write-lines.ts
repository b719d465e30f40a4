/** Writes files of lines atomically, with mode 0600 because they contain names and addresses. */
import { statSync } from 'node:fs';
import { usageError } from '../core/errors.js';
import { codeOf, describeErrno, diskFullHint } from '../core/fs/disk-errors.js';
import { fileSink, type Sink } from '../core/fs/file-sink.js';

/**
 * Writes lines to a file, which is replaced when complete.
 * @param unique part of the temporary name
 * @throws EduError `usage` if the file cannot be written
 */
export function writeLines(file: string, lines: Iterable<string>, unique: string): void {
  let sink: Sink | undefined;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw usageError(`Cannot write ${file}: it is a folder.`, 'Name a file.');
    sink = fileSink(file, unique);
    for (const line of lines) sink.write(line);
    sink.end();
  } catch (error) {
    sink?.drop();
    if (codeOf(error) === undefined) throw error;
    const hint = diskFullHint(error, 'Name a file in a folder that you can write.');
    throw usageError(`Cannot write ${file}: ${describeErrno(error)}.`, hint);
  }
}
