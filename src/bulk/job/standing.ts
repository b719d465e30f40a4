/** Stores the progress of a job at the end of its run, so that `edu jobs list` need not read its journal. */
import { join } from 'node:path';
import { type Checked, isCount, isText, objectOf } from '../../core/checks.js';
import { readJsonFile } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { isObject } from '../../core/json.js';
import { type Counts, STATES } from './states.js';

const isStanding = objectOf({
  /** Size of the journal at that time; a larger journal means that a later run was killed. */
  journal: isCount,
  counts: (value): value is Counts => isObject(value) && STATES.every((state) => isCount(value[state])),
  ended: isText,
});

/** The progress of a job at the end of its last run. */
export type Standing = Checked<typeof isStanding>;

const MAX_STANDING_BYTES = 64 * 1024;

const standingFile = (folder: string): string => join(folder, 'standing.json');

/** Never throws: without the file, `edu jobs list` reads the journal. */
export function keepStanding(folder: string, standing: Standing): void {
  try {
    replaceContent(standingFile(folder), `${JSON.stringify(standing)}\n`);
  } catch {
    // The journal says the same.
  }
}

export const readStanding = (folder: string): Standing | undefined =>
  readJsonFile(standingFile(folder), MAX_STANDING_BYTES, isStanding);
