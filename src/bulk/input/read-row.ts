/** Reads the values of a write from a row of an input, with all problems of the row. */
import type { Column, Read, Value, Values, Verb } from '../row-command.js';
import { formatsFor, wholeText } from './cell-forms.js';
import type { ColumnMap } from './column-map.js';
import { namesItem, ownCells, thingOf } from './own-cells.js';
import type { Cell, InputRow } from './rows.js';
import { UNCOMPUTED } from './xlsx/cell-text.js';

export interface RowProblem {
  /** The column's name as the input spells it; undefined for a problem of the whole row. */
  readonly column?: string;
  readonly place?: number;
  readonly message: string;
}

/** Errors of English and German Excel and of LibreOffice. */
const SPREADSHEET_ERROR =
  /^(#(N\/A|NV|NAME\?|DIV\/0!|GETTING_DATA|(REF|VALUE|NUM|NULL|SPILL|CALC|BEZUG|WERT|ZAHL|ÜBERLAUF|KALK)!)|(Err|Fehler):5\d\d)$/;
/** How a spreadsheet shows a long number: its last digits are gone. */
const CUT_NUMBER = /^\d([.,]\d+)?E\+\d{2,3}$/;

/** IDs, codes and EANs, which a lost digit turns into another one. */
const isNumberLike = ({ name, refersTo }: Column): boolean =>
  refersTo !== undefined || ['ean', 'code', 'id'].includes(name);

/** Whether a cell begins like what spreadsheets write in place of a value. An expression takes twice as long. */
function mayBeError(cell: string): boolean {
  const first = cell.charCodeAt(0);
  return first === 0x23 || first === 0x45 || first === 0x46;
}

function damage(column: Column, cell: string): string | undefined {
  if (cell === UNCOMPUTED)
    return 'holds a formula that was never computed. Open the file in the spreadsheet program and save it';
  if (mayBeError(cell)) {
    if (SPREADSHEET_ERROR.test(cell)) return `is ${cell}, which a spreadsheet writes where a formula failed`;
    if (/^#{3,}$/.test(cell)) return `is ${cell}, which a spreadsheet writes for a number wider than its column`;
  }
  if (cell.includes('E+') && isNumberLike(column) && CUT_NUMBER.test(cell))
    return `is ${cell}: a spreadsheet has cut the number. Format the column as text and fill it in again`;
  return undefined;
}

/** Reads a date in the format of `--date-format`, or in that of the service. */
function readDate(column: Column, cell: string, { dayOf, reading: { dateFormat } }: ColumnMap): Read {
  const day = dayOf(cell);
  const read = column.read(day ?? cell);
  if ('value' in read) return read;
  const wrong = day === undefined ? read.wrong : read.wrong.replace(JSON.stringify(day), () => JSON.stringify(cell));
  if (dateFormat !== undefined) return { wrong: `${wrong} (--date-format ${dateFormat})` };
  const formats = formatsFor(cell);
  return formats.length === 0 ? read : { wrong: `${read.wrong}. Add --date-format ${formats.join(' or ')}` };
}

function readCell(column: Column, cell: Exclude<Cell, undefined>, map: ColumnMap, hasDecimals: boolean): Read {
  if (typeof cell !== 'string') return column.read(cell);
  const wrong = damage(column, cell);
  if (wrong !== undefined) return { wrong };
  if (column.form === 'date') return readDate(column, cell, map);
  return column.read(column.form === 'whole' && !hasDecimals ? wholeText(cell) : cell);
}

/** Adds the command line's values, without alternatives to the row's: no `days` for a row with `until`. */
function addDefaults({ alternatives }: Verb, line: Values, own: Record<string, Value | undefined>): void {
  const given = alternatives.filter((group) => group.some((name) => own[name] !== undefined));
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
  map: ColumnMap,
  names: readonly string[],
  row: InputRow,
  line: Values,
  checks = false,
) {
  const own: Record<string, Value | undefined> = {};
  const problems: RowProblem[] = [];
  const { decimals } = row;
  for (let place = 0; place < row.cells.length; place++) {
    const cell = row.cells[place];
    if (cell === undefined) continue;
    const name = names[place] ?? '';
    const column = map.at(place);
    if (column === undefined) {
      if (name === '' && map.reading.ignoreUnknown !== true)
        problems.push({ place: place + 1, message: 'is in a column without a name' });
      continue;
    }
    const read = readCell(column, cell, map, decimals?.includes(place) === true);
    const wrong = 'wrong' in read ? read.wrong : checks ? column.check?.(read.value) : undefined;
    if (wrong !== undefined) problems.push({ column: name, place: place + 1, message: wrong });
    else if ('value' in read) own[column.name] = read.value;
  }
  const written = map.hasOwn() ? ownCells(names, row) : undefined;
  if (map.isResults()) {
    const found = thingOf(verb, line, written, map.has, map.isForeign());
    const isNamed =
      found?.value !== undefined && own[found.name] !== undefined && namesItem(names[map.placeOf(found.name)]);
    const thing = isNamed ? undefined : found;
    if (thing?.value !== undefined) own[thing.name] = thing.value;
    else if (thing !== undefined) delete own[thing.name];
  }
  addDefaults(verb, line, own);
  return { values: own, problems, own: written };
}

/**
 * Reads a row and checks it as a whole. The parameters are those of `readCells`.
 * @returns also the columns that neither the row nor the command line fills
 */
export function readRow(verb: Verb, map: ColumnMap, names: readonly string[], row: InputRow, line: Values) {
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

/** The key of a row as text; undefined if one of its parts is missing. */
export function keyOfRow(verb: Verb, values: Values): string | undefined {
  const parts: unknown[] = [];
  for (const name of verb.key) {
    const value = values[name];
    if (value === undefined) return undefined;
    parts.push(typeof value === 'object' ? value.map((text) => comparable(name, text)) : comparable(name, `${value}`));
  }
  return parts.length === 0 ? undefined : JSON.stringify(parts);
}

/** The problem of a row that has the same key as an earlier line. */
export function sameKeyText({ key }: Verb, values: Values, line: number): string {
  const shown = key.map((name) => `${name} ${JSON.stringify(values[name])}`).join(', ');
  return `has the same key as line ${line}: ${shown}`;
}
