/** The first pass over an input: reads and checks every row, and reports all problems together. */
import { getOrSet } from '../../core/maps.js';
import { either } from '../../core/plural.js';
import { seenKeys } from '../../core/seen-keys.js';
import { misplacedHeader } from '../../core/table/misplaced-header.js';
import type { Input } from '../../core/table/open-table.js';
import { type ColumnPlace, columnText, hiddenNotes, type InputProblem, type InputRow } from '../../core/table/rows.js';
import type { Values, Verb } from '../row-command.js';
import type { InputCopy } from './input-copy.js';
import { columnMap, type OwnCells } from './own-cells.js';
import { ProblemList } from './problem-list.js';
import { keyOfRow, keyTwiceText, readRow, sameKeyText } from './read-row.js';
import type { References } from './resolve-references.js';

export type Checked = Awaited<ReturnType<typeof check>>;

/** The items of a results file that an earlier row names, too: a line was copied with its `edu_` cells. */
function* twiceNamed(items: ReturnType<typeof seenKeys>, { id, code }: OwnCells, line: number): Generator<string> {
  for (const [name, value] of [['edu_id', id] as const, ['edu_code', code] as const]) {
    const before = value === undefined ? undefined : items.note(`${name} ${value}`, line);
    if (before !== undefined)
      yield `has the ${name} ${JSON.stringify(value)} of line ${before}. Empty its edu_ cells to create another item`;
  }
}

const nothingToChange = (ignored: readonly string[]): string =>
  `no row gives a change: all columns but those that name the item are blank${
    ignored.length === 0 ? '' : `, or not read (see --map): ${namesText(ignored)}`
  }`;
const IN_CONFLICT =
  "has the edu_status conflict, so its edu_ cells name an item that is not the row's. Leave it out with --where 'edu_status!=conflict'";
const NO_HEADER = 'there is no header: the first line must name the columns, see --template';

function placeIn({ columns }: Input, { cell, column }: InputProblem): ColumnPlace | undefined {
  if (column !== undefined) return { place: column - 1 };
  return cell === undefined ? undefined : { place: cell, name: columns[cell] };
}

/** Names in a message. */
export const namesText = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** Required columns that have no value, with the lines of those rows. */
type Missing = Map<string, number[]>;

interface RowCounts {
  readonly rows: number;
  /** Rows that equal the row before because of its count. */
  readonly copied: number;
  /** Rows that a workbook hides. */
  readonly hidden: number;
  /** Rows that name an item, but give no values for it. */
  readonly idle: number;
  /** True if the plan of a row is to be examined. */
  readonly isExamined: boolean;
}

function reportMissing(missing: Missing, { rows, copied }: RowCounts, headerLine: number, problems: ProblemList): void {
  for (const [name, lines] of missing) {
    const hint = 'Add the column, or pass it on the command line';
    if (lines.length === rows - copied && rows > 1)
      problems.add(headerLine, `${name} is missing in every row. ${hint}`);
    else for (const at of lines) problems.add(at, `${name} is missing`);
  }
}

/** Reports values of the command line that no row has. @returns warnings of those that are no items */
function reportUnused(
  unused: Iterable<string>,
  { key, alternatives }: Verb,
  line: Values,
  headerLine: number,
  problems: ProblemList,
): readonly string[] {
  const notes: string[] = [];
  for (const name of unused) {
    const own = `every row has its own ${either(alternatives.find((group) => group.includes(name)) ?? [name])}`;
    if (key.includes(name)) problems.add(headerLine, `${own}, so ${line[name]} on the command line has no effect`);
    else notes.push(`--${name} has no effect: ${own}. To leave its column out, use --ignore.`);
  }
  return notes;
}

/**
 * Checks all rows of an input.
 * @param line values from the command line, for every row
 * @param skipsInvalid collect invalid rows in `invalid`, so that only problems of the input as a whole count
 * @param copy takes the rows
 */
export async function check(
  input: Input,
  verb: Verb,
  line: Values,
  references: References,
  signal: AbortSignal,
  skipsInvalid: boolean,
  copy: InputCopy,
) {
  /** Problems of the skipped rows, by row number. */
  const invalid = new Map<number, string>();
  const { isSheet = false } = input;
  const problems = new ProblemList('line', undefined, isSheet);
  const map = columnMap(verb, line, input);
  const keys = seenKeys();
  const items = seenKeys();
  const missing: Missing = new Map();
  /** Values of the command line that no row has, because each has its own. A create has them as defaults. */
  const unused = new Set(verb.creates ? [] : Object.keys(line).filter((name) => line[name] !== undefined));
  const counts = { rows: 0, copied: 0, hidden: 0, idle: 0, isExamined: false };
  const headerLine = input.headerLine ?? 1;

  const learn = (): void => {
    for (const { column, message } of map.learn(input.columns)) problems.add(headerLine, message, column);
  };

  function addTo({ number, line: at, copies = 1 }: InputRow, message: string, column?: ColumnPlace): void {
    const before = invalid.get(number);
    // Without the line, so that equal errors are reported once.
    const text = column === undefined ? message : `${columnText(column, isSheet)} ${message}`;
    if (!skipsInvalid) problems.add(at, message, column);
    else for (let copy = 0; copy < copies; copy++) invalid.set(number + copy, before ? `${before}; ${text}` : text);
  }

  if (verb.creates && input.format === 'csv' && input.headerLine === undefined) problems.add(1, NO_HEADER);
  learn();
  copy.begin(input, (place) => !map.isDropped(place));
  let misplaced: string | undefined;
  for await (const batch of input.batches) {
    signal.throwIfAborted();
    learn();
    copy.add(batch);
    misplaced ??= misplacedHeader(input, batch.rows, map);
    for (const problem of batch.problems) problems.add(problem.line, problem.message, placeIn(input, problem));
    for (const row of batch.rows) {
      const { copies = 1 } = row;
      counts.rows += copies;
      counts.copied += copies - 1;
      counts.hidden += row.isHidden ? 1 : 0;
      const faults = map.problemsOf(row);
      for (const fault of faults) addTo({ ...row, line: fault.line }, fault.message, placeIn(input, fault));
      if (faults.length > 0) continue;
      const read = readRow(verb, map, input.columns, row, line);
      if (read.problems.length === 0 && verb.wants?.(read.values) === false) counts.idle += copies;
      counts.isExamined ||= verb.examines?.(read.values) === true;
      for (const name of unused) if (read.values[name] === line[name]) unused.delete(name);
      for (const { message, column } of read.problems) addTo(row, message, column);
      for (const { name } of read.missing) {
        if (skipsInvalid) addTo(row, `${name} is missing`);
        else getOrSet(missing, name, (): number[] => []).push(row.line);
      }
      if (read.problems.length > 0 || invalid.has(row.number)) continue;
      const key = keyOfRow(verb, read.values);
      const before = key === undefined ? undefined : keys.note(key, row.line);
      if (before !== undefined) addTo(row, sameKeyText(verb, read.values, before));
      else if (key !== undefined && copies > 1) addTo(row, keyTwiceText(verb, read.values, copies));
      if (verb.destroys && read.own?.isInConflict === true) addTo(row, IN_CONFLICT);
      if (verb.creates && read.own) for (const problem of twiceNamed(items, read.own, row.line)) addTo(row, problem);
      if (!invalid.has(row.number)) references.note(read.values);
    }
  }
  for (const { message } of map.unmet(input.columns)) problems.add(headerLine, message);
  reportMissing(missing, counts, headerLine, problems);
  // The cells of an update may be changes; other commands take only the item from a results file.
  const ignored = verb.wants === undefined && map.isResults ? [] : map.unknown;
  if (counts.rows > 0 && counts.idle === counts.rows) problems.add(headerLine, nothingToChange(ignored));
  const notes = [
    ...hiddenNotes(counts.hidden),
    ...(ignored.length === 0 ? [] : [`Ignored columns: ${namesText(ignored)}.`]),
    ...(counts.rows > 0 ? reportUnused(unused, verb, line, headerLine, problems) : []),
  ];
  const only = new ProblemList();
  if (misplaced !== undefined) only.add(headerLine, misplaced);
  return {
    ...counts,
    problems: misplaced !== undefined && problems.count > 0 ? only : problems,
    notes,
    invalid: invalid as ReadonlyMap<number, string>,
    /** True if the input has `edu_` columns. */
    hasOwn: map.hasOwn,
  };
}
