/** Reader of plain lists: a row for each person and class, with school, class, first name, last name, e-mail address, role. */

import { seenKeys } from '../../core/seen-keys.js';
import type { Rows } from '../../core/table/rows.js';
import { type RecordColumn, records } from '../../core/table/text-records.js';
import { Findings, type RosterFacts, type RosterItems, type RosterPerson } from './roster.js';

const COLUMNS: readonly RecordColumn[] = [
  { name: 'school', required: true, spellings: ['schoolname', 'schule', 'schulname'] },
  { name: 'class', required: true, spellings: ['classname', 'klasse', 'klassenname'] },
  { name: 'first-name', required: true, spellings: ['givenname', 'vorname'] },
  { name: 'last-name', required: true, spellings: ['familyname', 'surname', 'nachname'] },
  { name: 'email', spellings: ['mail', 'emailadresse', 'emailaddress'] },
  { name: 'role', spellings: ['rolle'] },
  { name: 'subject', spellings: ['fach'] },
  { name: 'username' },
  { name: 'identifier' },
];

const same = (text: string): string => text.normalize('NFC').toLowerCase();

/** Passes on the items of a list. @param name its name in messages */
export async function readPlainList(name: string, input: Rows, items: RosterItems): Promise<RosterFacts> {
  const findings = new Findings();
  const { rows } = records(input, name, COLUMNS, findings.problem);
  const people = new Map<string, RosterPerson>();
  const [schools, classes, memberships] = [seenKeys(), seenKeys(), seenKeys()];
  let count = 0;
  for await (const row of rows) {
    count++;
    const { at, school, class: title, email, username, identifier, subject } = row;
    const { 'first-name': firstName, 'last-name': lastName } = row;
    const isNamed = firstName !== undefined && lastName !== undefined;
    if (school === undefined) findings.problem(at, 'school is missing');
    if (!isNamed) findings.problem(at, 'first-name or last-name is missing');
    if (school === undefined || !isNamed) continue;
    const schoolKey = same(school);
    if (schools.note(schoolKey, count) === undefined)
      items.school({ sourcedId: schoolKey, at, isGone: false, name: school });
    const key = same(email ?? identifier ?? username ?? JSON.stringify([school, firstName, lastName]));
    const known = people.get(key);
    if (known === undefined) {
      const person = {
        ...{ sourcedId: key, at, isGone: false, firstName, lastName, email, username, identifier },
        ...{ role: (row.role ?? 'student').toLowerCase(), school: schoolKey, otherSchools: 0 },
      };
      people.set(key, person);
      items.person(person);
    } else if (same(known.firstName) !== same(firstName) || same(known.lastName) !== same(lastName))
      findings.problem(at, `has another name than ${known.at}: ${key} is ${known.firstName} ${known.lastName} there`);
    else if (known.school !== schoolKey) findings.note('a person in several schools; the first one is used', at);
    if (title === undefined) continue;
    const classKey = JSON.stringify([schoolKey, same(title), same(subject ?? '')]);
    if (classes.note(classKey, count) === undefined)
      items.class({ sourcedId: classKey, at, isGone: false, title, school: schoolKey, subject });
    if (memberships.note(`${classKey} ${key}`, count) === undefined)
      items.membership({ class: classKey, person: key, at, isGone: false });
    else findings.note('a row that repeats an earlier one', at);
  }
  if (count === 0) findings.problem(name, 'has no rows; an empty list is never read as removing everybody');
  const { problems, notes } = findings;
  const [files, modes] = [[{ name, rows: count, mode: 'bulk' }], { people: 'bulk', memberships: 'bulk' }] as const;
  return { format: 'plain list', isPlain: true, files, modes, problems, notes };
}
