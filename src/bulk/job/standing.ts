/** Stores the progress of a job at the end of its run, so that `edu jobs list` need not read its journal. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../core/fs/atomic-rename.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { processTag, removeAbandoned } from '../../core/fs/temporary.js';
import { isObject } from '../../core/json.js';
import { type Counts, STATES } from './states.js';

/** The progress of a job at the end of its last run. */
export interface Standing {
  /** Size of the journal at that time; a larger journal means that a later run was killed. */
  readonly journal: number;
  readonly counts: Counts;
  readonly ended: string;
}

const MAX_STANDING_BYTES = 64 * 1024;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const standingFile = (folder: string): string => join(folder, 'standing.json');

/** Never throws: without the file, `edu jobs list` reads the journal. */
export function keepStanding(folder: string, standing: Standing, unique: string): void {
  const temporary = `${standingFile(folder)}.${processTag()}.${unique}`;
  try {
    removeAbandoned(folder, (name) => name.startsWith('standing.json.'));
    writeFileSync(temporary, `${JSON.stringify(standing)}\n`, { mode: 0o600 });
    replaceFile(temporary, standingFile(folder));
  } catch {
    rmSync(temporary, { force: true });
  }
}

export function readStanding(folder: string): Standing | undefined {
  try {
    const standing: unknown = JSON.parse(readRegularFile(standingFile(folder), MAX_STANDING_BYTES));
    if (!isObject(standing) || !isObject(standing.counts) || !isCount(standing.journal)) return undefined;
    const { counts } = standing;
    return STATES.every((state) => isCount(counts[state])) ? (standing as unknown as Standing) : undefined;
  } catch {
    return undefined;
  }
}
