/** Converts a roster to a wanted state. */
import { compareText } from '../../core/sort/compare-text.js';
import { suggestions } from '../../core/suggest.js';
import { NOTHING_WANTED, type WantedClass } from '../want.js';
import type { Findings, Roster } from './roster.js';
import type { RosterMap } from './roster-map.js';
import { wantClasses } from './want-classes.js';
import { type RosterRules, wantPeople } from './want-people.js';

const classKey = ({ optional, school, name, subject, id }: WantedClass): string =>
  JSON.stringify([optional ?? false, school ?? '', name ?? '', subject ?? '', id ?? '']);

/** Notes words of a map that the roster does not use, if they look like misspelled ones that it uses. */
function noteUnused(
  flag: string,
  map: ReadonlyMap<string, unknown>,
  used: ReadonlySet<string>,
  findings: Findings,
): void {
  const others = [...used].filter((word) => word !== '' && !map.has(word));
  for (const word of map.keys()) {
    const meant = used.has(word) ? undefined : suggestions(word, others)[0];
    if (meant !== undefined) findings.note(`${flag} ${word}`, `the roster has only ${meant}`);
  }
}

/**
 * Converts a roster, whose findings take further problems. Rows with problems are left out: nobody whom such a row may
 * mean is removed from a class.
 * @returns the wanted state and what a plan leaves alone
 */
export function wantOfRoster(roster: Roster, map: RosterMap, rules: RosterRules) {
  const { people, classes, modes, findings } = roster;
  const roleWords = new Set([...people.values()].map(({ role }) => role));
  noteUnused('--role-map', rules.roles, roleWords, findings);
  const subjectWords = new Set([...classes.values()].map(({ subject }) => subject?.toLowerCase() ?? ''));
  noteUnused('--subject-map', rules.subjects, subjectWords, findings);
  const conversion = { roster, map, rules };
  const wantedPeople = wantPeople(conversion);
  const { wanted, untouched } = wantClasses(conversion, wantedPeople);
  const { users, present, open, unidentified } = wantedPeople;
  const isBulk = modes.memberships === 'bulk';
  const isComplete = isBulk && modes.people === 'bulk' && rules.leavers === 'unassign' && !roster.hasUnknown;
  for (const [school, at] of isComplete ? open : [])
    findings.note(`nobody leaves a class of ${school}: without an address and a full name, this may be anyone`, at);
  return {
    want: {
      ...NOTHING_WANTED,
      // Sorted, so that the order of the rows does not matter. Classes that the roster may have under another ID are last.
      users: users.sort((a, b) => compareText(a.id ?? a.email ?? '', b.id ?? b.email ?? '')),
      classes: wanted.sort((a, b) => compareText(classKey(a), classKey(b))),
    },
    /** IDs or names of schools whose absent users leave their classes. */
    complete: isComplete ? [...present].filter((one) => !open.has(one)).sort() : [],
    untouched: { users: wantedPeople.untouched, classes: untouched, people: isBulk ? unidentified : [] },
  };
}
