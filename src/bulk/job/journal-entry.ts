/** An entry of a journal: one line of JSON. */
import { EduError } from '../../core/errors.js';
import { type Outcome, STATES } from './states.js';

export interface Entry extends Outcome {
  readonly row: number;
}

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** Parses a line; undefined if it is not an entry. */
export function entryIn(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Entry;
    const { row, state, id, code, error }: { readonly [K in keyof Entry]: unknown } = entry;
    const known = (STATES as readonly unknown[]).includes(state) && isText(id) && isText(code) && isText(error);
    return known && Number.isInteger(row) && entry.row >= 1 ? entry : undefined;
  } catch {
    // Not JSON, or null.
    return undefined;
  }
}

/** The error of a line that is no entry. @param offset its first byte */
export function damaged(file: string, offset: number): EduError {
  return new EduError('usage', `The journal ${file} is damaged at byte ${offset}.`, {
    hint: 'Nothing was sent. Restore the file from a backup. Without one, remove the job, and check what it created before you run its command again.',
  });
}
