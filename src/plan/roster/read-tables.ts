/** Reads the tables of a roster format. */
import { readBoolean } from '../../core/boolean.js';
import { getOrSet } from '../../core/maps.js';
import type { Input } from '../../core/table/open-table.js';
import type { RosterFormat, RosterTable, TableKind } from './format.js';
import { type Manifest, readManifest } from './formats/one-roster.js';
import type { RosterContent, RosterFacts, RosterMode, RosterState } from './roster.js';
import { type FieldRow, periodsOn, tableRows } from './table-rows.js';

/** Opens a table by its name in lower case, without `.csv`; undefined if the roster has none. */
export type OpenTable = (file: string) => Promise<{ readonly name: string; readonly rows: Input } | undefined>;

export interface TableOptions {
  /** The roster in messages. */
  readonly name: string;
  readonly open: OpenTable;
  /** The day on which terms and memberships count. yyyy-MM-dd */
  readonly on: string;
  /** Format of dates that are not ISO 8601. */
  readonly dateFormat: string | undefined;
}

/** Roles of people who are in no class. */
const OTHER_ROLES = new Set(['parent', 'guardian', 'relative']);

interface RoleOf {
  readonly role: string;
  readonly school: string | undefined;
  readonly isPrimary: boolean;
}

const listOf = (text = ''): readonly string[] =>
  text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));

/** The ID of a person in the roster, whose number may be that of a person of another role as well. */
const scoped = (role: string | undefined, id: string): string => (role === undefined ? id : `${role}:${id}`);

const stateOf = ({ isBad, isGone }: Pick<FieldRow, 'isBad' | 'isGone'>): RosterState =>
  isBad ? 'invalid' : isGone ? 'gone' : 'active';

export class TableReader {
  readonly #format: RosterFormat;
  readonly #options: TableOptions;
  readonly #content: RosterContent;
  readonly #stateOn: ReturnType<typeof periodsOn>;
  readonly #files: RosterFacts['files'][number][] = [];
  readonly #modes = new Map<TableKind, RosterMode>();
  /** The complete files of each kind and, of people, role. */
  readonly #complete = new Map<string, string>();
  #manifest: Manifest = { version: undefined, modes: new Map() };
  #hasDates = false;
  /** Organizations that are not schools. */
  readonly #districts = new Set<string>();
  /** Whether each term has ended. */
  readonly #terms = new Map<string, boolean>();
  readonly #roles = new Map<string, RoleOf[]>();
  readonly #badRoles = new Set<string>();
  /** People who are in no class, such as parents. */
  readonly #others = new Set<string>();

  constructor(format: RosterFormat, options: TableOptions, content: RosterContent) {
    this.#format = format;
    this.#options = options;
    this.#content = content;
    this.#stateOn = periodsOn(options.on, options.dateFormat ?? format.dates, content.findings);
  }

  /** Reads the whole roster. */
  async read(): Promise<RosterFacts> {
    const { hasManifest, tables, name } = this.#format;
    const { findings } = this.#content;
    if (hasManifest) {
      const manifest = await this.#options.open('manifest');
      if (manifest !== undefined) this.#manifest = await readManifest(manifest.rows, findings);
      else findings.note('no manifest.csv, so all files are read as bulk', this.#options.name);
    }
    for (const table of tables) await this.#readTable(table);
    const { dateFormat } = this.#options;
    if (dateFormat !== undefined && !this.#hasDates)
      findings.problem(this.#options.name, `there is no column of dates for --date-format ${dateFormat}`);
    const version = this.#manifest.version ?? (this.#modes.has('role') ? '1.2' : '1.1');
    const mode = (kind: TableKind): RosterMode => this.#modes.get(kind) ?? 'delta';
    return {
      format: hasManifest ? `${name} ${version}` : name,
      files: this.#files,
      modes: { people: mode('person'), memberships: mode('membership') },
    };
  }

  async #readTable(table: RosterTable): Promise<void> {
    const { file, kind, isNeeded } = table;
    const { findings } = this.#content;
    const { version, modes } = this.#manifest;
    const said = modes.get(file);
    const found = said === 'absent' ? undefined : await this.#options.open(file);
    if (found === undefined) {
      const isPromised = said === 'bulk' || said === 'delta';
      if (isPromised) findings.problem(`${file}.csv`, `is missing, but the manifest lists it as ${said}`);
      else if (isNeeded || (kind === 'role' && version?.startsWith('1.2') && modes.get('users') === 'bulk'))
        findings.problem(`${file}.csv`, 'is missing');
      return;
    }
    const { name } = found;
    const mode = said === 'delta' ? 'delta' : 'bulk';
    this.#modes.set(kind, mode);
    if (mode === 'bulk') this.#complete.set(kind === 'person' ? `${kind} ${table.role ?? ''}` : kind, name);
    const done = (rows: number): void => {
      this.#files.push({ name, rows, mode });
    };
    const { rows, hasDates } = tableRows(table, name, found.rows, mode, findings, done);
    this.#hasDates ||= hasDates;
    const readers: Readonly<Record<TableKind, (row: FieldRow, table: RosterTable) => void>> = {
      school: (row) => this.#school(row),
      term: (row) => this.#term(row),
      role: (row) => this.#role(row),
      person: (row, of) => this.#person(row, of),
      class: (row, of) => this.#class(row, of),
      membership: (row, of) => this.#membership(row, of),
    };
    for await (const row of rows) readers[kind](row, table);
  }

  #school(row: FieldRow): void {
    const { at, id } = row;
    const { schoolTypes } = this.#format;
    if (id === '') return;
    const type = row.get('type') ?? '';
    if (schoolTypes === undefined || schoolTypes.includes(type.toLowerCase()))
      this.#content.schools.set(id, { sourcedId: id, at, state: stateOf(row), name: row.get('name') ?? '' });
    else {
      this.#districts.add(id);
      this.#content.findings.note(`an organization that is not a school (${type || 'no type'})`, at);
    }
  }

  #term(row: FieldRow): void {
    if (row.id !== '') this.#terms.set(row.id, this.#stateOn(row) === 'ended');
  }

  #role(row: FieldRow): void {
    const { at, isGone } = row;
    const person = row.get('person');
    const state = this.#stateOn(row);
    if (state === 'invalid') {
      if (person === undefined) this.#content.hasUnknown = true;
      else this.#badRoles.add(person);
    }
    if (person === undefined || isGone || state === 'invalid') return;
    if (state !== 'current') {
      this.#content.findings.note(`a role that ${state === 'ended' ? 'has ended' : 'has not begun'}`, at);
      return;
    }
    const primary = row.get('primary')?.toLowerCase() ?? '';
    const isPrimary = primary === 'primary' || readBoolean(primary) === true;
    const one = { role: (row.get('role') ?? '').toLowerCase(), school: row.get('school'), isPrimary };
    getOrSet(this.#roles, person, () => []).push(one);
  }

  #person(row: FieldRow, table: RosterTable): void {
    const { people, findings } = this.#content;
    const { at } = row;
    const username = row.get('username');
    const sourcedId = row.id === '' ? at : scoped(table.role, row.id);
    // A teacher who is also a parent counts as a teacher.
    const rank = (one: RoleOf): number => (OTHER_ROLES.has(one.role) ? 2 : one.isPrimary ? 0 : 1);
    const roles = (this.#roles.get(sourcedId) ?? []).sort((a, b) => rank(a) - rank(b));
    const listed = [row.get('school'), ...roles.map((one) => one.school), ...listOf(row.get('schools'))];
    const orgs = [...new Set(listed.filter((org) => org !== undefined))];
    const school = orgs.find((org) => !this.#districts.has(org)) ?? orgs[0];
    const known = roles.find((one) => one.school === school) ?? roles[0];
    const role = (table.role ?? known?.role ?? row.get('role') ?? '').toLowerCase();
    const isBad = row.isBad || this.#badRoles.has(sourcedId);
    if (people.has(sourcedId)) {
      this.#content.invalidate(sourcedId);
      return;
    }
    if (OTHER_ROLES.has(role) && !isBad) {
      findings.note(`a person who is in no class (${role})`, at);
      this.#others.add(sourcedId);
      return;
    }
    // A delta need not repeat the school of a person whom the map knows.
    const isLacking = school === undefined && !row.isGone && this.#modes.get('person') === 'bulk';
    const isOutside = isLacking || this.#districts.has(school ?? '');
    if (isOutside && !isBad)
      findings.note(`a person ${isLacking ? 'without a school' : 'whose organization is not a school'}`, at);
    if (!isOutside && orgs.length > 1) findings.note('a person in several organizations; the primary one is used', at);
    people.set(sourcedId, {
      sourcedId,
      at,
      firstName: row.get('firstName'),
      lastName: row.get('lastName'),
      username,
      role,
      school,
      email: row.get('email') ?? (table.hasUpn && username?.includes('@') ? username : undefined),
      identifier: row.get('identifier'),
      state: isBad ? 'invalid' : isOutside ? 'out' : stateOf(row),
    });
  }

  #class(row: FieldRow, table: RosterTable): void {
    const { at, id, isGone } = row;
    const { findings, schools, classes } = this.#content;
    const title = row.get('title');
    const school = row.get('school');
    let state = stateOf(row);
    if (id === '') this.#content.hasUnknown = true;
    if (id === '' || classes.has(id)) {
      const known = classes.get(id);
      if (known !== undefined) classes.set(id, { ...known, state: 'invalid' });
      return;
    }
    if (state === 'active') {
      const isEnded = this.#stateOn(row);
      const terms = listOf(row.get('terms'));
      const hasEnded = isEnded === 'ended' || (terms.length > 0 && terms.every((term) => this.#terms.get(term)));
      const schoolFile = this.#complete.get('school');
      const missing = title === undefined ? 'name' : school === undefined ? 'school' : undefined;
      if (hasEnded || missing !== undefined) {
        findings.note(hasEnded ? 'a class whose terms have ended' : `a class without a ${missing}`, at);
        state = 'out';
      } else if (isEnded === 'invalid') state = 'invalid';
      else if (schoolFile !== undefined && !schools.has(school ?? '')) {
        findings.row(at, `${row.header('school')} ${school} is not a school in ${schoolFile}`);
        state = 'invalid';
      }
    }
    const subject = row.get('subject')?.split(',')[0]?.trim();
    classes.set(id, { sourcedId: id, at, state, title: title ?? '', school: school ?? '', subject });
    if (isGone) return;
    const teachers = new Map(row.all('teachers').map(([header, teacher]) => [teacher, header]));
    for (const [teacher, header] of teachers) this.#member(row, table, header, { name: id, id: teacher }, false);
  }

  #membership(row: FieldRow, table: RosterTable): void {
    const { at } = row;
    const { findings } = this.#content;
    const name = row.get('class');
    const id = row.get('person');
    const state = this.#stateOn(row);
    const headers = [row.header('class'), row.header('person')] as const;
    if (state !== 'invalid' && (name === undefined || id === undefined))
      findings.row(at, `${headers.join(' or ')} is missing`);
    if (state === 'invalid' || name === undefined || id === undefined) {
      this.#content.gap(name, id === undefined ? undefined : scoped(table.role, id));
      return;
    }
    const isGone = row.isGone || state === 'ended';
    if (!row.isGone && state === 'ended') findings.note('a membership that has ended', at);
    if (!isGone && state === 'future') findings.note('a membership that has not begun', at);
    if (isGone ? this.#modes.get('membership') === 'bulk' : state === 'future') return;
    this.#member(row, table, headers[1], { name, id }, isGone);
  }

  /** Adds a membership, or reports that the roster lacks its class or person. @param header of the person */
  #member(
    row: FieldRow,
    table: RosterTable,
    header: string,
    { name, id }: { readonly name: string; readonly id: string },
    isGone: boolean,
  ): void {
    const { at, file, line } = row;
    const { findings, classes, people } = this.#content;
    const person = scoped(table.role, id);
    const classFile = this.#complete.get('class');
    const hasClass = classFile === undefined || classes.has(name);
    if (!hasClass) findings.row(at, `${row.header('class')} ${name} is not in ${classFile}`);
    const personFile = this.#complete.get(`person ${table.role ?? ''}`);
    const isOther = this.#others.has(person);
    const hasPerson = personFile === undefined || people.has(person) || isOther;
    if (!hasPerson) findings.row(at, `${header} ${id} is not in ${personFile}`);
    if (!hasClass || !hasPerson) this.#content.gap(name, person);
    else if (!isOther) this.#content.member({ class: name, person, file, line, isGone });
  }
}
