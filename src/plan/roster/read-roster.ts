/** Reads a roster of any supported format, as a whole or item by item. */
import { readdirSync, statSync } from 'node:fs';
import { usageError } from '../../core/errors.js';
import { readOneRoster } from './one-roster.js';
import { readPlainList } from './plain-list.js';
import type {
  Membership,
  Roster,
  RosterClass,
  RosterItems,
  RosterOptions,
  RosterPerson,
  RosterSchool,
} from './roster.js';
import { openSource } from './roster-source.js';

/** Whether a path is a folder with a wanted state, which needs no reader. */
export function isWant(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = readdirSync(path).map((name) => name.toLowerCase());
  const isOneRoster = names.some((name) => /^(manifest|orgs|enrollments|roles)\.csv$/.test(name));
  return !isOneRoster && names.some((name) => /^(users|classes|schools)\.(csv|ndjson|json)$/.test(name));
}

/** Refuses flags that a format gives no use for. @throws EduError `usage` */
function refuse(path: string, format: string, flags: Readonly<Record<string, unknown>>): void {
  const flag = Object.keys(flags).find((name) => flags[name] !== undefined);
  if (flag !== undefined) throw usageError(`${flag} is not for ${format}, and ${path} is one.`);
}

/** Passes on the items of a roster while it is read. */
async function readItems(path: string, { on, reading = {} }: RosterOptions, items: RosterItems) {
  const source = await openSource(path);
  try {
    if (['manifest.csv', 'orgs.csv', 'enrollments.csv'].some((name) => source.files.has(name))) {
      const { map, ignore, where, sheet, headerRow, ...others } = reading;
      const flags = { '--map': map, '--ignore': ignore, '--where': where };
      refuse(path, 'a OneRoster folder', { ...flags, '--sheet': sheet, '--header-row': headerRow });
      return await readOneRoster(path, source.files, on, items, others);
    }
    if (source.table === undefined)
      throw usageError(
        `Cannot read the roster ${path}: it has no OneRoster files and is not a list.`,
        'Name a folder or zip with users.csv, classes.csv and enrollments.csv, or with one list, or one CSV or .xlsx file.',
      );
    return await readPlainList(path, await source.table(reading), items);
  } finally {
    source.close();
  }
}

/** Reads a whole roster. @throws EduError `usage` for an unreadable file or an unknown format */
export async function readRoster(path: string, options: RosterOptions): Promise<Roster> {
  const schools = new Map<string, RosterSchool>();
  const people = new Map<string, RosterPerson>();
  const classes = new Map<string, RosterClass>();
  const memberships: Membership[] = [];
  const facts = await readItems(path, options, {
    school: (school) => schools.set(school.sourcedId, school),
    person: (person) => people.set(person.sourcedId, person),
    class: (found) => classes.set(found.sourcedId, found),
    // Memberships are the most numerous items. To save memory, they share the ID strings of classes and people, and store
    // their place only for an unknown class or person.
    membership(membership) {
      const [found, person] = [classes.get(membership.class), people.get(membership.person)];
      if (found === undefined || person === undefined) memberships.push(membership);
      else memberships.push({ class: found.sourcedId, person: person.sourcedId, at: '', isGone: membership.isGone });
    },
  });
  return { ...facts, schools, people, classes, memberships };
}
