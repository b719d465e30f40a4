/**
 * Reads OneRoster 1.1 and 1.2 CSV (1EdTech, "OneRoster 1.1 CSV Tables" and "OneRoster 1.2 CSV Binding"), bulk and delta.
 * Only the columns below are read: no passwords or phone numbers; `demographics.csv` is never opened.
 */

import type { Rows } from '../../bulk/input/rows.js';
import { markOf, seenKeys } from '../../bulk/input/seen-keys.js';
import type { RosterOptions, RosterReader } from './reader.js';
import {
  dayIn,
  Findings,
  type RosterFacts,
  type RosterFile,
  type RosterItems,
  type RosterMode,
  type RosterPerson,
} from './roster.js';
import type { RosterSource } from './source.js';
import { type Row, tableOf } from './table.js';

const COLUMNS = {
  manifest: ['propertyName', 'value'],
  orgs: ['sourcedId', 'status', 'name', 'type'],
  users: [
    ...['sourcedId', 'status', 'enabledUser', 'orgSourcedIds', 'primaryOrgSourcedId', 'role', 'username'],
    ...['givenName', 'familyName', 'preferredGivenName', 'preferredFamilyName', 'identifier', 'email'],
  ],
  roles: ['sourcedId', 'status', 'userSourcedId', 'roleType', 'role', 'orgSourcedId', 'beginDate', 'endDate'],
  classes: ['sourcedId', 'status', 'title', 'schoolSourcedId', 'subjects', 'subjectCodes'],
  enrollments: ['sourcedId', 'status', 'classSourcedId', 'userSourcedId', 'role', 'beginDate', 'endDate'],
} as const;
const REQUIRED: Readonly<Record<FileName, readonly string[]>> = {
  manifest: ['propertyName', 'value'],
  orgs: ['sourcedId', 'name', 'type'],
  users: ['sourcedId', 'givenName', 'familyName'],
  roles: ['userSourcedId', 'role', 'orgSourcedId'],
  classes: ['sourcedId', 'title', 'schoolSourcedId'],
  enrollments: ['classSourcedId', 'userSourcedId', 'role'],
};
type FileName = keyof typeof COLUMNS;

/** Roles of OneRoster for people who are in no class. */
const OTHER_ROLES = new Set(['parent', 'guardian', 'relative']);
/** Marks for people who can be in classes and for others. */
const [MEMBER, OTHER] = [1, 2];

interface Part {
  /** Rows with an ID, each ID once. */
  readonly rows: AsyncGenerator<Row<string>>;
  readonly mode: RosterMode;
}

const isDeleted = ({ status }: Row<string>): boolean => /^(tobedeleted|inactive)$/i.test(status ?? '');

/** Opens the files of a roster as its manifest lists them. */
class Files {
  readonly files: RosterFile[] = [];
  readonly #modes = new Map<string, string>();
  version: string | undefined;

  readonly source: RosterSource;
  readonly findings: Findings;

  constructor(source: RosterSource, findings: Findings) {
    this.source = source;
    this.findings = findings;
  }

  async #open(file: FileName): Promise<Rows | undefined> {
    return this.source.files.get(`${file}.csv`)?.();
  }

  async readManifest(): Promise<void> {
    const input = await this.#open('manifest');
    if (input === undefined) {
      this.findings.note('no manifest.csv, so all files are read as bulk', this.source.name);
      return;
    }
    const { rows } = tableOf<string>(
      input,
      'manifest.csv',
      { names: COLUMNS.manifest, required: REQUIRED.manifest },
      this.findings,
    );
    for await (const { propertyName, value } of rows) {
      const property = propertyName?.toLowerCase() ?? '';
      if (property === 'oneroster.version') this.version = value;
      if (!property.startsWith('file.')) continue;
      const mode = value?.toLowerCase() ?? '';
      this.#modes.set(property.slice('file.'.length), mode);
      if (!['bulk', 'delta', 'absent'].includes(mode))
        this.findings.problem(
          'manifest.csv',
          `${propertyName} must be bulk, delta or absent, not ${JSON.stringify(value ?? '')}`,
        );
    }
    if (this.version !== undefined && !/^1\.[12](\.|$)/.test(this.version))
      this.findings.problem('manifest.csv', `OneRoster ${this.version} is not supported; use 1.1 or 1.2`);
  }

  /** A file's rows; undefined if the roster does not have the file. */
  async part(file: FileName, isNeeded: boolean): Promise<Part | undefined> {
    const name = `${file}.csv`;
    const said = this.#modes.get(file);
    const input = said === 'absent' ? undefined : await this.#open(file);
    if (input === undefined) {
      const isPromised = said === 'bulk' || said === 'delta';
      if (isPromised) this.findings.problem(name, `is missing, but the manifest lists it as ${said}`);
      else if (isNeeded) this.findings.problem(name, 'is missing');
      return undefined;
    }
    const mode = said === 'delta' ? 'delta' : 'bulk';
    const table = tableOf<string>(input, name, { names: COLUMNS[file], required: REQUIRED[file] }, this.findings);
    return { rows: this.#rows(file, name, mode, table.rows, table.has('sourcedId')), mode };
  }

  async *#rows(
    file: FileName,
    name: string,
    mode: RosterMode,
    rows: AsyncGenerator<Row<string>>,
    hasId: boolean,
  ): AsyncGenerator<Row<string>> {
    const ids = seenKeys();
    /** Rows that differ from the first row with the same ID. */
    const further = seenKeys();
    let count = 0;
    for await (const row of rows) {
      count++;
      const { sourcedId, at, ...content } = row;
      if (sourcedId === undefined) {
        if (hasId) this.findings.problem(at, 'sourcedId is missing');
        else yield row;
        continue;
      }
      const text = JSON.stringify([sourcedId, content]);
      const mark = markOf(text);
      const first = ids.note(sourcedId, mark);
      if (first === undefined) yield row;
      else if (first === mark || further.note(text, mark) !== undefined)
        this.findings.note('a row that repeats an earlier one', at);
      else this.findings.problem(at, `sourcedId is not unique: ${sourcedId}`);
    }
    this.files.push({ name, rows: count, mode });
    if (count === 0 && mode === 'bulk' && file !== 'roles')
      this.findings.problem(name, 'has no rows; an empty file is never read as removing everything');
  }
}

/** A date of a row, or undefined with a problem. */
function day(row: Row<string>, column: string, findings: Findings): string | undefined {
  try {
    return dayIn(row[column]);
  } catch (error) {
    findings.problem(row.at, `${column} ${error instanceof Error ? error.message : ''}`);
    return undefined;
  }
}

/** Compares a day with the dates of a row; the end date is inclusive. */
function stateOn(row: Row<string>, on: string, findings: Findings): 'future' | 'current' | 'ended' {
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
async function rolesOf(part: Part, on: string, findings: Findings): Promise<(person: string) => RoleOf | undefined> {
  const kinds: RoleOf[] = [];
  const places = new Map<string, number>();
  const found = seenKeys();
  const roleOf = (person: string): RoleOf | undefined => kinds[(found.get(person) ?? 0) - 1];
  for await (const row of part.rows) {
    const { userSourcedId: person, role = '', orgSourcedId: school = '', roleType = '' } = row;
    if (person === undefined || isDeleted(row)) continue;
    const state = stateOn(row, on, findings);
    if (state !== 'current') findings.note(`a role that ${state === 'ended' ? 'has ended' : 'has not begun'}`, row.at);
    if (state !== 'current') continue;
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

function personOf(row: Row<string>, known: RoleOf | undefined, districts: ReadonlySet<string>): RosterPerson {
  const { sourcedId = '', at } = row;
  const orgs = (row.orgSourcedIds ?? '').split(',').flatMap((org) => (org.trim() === '' ? [] : [org.trim()]));
  return {
    ...{ sourcedId, at, isGone: isDeleted(row) || /^(false|0|no)$/i.test(row.enabledUser ?? '') },
    firstName: row.preferredGivenName ?? row.givenName ?? '',
    lastName: row.preferredFamilyName ?? row.familyName ?? '',
    ...{ email: row.email, username: row.username, identifier: row.identifier },
    role: (known?.role ?? row.role ?? '').toLowerCase(),
    school: row.primaryOrgSourcedId ?? known?.school ?? orgs.find((org) => !districts.has(org)) ?? orgs[0],
    otherSchools: known?.others ?? Math.max(0, orgs.length - 1),
  };
}

async function read(source: RosterSource, { on }: RosterOptions, items: RosterItems): Promise<RosterFacts> {
  const findings = new Findings();
  const files = new Files(source, findings);
  await files.readManifest();
  const schools = new Set<string>();
  const people = seenKeys();
  const classes = seenKeys();
  /** Organizations that are not schools. */
  const districts = new Set<string>();

  const orgs = await files.part('orgs', false);
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
  const rolePart = await files.part('roles', files.version?.startsWith('1.2') === true);
  const roles = rolePart === undefined ? undefined : await rolesOf(rolePart, on, findings);
  const users = await files.part('users', false);
  for await (const row of users?.rows ?? []) {
    const person = personOf(row, roles?.(row.sourcedId ?? ''), districts);
    const isOutside = districts.has(person.school ?? '');
    if (OTHER_ROLES.has(person.role) || isOutside) {
      findings.note(
        isOutside ? 'a person whose organization is not a school' : `a person who is in no class (${person.role})`,
        row.at,
      );
      people.set(person.sourcedId, OTHER);
      continue;
    }
    if (!person.isGone && (person.firstName === '' || person.lastName === ''))
      findings.problem(row.at, 'givenName or familyName is missing');
    if (person.otherSchools > 0) findings.note('a person in several organizations; the primary one is used', row.at);
    people.set(person.sourcedId, MEMBER);
    items.person(person);
  }
  const classPart = await files.part('classes', false);
  for await (const row of classPart?.rows ?? []) {
    const { sourcedId = '', at, title = '', schoolSourcedId: school = '' } = row;
    const subject = (row.subjects ?? row.subjectCodes)?.split(',')[0]?.trim();
    if (title === '' && !isDeleted(row)) findings.problem(at, 'title is missing');
    if (orgs?.mode === 'bulk' && !schools.has(school))
      findings.problem(at, `schoolSourcedId ${school || '(blank)'} is not a school in orgs.csv`);
    classes.set(sourcedId, 1);
    items.class({ sourcedId, at, isGone: isDeleted(row), title, school, subject });
  }
  const enrollments = await files.part('enrollments', false);
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
  return {
    ...{ format: `OneRoster ${files.version ?? (roles === undefined ? '1.1' : '1.2')}`, files: files.files },
    modes: { people: users?.mode ?? 'delta', memberships: enrollments?.mode ?? 'delta' },
    ...{ problems: findings.problems, notes: findings.notes },
  };
}

export const oneRoster: RosterReader = {
  recognizes: ({ files }) => ['manifest.csv', 'orgs.csv', 'enrollments.csv'].some((name) => files.has(name)),
  read,
};
