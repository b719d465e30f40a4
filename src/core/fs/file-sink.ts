/** Writes text to a temporary file (0600), which is renamed to its target when complete. */
import { closeSync, constants, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { replaceFile } from './atomic-rename.js';
import { processTag, removeAbandoned } from './temporary.js';
import { writeAll } from './write-all.js';

export type Sink = ReturnType<typeof fileSink>;

/** UTF-16 units of text per write. */
const BLOCK = 64 * 1024;

/** Opens a pipe or device. @throws the system's error; ENXIO if nothing reads from a pipe, instead of waiting for a reader */
function openPipe(file: string): number {
  // Held until the pipe is open for blocking writes: its reader must not see an end before.
  const probe = openSync(file, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return openSync(file, 'w');
  } finally {
    closeSync(probe);
  }
}

/**
 * Opens a file for writing. A pipe or device is written directly, because it cannot be replaced.
 * @param unique part of the temporary name
 * @throws the system's error if the file cannot be written, as `write` and `end` do
 */
export function fileSink(file: string, unique: string, encode: (text: string) => Buffer = Buffer.from) {
  const facts = statSync(file, { throwIfNoEntry: false });
  const replaces = facts === undefined || facts.isFile();
  const target = replaces ? `${file}.${processTag()}.${unique}.part` : file;
  const name = `${basename(file)}.`;
  if (replaces) removeAbandoned(dirname(file), (left) => left.startsWith(name) && left.endsWith('.part'));
  const handle = replaces ? openSync(target, 'wx', 0o600) : openPipe(file);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  let waiting = '';
  const flush = (): void => {
    const bytes = encode(waiting);
    waiting = '';
    writeAll(handle, bytes);
  };
  return {
    write(text: string): void {
      waiting += text;
      if (waiting.length >= BLOCK) flush();
    },
    /** Renames the temporary file to its target. */
    end(): void {
      flush();
      if (replaces) fsyncSync(handle);
      close();
      if (replaces) replaceFile(target, file);
    },
    /** Removes the temporary file. */
    drop(): void {
      close();
      if (replaces) rmSync(target, { force: true });
    },
  };
}
