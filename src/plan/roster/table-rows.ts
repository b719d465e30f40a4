/** Reads the rows of a roster's table by field: their IDs, each once, and whether they are marked as gone. */

import { readBoolean } from '../../core/boolean.js';
import { markOf, seenKeys } from '../../core/seen-keys.js';
import { dateReader } from '../../core/table/cell-forms.js';
import type { Rows } from '../../core/table/rows.js';
import { type RecordColumn, records, type TextRecord } from '../../core/table/text-records.js';
import type { RosterTable } from './format.js';
import type { Findings, RosterMode } from './roster.js';

/** The headers of each field of a table. */
type Headers = ReadonlyMap<string, readonly string[]>;

export type FieldRow = ReturnType<typeof fieldRow>;

/** A row, by the fields of its table. @param file its name */
function fieldRow({ at, line, values, isBad }: TextRecord, file: string, headers: Headers) {
  /** All values of a field, with their headers. */
  const all = (field: string): readonly (readonly [header: string, value: string])[] =>
    (headers.get(field) ?? []).flatMap((header) => {
      const value = values[header];
      return value === undefined ? [] : [[header, value] as const];
    });
  return {
    /** File and line: `users.csv line 7`. */
    at,
    file,
    line,
    /** Blank for a table without IDs, and for a row whose ID is missing. */
    id: '',
    /** It has a problem, which was reported. */
    isBad,
    /** It is marked for deletion, or not enabled. */
    isGone: false,
    all,
    /** The first value of a field's headers. */
    get: (field: string): string | undefined => all(field)[0]?.[1],
    /** The first header of a field, for messages. */
    header: (field: string): string => headers.get(field)?.[0] ?? field,
  };
}

/** The words of OneRoster and School Data Sync; a blank cell means active. */
const STATUS: ReadonlyMap<string, boolean> = new Map([
  ['active', true],
  ['tobedeleted', false],
  ['inactive', false],
]);

const headersOf = ({ required, optional }: RosterTable): Headers =>
  new Map(Object.entries({ ...required, ...optional }).map(([field, headers]) => [field, [headers].flat()]));

const isDate = (field: string): boolean => field === 'begin' || field === 'end';

/** The columns of a table; of several headers of a required field, the last one must be there. */
export function columnsOf(table: RosterTable): readonly RecordColumn[] {
  return [...headersOf(table)].flatMap(([field, headers]) => {
    const last = field in table.required ? headers.at(-1) : undefined;
    return headers.map((name) => ({ name, required: name === last, form: isDate(field) ? 'date' : undefined }));
  });
}

/** Whether a row is active. Another word is reported: treating it as active would create accounts for people who have left. */
function isActive(row: FieldRow, fail: (message: string) => void): boolean {
  const status = row.get('status');
  const enabled = row.get('enabled');
  const isOn = status === undefined || STATUS.get(status.toLowerCase());
  if (isOn === undefined)
    fail(`status must be ${[...STATUS.keys()].join(', ')} or blank, not ${JSON.stringify(status)}`);
  const isEnabled = enabled === undefined || readBoolean(enabled);
  if (isEnabled === undefined)
    fail(`${row.header('enabled')} must be true, false or blank, not ${JSON.stringify(enabled)}`);
  return isOn !== false && isEnabled !== false;
}

/**
 * @param name of the file
 * @param done takes the number of all rows
 * @returns also whether the table has a column of dates
 */
export function tableRows(
  table: RosterTable,
  name: string,
  input: Rows,
  mode: RosterMode,
  findings: Findings,
  done: (count: number) => void,
) {
  const columns = columnsOf(table);
  const { rows, has } = records(input, name, columns, findings.problem);
  for (const column of input.columns.filter((one) => /^(?:ext_|metadata\.)/i.test(one)))
    findings.note('an extension column, which is not read', `${name} ${column}`);
  const headers = headersOf(table);
  const [idHeader = ''] = headers.get('id') ?? [];
  const [schoolHeader = ''] = (table.isPerSchool && headers.get('school')) || [];
  const compared = columns.flatMap((column) => (column.name === schoolHeader ? [] : [column.name]));
  const repeated = table.isPerSchool
    ? 'a person in several organizations; the first one is used'
    : 'a row that repeats an earlier one';

  async function* read(): AsyncGenerator<FieldRow> {
    const ids = seenKeys();
    let count = 0;
    for await (const record of rows) {
      count++;
      const row = fieldRow(record, name, headers);
      const fail = (message: string): void => {
        findings.row(row.at, message);
        row.isBad = true;
      };
      row.isGone = !isActive(row, fail);
      const { [idHeader]: id } = record.values;
      if (has(idHeader) && id !== undefined) {
        row.id = id;
        const mark = markOf(compared.map((header) => record.values[header] ?? '').join('\0'));
        const first = ids.note(id, mark);
        if (first === mark) {
          findings.note(repeated, row.at);
          continue;
        }
        if (first !== undefined) fail(`${idHeader} is not unique: ${id}`);
      } else if (has(idHeader) && !record.isBad) fail(`${idHeader} is missing`);
      // Without the column, which was reported, no row can be used.
      if (has(idHeader) || !('id' in table.required)) yield row;
    }
    done(count);
    if (count === 0 && mode === 'bulk' && table.kind !== 'role' && table.kind !== 'term')
      findings.problem(name, 'has no rows; an empty file is never read as removing everything');
  }

  return { rows: read(), hasDates: columns.some((column) => column.form === 'date' && has(column.name)) };
}

/** `invalid` for a row with a problem, also another one. */
type PeriodState = 'future' | 'current' | 'ended' | 'invalid';

/**
 * @param on yyyy-MM-dd
 * @param format of dates that are not ISO 8601
 * @param findings takes the problems of dates
 * @returns a function that compares the day with the period of a row; the end date is inclusive
 */
export function periodsOn(on: string, format: string | undefined, findings: Findings) {
  const otherDay = format === undefined ? () => undefined : dateReader(format);
  function dayOf(text: string): string | undefined {
    const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:$|[T ])/.exec(otherDay(text) ?? text) ?? [];
    const found = `${year}-${month}-${day}`;
    return year === undefined || Number.isNaN(Date.parse(found)) ? undefined : found;
  }
  return (row: FieldRow): PeriodState => {
    let state: PeriodState = row.isBad ? 'invalid' : 'current';
    for (const field of ['begin', 'end'] as const) {
      const text = row.get(field);
      if (text === undefined) continue;
      const day = dayOf(text);
      if (day === undefined) {
        findings.row(row.at, `${row.header(field)} is not a date: ${JSON.stringify(text)}`);
        state = 'invalid';
      } else if (state !== 'invalid' && (field === 'begin' ? day > on : day < on))
        state = field === 'begin' ? 'future' : 'ended';
    }
    return state;
  };
}
