/**
 * Stores the resolved references of a job, so that names and relative dates mean the same whenever the job is resumed.
 */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import type { References } from '../input/resolve-references.js';
import { unusable, unwritable } from './job-store.js';

export const REFERENCES = 'references.ndjson';

/** Half of what a text may have in V8: some ten million references. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads what was kept with a job. @throws EduError `usage` when that is damaged */
export function restoreReferences(found: References, folder: string): void {
  const file = join(folder, REFERENCES);
  try {
    found.restore(readRegularFile(file, MAX_BYTES));
  } catch (error) {
    throw unusable({ id: basename(folder), damage: `${file} is damaged (${codeOf(error) ?? 'not valid JSON'})` });
  }
}

/** Keeps them. @throws EduError when the folder cannot be written */
export function keepReferences(found: References, folder: string): void {
  try {
    writeFileSync(join(folder, REFERENCES), found.kept(), { mode: 0o600, flush: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}
