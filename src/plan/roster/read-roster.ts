/** Reads a roster of any known format. */
import { usageError } from '../../core/errors.js';
import { oneRoster } from './one-roster.js';
import { plainList } from './plain-list.js';
import type { RosterOptions, RosterReader } from './reader.js';
import type { Roster } from './roster.js';
import { openSource } from './source.js';

/** EDEXML and other formats would be further readers here. */
const READERS: readonly RosterReader[] = [oneRoster, plainList];

/** @throws EduError `usage` for a file that cannot be read, or a format that is not known */
export async function readRoster(path: string, options: RosterOptions): Promise<Roster> {
  const source = await openSource(path);
  try {
    const reader = READERS.find(({ recognizes }) => recognizes(source));
    if (reader === undefined)
      throw usageError(
        `Cannot read the roster ${path}: it holds no OneRoster files and is no list.`,
        'Name a folder or zip with users.csv, classes.csv and enrollments.csv, or one CSV or .xlsx file.',
      );
    return await reader.read(source, options);
  } finally {
    source.close();
  }
}
