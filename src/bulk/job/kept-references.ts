/**
 * Stores the resolved references of a job, so that names and relative dates mean the same whenever the job is resumed.
 */
import { basename, join } from 'node:path';
import { codeOf } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import type { References } from '../input/resolve-references.js';
import { checksumOf } from './checksums.js';
import { unusable, unwritable } from './job-store.js';

const REFERENCES = 'references.ndjson';

/** Half the max string length of V8; about ten million references. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The first line of the file: the checksum of all others. */
const firstLine = (references: string): string => `${JSON.stringify({ sha256: checksumOf(references) })}\n`;

/** Restores the stored references of a job. @throws EduError `usage` if they are damaged */
export function restoreReferences(found: References, folder: string): void {
  const file = join(folder, REFERENCES);
  try {
    const text = readRegularFile(file, MAX_BYTES);
    const end = text.indexOf('\n') + 1;
    const references = text.slice(end);
    if (text.slice(0, end) !== firstLine(references)) throw new Error('has changed');
    found.restore(references);
  } catch (error) {
    const why = codeOf(error) ?? 'it has changed since it was written';
    throw unusable({ id: basename(folder), damage: `${file} is damaged (${why})` });
  }
}

/** Stores references. @throws EduError if the folder cannot be written */
export function keepReferences(found: References, folder: string): void {
  const references = found.kept();
  try {
    replaceContent(join(folder, REFERENCES), firstLine(references) + references, { flush: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}
