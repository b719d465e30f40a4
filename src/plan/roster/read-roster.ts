/** Reads a roster of any supported format. */
import { readdirSync, statSync } from 'node:fs';
import { usageError } from '../../core/errors.js';
import { plainName } from '../../core/table/headers.js';
import type { Input } from '../../core/table/open-table.js';
import type { Reading } from '../../core/table/rows.js';
import type { RecordColumn } from '../../core/table/text-records.js';
import type { RosterFormat } from './format.js';
import { CLEVER } from './formats/clever.js';
import { ONE_ROSTER } from './formats/one-roster.js';
import { SDS_1 } from './formats/sds-1.js';
import { SDS_2 } from './formats/sds-2.js';
import { listColumns, readPlainList } from './plain-list.js';
import { type OpenTable, TableReader } from './read-tables.js';
import { type Roster, RosterContent, type RosterOptions } from './roster.js';
import { openSource, type RosterSource } from './roster-source.js';
import { columnsOf } from './table-rows.js';

/** In order: the first one of whose marks the roster has any. */
const FORMATS: readonly RosterFormat[] = [
  ...[CLEVER, SDS_1, ONE_ROSTER, SDS_2],
  { ...ONE_ROSTER, marks: ['orgs', 'enrollments'] },
];

/** For the hint. */
const NAMES = [...new Set(FORMATS.map(({ name }) => name))];

/** Opens each table of a source once, so that its headers can be seen before it is read. */
function opener({ files }: RosterSource, { encoding, delimiter }: Reading): OpenTable {
  const opened = new Map<string, { readonly name: string; readonly rows: Input }>();
  return async (file) => {
    const found = files.get(file);
    const table = opened.get(file) ?? (found && { name: found.name, rows: await found.open({ encoding, delimiter }) });
    if (table !== undefined) opened.set(file, table);
    return table;
  };
}

async function formatOf(source: RosterSource, open: OpenTable): Promise<RosterFormat | undefined> {
  const isMarked = async (mark: string): Promise<boolean> => {
    const [file = '', ...words] = mark.split(' ');
    if (!source.files.has(file) || words.length === 0) return source.files.has(file);
    const header = plainName(words.join(' '));
    return (await open(file))?.rows.columns.some((column) => plainName(column) === header) === true;
  };
  for (const format of FORMATS) for (const mark of format.marks) if (await isMarked(mark)) return format;
  return undefined;
}

const WANT = /^(users|classes|schools)\.(csv|ndjson|json)$/i;

/** Whether a path is a folder with a wanted state, which needs no reader. @throws EduError `usage` */
export async function isWant(path: string, reading: Reading = {}): Promise<boolean> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  if (!readdirSync(path).some((name) => WANT.test(name))) return false;
  const source = await openSource(path);
  return (await formatOf(source, opener(source, reading))) === undefined;
}

/** Reads a roster. @throws EduError `usage` for an unreadable file or an unknown format */
export async function readRoster(path: string, { on, reading = {}, school }: RosterOptions): Promise<Roster> {
  const content = new RosterContent();
  const source = await openSource(path);
  try {
    const open = opener(source, reading);
    const format = await formatOf(source, open);
    if (format !== undefined) {
      const { map, ignore, where, sheet, headerRow, dateFormat } = reading;
      const flags = { '--map': map, '--ignore': ignore, '--where': where, '--school': school };
      const unused = Object.entries({ ...flags, '--sheet': sheet, '--header-row': headerRow });
      const [flag] = unused.find(([, value]) => value !== undefined) ?? [];
      if (flag !== undefined)
        throw usageError(`${flag} is not for a roster in the format ${format.name}, and ${path} is one.`);
      const facts = await new TableReader(format, { name: path, open, on, dateFormat }, content).read();
      return Object.assign(content, facts);
    }
    if (source.table === undefined)
      throw usageError(
        `Cannot read the roster ${path}: its files are of no known format, and it is not a list.`,
        `Name a folder or zip with ${NAMES.join(', ')}, or with one list, or one CSV or .xlsx file.`,
      );
    const rows = await source.table.open(reading);
    return Object.assign(content, await readPlainList(path, rows, school, content));
  } finally {
    source.close();
  }
}

/** A table of a roster, and the columns that its reader knows. */
export interface RosterTableFile {
  readonly name: string;
  readonly rows: Input;
  readonly columns: readonly RecordColumn[];
  /** The only table of a plain list. */
  readonly isPlain: boolean;
}

/** Opens the tables of a roster again, one after the other. */
export async function* rosterTables(path: string, reading: Reading = {}): AsyncGenerator<RosterTableFile> {
  const source = await openSource(path);
  try {
    const open = opener(source, reading);
    const format = await formatOf(source, open);
    for (const table of format?.tables ?? []) {
      const found = await open(table.file);
      if (found !== undefined) yield { ...found, columns: columnsOf(table), isPlain: false };
    }
    if (format !== undefined || source.table === undefined) return;
    yield { name: path, rows: await source.table.open(reading), columns: listColumns(false), isPlain: true };
  } finally {
    source.close();
  }
}
