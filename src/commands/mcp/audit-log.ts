/** The log of requests of assistants: one line of JSON for each, in the state folder. */
import { closeSync, fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, writing } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { appendRegularFile, readRegularFile } from '../../core/fs/regular-file.js';
import { replaceFile, writeAll } from '../../core/fs/write-file.js';
import type { Env } from '../../core/io.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { ownState } from '../../settings/folders.js';

export interface Logged {
  /** ISO 8601. */
  readonly time: string;
  readonly session: string;
  readonly tool: string;
  readonly asked: string;
  readonly outcome: string;
  readonly milliseconds: number;
}

/** A full log is renamed; the one before it is deleted. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ASKED = 2000;

const logFile = (env: Env): string => join(ownState(env, 'mcp'), 'log.ndjson');

/**
 * Opens the log. @returns appends an entry, with one write so that entries of several sessions do not mix; a full disk
 * loses the entry, not the outcome of what was done
 * @throws EduError `usage` if the log cannot be written
 */
export function openLog(env: Env): (entry: Logged) => void {
  const file = logFile(env);
  const handle = writing(file, () => {
    ensureFolder(ownState(env, 'mcp'));
    return appendRegularFile(file);
  });
  return (entry) => {
    const { asked } = entry;
    const short = asked.length > MAX_ASKED ? `${asked.slice(0, MAX_ASKED)}… (${asked.length} characters)` : asked;
    try {
      writeAll(handle, `${JSON.stringify({ ...entry, asked: short })}\n`);
      const { size, ino } = fstatSync(handle);
      // Another session may have renamed it already.
      if (size >= MAX_BYTES && statSync(file).ino === ino) replaceFile(file, `${file}.old`);
    } catch {
      // Described above.
    } finally {
      closeSync(handle);
    }
  };
}

function linesOf(file: string): readonly string[] {
  try {
    return readRegularFile(file, 2 * MAX_BYTES).split('\n');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The entries, oldest first. A line that a killed session cut is left out. */
export function readLog(env: Env): readonly JsonObject[] {
  const file = logFile(env);
  return [...linesOf(`${file}.old`), ...linesOf(file)].flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isObject(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}
