/** Reads plain lists: a row for each person and class, with school, class, first name, last name, e-mail address, role. */

import { nameForm } from '../../client/references/spelling.js';
import { grouped } from '../../core/maps.js';
import { seenKeys } from '../../core/seen-keys.js';
import type { Rows } from '../../core/table/rows.js';
import { type RecordColumn, records } from '../../core/table/text-records.js';
import type { RosterContent, RosterFacts, RosterPerson } from './roster.js';

/** @param hasSchool whether rows without a school have a default one */
export const listColumns = (hasSchool: boolean): readonly RecordColumn[] => [
  { name: 'school', required: !hasSchool, spellings: ['schoolname', 'schule', 'schulname'] },
  { name: 'class', required: true, spellings: ['classname', 'klasse', 'klassenname'] },
  { name: 'first-name', required: true, spellings: ['givenname', 'vorname'] },
  { name: 'last-name', required: true, spellings: ['familyname', 'surname', 'nachname'] },
  { name: 'email', spellings: ['mail', 'emailadresse', 'emailaddress'] },
  { name: 'role', spellings: ['rolle'] },
  { name: 'subject', spellings: ['fach'] },
  { name: 'username' },
  { name: 'identifier' },
];

const nameOf = ({ firstName = '', lastName = '' }: RosterPerson): string => `${firstName} ${lastName}`.trim();

/** Adds the person of a row, unless an earlier row has it. */
function addPerson(person: RosterPerson, content: RosterContent): void {
  const { people, findings } = content;
  const { sourcedId: key, at, state, school } = person;
  const known = people.get(key);
  if (known === undefined) people.set(key, person);
  else if (state === 'invalid' || known.state === 'invalid') content.invalidate(key);
  else if (nameForm(nameOf(known)) !== nameForm(nameOf(person))) {
    findings.row(at, `has another name than ${known.at}: ${key} is ${nameOf(known)} there`);
    findings.skip(known.at, `${at} gives ${key} another name, ${nameOf(person)}`);
    content.invalidate(key);
  } else if (known.school !== school) findings.note('a person in several schools; the first one is used', at);
}

/**
 * Reads a list.
 * @param name its name in messages
 * @param defaultSchool of rows without a school
 */
export async function readPlainList(
  name: string,
  input: Rows,
  defaultSchool: string | undefined,
  content: RosterContent,
): Promise<RosterFacts> {
  const { findings, schools, classes } = content;
  const { rows, has } = records(input, name, listColumns(defaultSchool !== undefined), findings.problem);
  const memberships = seenKeys();
  /** School and title of classes of which a row cannot be used. */
  const partial = new Set<string>();
  let count = 0;
  let isDefaultUsed = false;
  for await (const { at, line, row, values, isBad, isHidden } of rows) {
    count++;
    if (isHidden) findings.note('a row that the sheet hides, which is read too', at);
    isDefaultUsed ||= values.school === undefined;
    const { school = defaultSchool, class: title, email, username, identifier, subject } = values;
    const { 'first-name': firstName, 'last-name': lastName } = values;
    const id = email ?? identifier ?? username;
    const isNameless = (id ?? firstName ?? lastName) === undefined;
    if (!isBad && school === undefined && has('school')) findings.row(at, 'school is missing');
    if (!isBad && isNameless) findings.row(at, 'has no person: its names, email and identifier are missing');
    const isInvalid = isBad || school === undefined || isNameless;
    const schoolKey = school === undefined ? undefined : nameForm(school);
    if (school !== undefined && schoolKey !== undefined && !schools.has(schoolKey))
      schools.set(schoolKey, { sourcedId: schoolKey, at, state: 'active', name: school });
    const key = id ? nameForm(id) : isInvalid ? at : nameForm(JSON.stringify([school, firstName, lastName]));
    const person: RosterPerson = {
      sourcedId: key,
      at,
      firstName,
      lastName,
      email,
      username,
      identifier,
      school: schoolKey,
      state: isInvalid ? 'invalid' : 'active',
      role: (values.role ?? 'student').toLowerCase(),
    };
    addPerson(person, content);
    if (isInvalid) {
      content.gap(undefined, key);
      if (title !== undefined) partial.add(JSON.stringify([schoolKey, nameForm(title)]));
    } else if (title !== undefined && schoolKey !== undefined) {
      const classKey = JSON.stringify([schoolKey, nameForm(title), nameForm(subject ?? '')]);
      if (!classes.has(classKey))
        classes.set(classKey, { sourcedId: classKey, at, state: 'active', title, school: schoolKey, subject });
      if (memberships.note(`${classKey} ${key}`, count) === undefined)
        content.member({ class: classKey, person: key, file: name, line, row, isGone: false });
      else findings.note('a row that repeats an earlier one', at);
    } else findings.note('a row without a class', at);
  }
  const named = grouped(classes.values(), ({ school, title }) => [JSON.stringify([school, nameForm(title)])]);
  for (const key of partial) {
    for (const { sourcedId } of named.get(key) ?? []) content.gap(sourcedId, undefined);
    // The map may have this class.
    content.hasUnknown ||= !named.has(key);
  }
  if (count === 0) findings.problem(name, 'has no rows; an empty list is never read as removing everybody');
  else if (defaultSchool !== undefined && !isDefaultUsed)
    findings.problem(name, 'names a school in each row, so --school has no effect');
  const mode = 'bulk';
  const modes = { people: mode, memberships: mode } as const;
  return { format: 'plain list', isPlain: true, files: [{ name, rows: count, mode }], modes };
}
