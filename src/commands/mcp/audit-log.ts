/** The log of requests of assistants: one line of JSON for each, in the state folder. */
import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../core/fs/disk-errors.js';
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

/** Appends an entry, with one write so that entries of several sessions do not mix. @throws the system's error */
export function logRequest(env: Env, entry: Logged): void {
  const file = logFile(env);
  ensureFolder(ownState(env, 'mcp'));
  const handle = appendRegularFile(file);
  try {
    const { asked } = entry;
    const short = asked.length > MAX_ASKED ? `${asked.slice(0, MAX_ASKED)}… (${asked.length} characters)` : asked;
    writeAll(handle, `${JSON.stringify({ ...entry, asked: short })}\n`);
    if (fstatSync(handle).size < MAX_BYTES) return;
  } finally {
    closeSync(handle);
  }
  replaceFile(file, `${file}.old`);
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
