/** Reads the values of a write from a row of an input, with all problems of the row. */

import type { ColumnMap } from '../../core/table/columns.js';
import type { ColumnPlace, InputRow } from '../../core/table/rows.js';
import { COUNT, type Column, type Read, type Value, type Values, type Verb } from '../row-command.js';
import { namesItem, ownCells, thingOf } from './own-cells.js';

export interface RowProblem {
  /** Absent for a problem of the whole row. */
  readonly column?: ColumnPlace;
  readonly message: string;
}

/** Reads a cell of a column that is not blank. */
function readCell(column: Column, row: InputRow, place: number, map: ColumnMap<Column>): Read {
  const found = map.read(row, place, column);
  if ('wrong' in found) return found;
  const read = column.read(found.cell);
  const cell = row.cells[place];
  if ('value' in read || column.form !== 'date' || typeof cell !== 'string') return read;
  // The message shows the date as the file has it.
  const wrong = read.wrong.replace(JSON.stringify(found.cell), () => JSON.stringify(cell));
  return { wrong: map.withDateHint(wrong, cell) };
}

/** The key of a second reference to the item of a row: it must mean the same item as the first. */
export const alsoName = (name: string): string => `${name} also`;

/** Sets a value that a row may have in two columns, such as `id` and `code`. */
function setValue(own: Record<string, Value | undefined>, name: string, value: Value | undefined): void {
  const before = own[name];
  if (before === undefined || value === undefined) own[name] = value;
  else if (String(before) !== String(value)) own[alsoName(name)] = value;
}

/** Adds the command line's values, without alternatives to the row's: no `days` for a row with `until`. */
function addDefaults({ alternatives }: Verb, line: Values, own: Record<string, Value | undefined>): void {
  // The type on the command line is that of the organization there, which a row may replace.
  const hasTwo = line.organization !== undefined && own.organization !== undefined;
  const groups = hasTwo ? [...alternatives, ['organization', 'organization-type']] : alternatives;
  const given = groups.filter((group) => group.some((name) => own[name] !== undefined));
  for (const name in line)
    if (own[name] === undefined && !given.some((group) => group.includes(name))) own[name] = line[name];
}

/**
 * Reads a row's cells without checking the row as a whole, for rows that were checked before.
 * @param names the columns as the input spells them
 * @param line values from the command line, for columns that the row leaves empty
 * @param checks run the checks of values, too
 */
export function readCells(
  verb: Verb,
  map: ColumnMap<Column>,
  names: readonly string[],
  row: InputRow,
  line: Values,
  checks = false,
) {
  const own: Record<string, Value | undefined> = {};
  const problems: RowProblem[] = [];
  for (let place = 0; place < row.cells.length; place++) {
    if (row.cells[place] === undefined) continue;
    const name = names[place] ?? '';
    const column = map.at(place);
    if (column === undefined) {
      if (name === '' && map.reading.ignoreUnknown !== true)
        problems.push({ column: { place }, message: 'is in a column without a name' });
      continue;
    }
    if (column.name === COUNT) continue;
    const read = readCell(column, row, place, map);
    const wrong = 'wrong' in read ? read.wrong : checks ? column.check?.(read.value) : undefined;
    if (wrong !== undefined) problems.push({ column: { place, name }, message: wrong });
    else if ('value' in read) setValue(own, column.name, read.value);
  }
  const written = map.hasOwn ? ownCells(names, row) : undefined;
  if (map.isResults) {
    const found = thingOf(verb, line, written, (name) => names[map.placeOf(name)], map.unknown.length > 0);
    const isNamed =
      found?.value !== undefined && own[found.name] !== undefined && namesItem(names[map.placeOf(found.name)]);
    const thing = isNamed ? undefined : found;
    if (thing?.value !== undefined) {
      setValue(own, thing.name, thing.value);
      if (thing.also !== undefined) setValue(own, thing.name, thing.also);
    } else if (thing !== undefined) delete own[thing.name];
  }
  addDefaults(verb, line, own);
  return { values: own, problems, own: written };
}

/**
 * Reads a row and checks it as a whole. The parameters are those of `readCells`.
 * @returns also the columns that neither the row nor the command line fills
 */
export function readRow(verb: Verb, map: ColumnMap<Column>, names: readonly string[], row: InputRow, line: Values) {
  const { values, problems, own } = readCells(verb, map, names, row, line, true);
  if (problems.length > 0) return { values, own, missing: [], problems };
  const checks = verb
    .check(values)
    .map(({ where, message }): RowProblem => ({ message: where === undefined ? message : `${where} ${message}` }));
  return { values, own, missing: verb.missing(values), problems: checks };
}

/** Normalizes a text the way look-ups compare it; e-mail addresses ignore case. */
function comparable(name: string, text: string): string {
  const same = text.normalize('NFC').trim();
  return name === 'email' || (name === 'user' && same.includes('@')) ? same.toLowerCase() : same;
}

/** The key of a row as text; undefined if one of its parts is missing, and no alternative of it is given. */
export function keyOfRow({ key, alternatives }: Verb, values: Values): string | undefined {
  const isGiven = (name: string): boolean => values[name] !== undefined;
  const isFilled = (name: string): boolean =>
    isGiven(name) || alternatives.some((names) => names.includes(name) && names.some(isGiven));
  if (key.length === 0 || !key.every(isFilled)) return undefined;
  const parts = key.map((name) => {
    const value = values[name];
    if (typeof value === 'object') return value.map((text) => comparable(name, text));
    return value === undefined ? null : comparable(name, String(value));
  });
  return JSON.stringify(parts);
}

const namedKey = ({ key }: Verb, values: Values): string =>
  key
    .filter((name) => values[name] !== undefined)
    .map((name) => `${name} ${JSON.stringify(values[name])}`)
    .join(', ');

/** The problem of a row that has the same key as an earlier line. */
export const sameKeyText = (verb: Verb, values: Values, line: number): string =>
  `has the same key as line ${line}: ${namedKey(verb, values)}`;

/** The problem of a row that stands for several items with one key. */
export const keyTwiceText = (verb: Verb, values: Values, copies: number): string =>
  `has the count ${copies}, but only one item can have the ${namedKey(verb, values)}`;
