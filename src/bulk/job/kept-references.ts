/**
 * Stores the resolved references of a job, so that names and relative dates mean the same whenever the job is resumed.
 */
import { basename, join } from 'node:path';
import { codeOf } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import type { References } from '../input/resolve-references.js';
import { unusable, unwritable } from './job-store.js';

export const REFERENCES = 'references.ndjson';

/** Half the max string length of V8; about ten million references. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Restores the stored references of a job. @throws EduError `usage` if they are damaged */
export function restoreReferences(found: References, folder: string): void {
  const file = join(folder, REFERENCES);
  try {
    found.restore(readRegularFile(file, MAX_BYTES));
  } catch (error) {
    throw unusable({ id: basename(folder), damage: `${file} is damaged (${codeOf(error) ?? 'not valid JSON'})` });
  }
}

/** Stores references. @throws EduError if the folder cannot be written */
export function keepReferences(found: References, folder: string): void {
  try {
    replaceContent(join(folder, REFERENCES), found.kept(), { flush: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}
