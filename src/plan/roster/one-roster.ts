/**
 * Reads OneRoster 1.1 and 1.2 CSV (1EdTech, "OneRoster 1.1 CSV Tables" and "OneRoster 1.2 CSV Binding"), bulk and delta.
 * Only the columns below are read: no passwords or phone numbers; `demographics.csv` is never opened.
 */

import { readBoolean } from '../../core/boolean.js';
import { markOf, seenKeys } from '../../core/seen-keys.js';
import type { Reading, Rows } from '../../core/table/rows.js';
import { type RecordColumn, type TextRecord as Row, records } from '../../core/table/text-records.js';
import { Findings, type RosterFacts, type RosterItems, type RosterMode, type RosterPerson } from './roster.js';

const required = (...names: readonly string[]): readonly RecordColumn[] =>
  names.map((name) => ({ name, required: true }));
const optional = (...names: readonly string[]): readonly RecordColumn[] => names.map((name) => ({ name }));
const PERIOD: readonly RecordColumn[] = ['beginDate', 'endDate'].map((name) => ({ name, form: 'date' }));

const COLUMNS = {
  manifest: required('propertyName', 'value'),
  orgs: [...required('sourcedId', 'name', 'type'), ...optional('status')],
  users: [
    ...required('sourcedId', 'givenName', 'familyName'),
    ...optional('status', 'enabledUser', 'orgSourcedIds', 'primaryOrgSourcedId', 'role', 'username'),
    ...optional('preferredGivenName', 'preferredFamilyName', 'identifier', 'email'),
  ],
  roles: [
    ...required('userSourcedId', 'role', 'orgSourcedId'),
    ...optional('sourcedId', 'status', 'roleType'),
    ...PERIOD,
  ],
  classes: [...required('sourcedId', 'title', 'schoolSourcedId'), ...optional('status', 'subjects', 'subjectCodes')],
  enrollments: [...required('classSourcedId', 'userSourcedId', 'role'), ...optional('sourcedId', 'status'), ...PERIOD],
} as const satisfies Record<string, readonly RecordColumn[]>;
type FileName = keyof typeof COLUMNS;

const hasDates = (file: FileName): boolean =>
  (COLUMNS[file] as readonly RecordColumn[]).some(({ form }) => form === 'date');

/** Roles of OneRoster for people who are in no class. */
const OTHER_ROLES = new Set(['parent', 'guardian', 'relative']);
/** Marks for people who can be in classes and for others. */
const [MEMBER, OTHER] = [1, 2];

/** The words of the standard; a blank cell means active and enabled. */
const STATUS: ReadonlyMap<string, boolean> = new Map([
  ['active', true],
  ['tobedeleted', false],
  ['inactive', false],
]);

const isDeleted = ({ status }: Row): boolean => STATUS.get(status?.toLowerCase() ?? '') === false;
const isDisabled = ({ enabledUser }: Row): boolean => readBoolean(enabledUser ?? '') === false;

/** Reports a status that is not known: treating it as active would create accounts for people who have left. */
function checkStatus({ at, status, enabledUser }: Row, findings: Findings): void {
  if (status !== undefined && !STATUS.has(status.toLowerCase()))
    findings.problem(at, `status must be ${[...STATUS.keys()].join(', ')} or blank, not ${JSON.stringify(status)}`);
  if (enabledUser !== undefined && readBoolean(enabledUser) === undefined)
    findings.problem(at, `enabledUser must be true, false or blank, not ${JSON.stringify(enabledUser)}`);
}

type Sources = ReadonlyMap<string, (reading: Reading) => Promise<Rows>>;

async function openParts(name: string, sources: Sources, findings: Findings, reading: Reading) {
  const files: { name: string; rows: number; mode: RosterMode }[] = [];
  const modes = new Map<string, string>();
  let version: string | undefined;
  const { dateFormat, ...others } = reading;
  const manifest = await sources.get('manifest.csv')?.(others);
  if (manifest === undefined) findings.note('no manifest.csv, so all files are read as bulk', name);
  else {
    const where = 'manifest.csv';
    for await (const { propertyName = '', value } of records(manifest, where, COLUMNS.manifest, findings.problem)
      .rows) {
      const property = propertyName.toLowerCase();
      if (property === 'oneroster.version') version = value;
      if (!property.startsWith('file.')) continue;
      const mode = value?.toLowerCase() ?? '';
      modes.set(property.slice('file.'.length), mode);
      if (!['bulk', 'delta', 'absent'].includes(mode))
        findings.problem(where, `${propertyName} must be bulk, delta or absent, not ${JSON.stringify(value ?? '')}`);
    }
    if (version !== undefined && !/^1\.[12](\.|$)/.test(version))
      findings.problem(where, `OneRoster ${version} is not supported; use 1.1 or 1.2`);
  }

  async function* distinctRows(file: FileName, input: Rows, mode: RosterMode): AsyncGenerator<Row> {
    const name = `${file}.csv`;
    const { rows, has } = records(input, name, COLUMNS[file], findings.problem);
    const ids = seenKeys();
    /** Rows that differ from the first row with the same ID. */
    const further = seenKeys();
    let count = 0;
    for await (const row of rows) {
      count++;
      checkStatus(row, findings);
      const { sourcedId, at, ...content } = row;
      if (sourcedId === undefined) {
        if (has('sourcedId')) findings.problem(at, 'sourcedId is missing');
        else yield row;
        continue;
      }
      const text = JSON.stringify([sourcedId, content]);
      const mark = markOf(text);
      const first = ids.note(sourcedId, mark);
      if (first === undefined) yield row;
      else if (first === mark || further.note(text, mark) !== undefined)
        findings.note('a row that repeats an earlier one', at);
      else findings.problem(at, `sourcedId is not unique: ${sourcedId}`);
    }
    files.push({ name, rows: count, mode });
    if (count === 0 && mode === 'bulk' && file !== 'roles')
      findings.problem(name, 'has no rows; an empty file is never read as removing everything');
  }

  /** The rows of a file with an ID, each ID once; undefined if the roster does not have the file. */
  async function part(file: FileName, isNeeded = false) {
    const said = modes.get(file);
    const input = said === 'absent' ? undefined : await sources.get(`${file}.csv`)?.(hasDates(file) ? reading : others);
    const mode: RosterMode = said === 'delta' ? 'delta' : 'bulk';
    if (input !== undefined) return { rows: distinctRows(file, input, mode), mode };
    const isPromised = said === 'bulk' || said === 'delta';
    if (isPromised) findings.problem(`${file}.csv`, `is missing, but the manifest lists it as ${said}`);
    else if (isNeeded) findings.problem(`${file}.csv`, 'is missing');
    return undefined;
  }
  return { files, version, part };
}

/** The day of a date or date-time in a row; undefined for a blank one, or an invalid one with a problem. */
function day(row: Row, column: string, findings: Findings): string | undefined {
  const text = row[column];
  const found = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(text ?? '')?.[1];
  if (found !== undefined && !Number.isNaN(Date.parse(found))) return found;
  if (text !== undefined) findings.problem(row.at, `${column} is not a date: ${JSON.stringify(text)}`);
  return undefined;
}

/** Compares a day with the dates of a row; the end date is inclusive. */
function stateOn(row: Row, on: string, findings: Findings): 'future' | 'current' | 'ended' {
  const [begin, end] = [day(row, 'beginDate', findings), day(row, 'endDate', findings)];
  if (begin !== undefined && begin > on) return 'future';
  return end !== undefined && end < on ? 'ended' : 'current';
}

interface RoleOf {
  readonly role: string;
  readonly school: string;
  readonly isPrimary: boolean;
  readonly others: number;
}

/** Roles by person (OneRoster 1.2). Each combination is stored once, because thousands of people share it. */
async function rolesOf(rows: AsyncIterable<Row>, on: string, findings: Findings) {
  const kinds: RoleOf[] = [];
  const places = new Map<string, number>();
  const found = seenKeys();
  const roleOf = (person: string): RoleOf | undefined => kinds[(found.get(person) ?? 0) - 1];
  for await (const row of rows) {
    const { userSourcedId: person, role = '', orgSourcedId: school = '', roleType = '' } = row;
    if (person === undefined || isDeleted(row)) continue;
    const state = stateOn(row, on, findings);
    if (state !== 'current') {
      findings.note(`a role that ${state === 'ended' ? 'has ended' : 'has not begun'}`, row.at);
      continue;
    }
    const isPrimary = roleType.toLowerCase() === 'primary';
    const known = roleOf(person);
    const others = known === undefined ? 0 : known.others + (known.school === school ? 0 : 1);
    const isBetter = known === undefined || (isPrimary && !known.isPrimary);
    const next = { ...(isBetter ? { role: role.toLowerCase(), school, isPrimary } : known), others };
    const key = JSON.stringify(next);
    const place = places.get(key) ?? kinds.push(next);
    places.set(key, place);
    found.set(person, place);
  }
  return roleOf;
}

function personOf(row: Row, known: RoleOf | undefined, districts: ReadonlySet<string>): RosterPerson {
  const { sourcedId = '', at } = row;
  const orgs = (row.orgSourcedIds ?? '').split(',').flatMap((org) => (org.trim() === '' ? [] : [org.trim()]));
  return {
    ...{ sourcedId, at, isGone: isDeleted(row) || isDisabled(row) },
    firstName: row.preferredGivenName ?? row.givenName ?? '',
    lastName: row.preferredFamilyName ?? row.familyName ?? '',
    ...{ email: row.email, username: row.username, identifier: row.identifier },
    role: (known?.role ?? row.role ?? '').toLowerCase(),
    school: row.primaryOrgSourcedId ?? known?.school ?? orgs.find((org) => !districts.has(org)) ?? orgs[0],
    otherSchools: known?.others ?? Math.max(0, orgs.length - 1),
  };
}

/**
 * Passes on the items of a roster.
 * @param name the roster in messages
 * @param sources its files by name in lower case
 * @param on the day on which memberships count. yyyy-MM-dd
 * @param reading encoding, delimiter and format of dates
 */
export async function readOneRoster(
  name: string,
  sources: Sources,
  on: string,
  items: RosterItems,
  reading: Reading,
): Promise<RosterFacts> {
  const findings = new Findings();
  const { files, version, part } = await openParts(name, sources, findings, reading);
  const schools = new Set<string>();
  const people = seenKeys();
  const classes = seenKeys();
  const districts = new Set<string>();

  const orgs = await part('orgs');
  for await (const row of orgs?.rows ?? []) {
    const { sourcedId = '', at, name = '', type = '' } = row;
    if (type.toLowerCase() === 'school') {
      schools.add(sourcedId);
      items.school({ sourcedId, at, isGone: isDeleted(row), name });
    } else {
      districts.add(sourcedId);
      findings.note(`an organization that is not a school (${type || 'no type'})`, at);
    }
  }
  const rolePart = await part('roles', version?.startsWith('1.2'));
  const roles = rolePart === undefined ? undefined : await rolesOf(rolePart.rows, on, findings);
  const users = await part('users');
  for await (const row of users?.rows ?? []) {
    const person = personOf(row, roles?.(row.sourcedId ?? ''), districts);
    const isOutside = districts.has(person.school ?? '');
    if (OTHER_ROLES.has(person.role) || isOutside) {
      const outside = 'a person whose organization is not a school';
      findings.note(isOutside ? outside : `a person who is in no class (${person.role})`, row.at);
      people.set(person.sourcedId, OTHER);
      continue;
    }
    if (!person.isGone && (person.firstName === '' || person.lastName === ''))
      findings.problem(row.at, 'givenName or familyName is missing');
    if (person.otherSchools > 0) findings.note('a person in several organizations; the primary one is used', row.at);
    people.set(person.sourcedId, MEMBER);
    items.person(person);
  }
  const classPart = await part('classes');
  for await (const row of classPart?.rows ?? []) {
    const { sourcedId = '', at, title = '', schoolSourcedId: school = '' } = row;
    const subject = (row.subjects ?? row.subjectCodes)?.split(',')[0]?.trim();
    if (title === '' && !isDeleted(row)) findings.problem(at, 'title is missing');
    if (orgs?.mode === 'bulk' && !schools.has(school))
      findings.problem(at, `schoolSourcedId ${school || '(blank)'} is not a school in orgs.csv`);
    classes.set(sourcedId, 1);
    items.class({ sourcedId, at, isGone: isDeleted(row), title, school, subject });
  }
  const enrollments = await part('enrollments');
  for await (const row of enrollments?.rows ?? []) {
    const { at, classSourcedId, userSourcedId } = row;
    if (classSourcedId === undefined || userSourcedId === undefined) {
      findings.problem(at, 'classSourcedId or userSourcedId is missing');
      continue;
    }
    const state = stateOn(row, on, findings);
    const isGone = isDeleted(row) || state === 'ended';
    if (!isDeleted(row) && state === 'ended') findings.note('a membership that has ended', at);
    if (!isGone && state === 'future') findings.note('a membership that has not begun', at);
    if (isGone ? enrollments?.mode === 'bulk' : state === 'future') continue;
    if (classPart?.mode === 'bulk' && classes.get(classSourcedId) === undefined)
      findings.problem(at, `classSourcedId ${classSourcedId} is not in classes.csv`);
    const mark = people.get(userSourcedId);
    if (users?.mode === 'bulk' && mark !== MEMBER) {
      if (mark !== OTHER) findings.problem(at, `userSourcedId ${userSourcedId} is not in users.csv`);
      continue;
    }
    items.membership({ class: classSourcedId, person: userSourcedId, at, isGone });
  }
  const format = `OneRoster ${version ?? (roles === undefined ? '1.1' : '1.2')}`;
  const modes = { people: users?.mode ?? 'delta', memberships: enrollments?.mode ?? 'delta' } as const;
  const { problems, notes } = findings;
  return { format, files, modes, problems, notes };
}
