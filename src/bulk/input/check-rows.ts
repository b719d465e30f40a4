/** The first pass over an input: every row is read and checked, and all that is wrong is said at once. Sends nothing. */
import type { Problem } from '../../core/errors.js';
import type { Values, Verb } from '../row-command.js';
import { columnMap } from './columns.js';
import type { Input } from './open.js';
import { keyOfRow, type RowProblem, readRow } from './read-row.js';
import type { References } from './resolve-references.js';
import { type InputRow, placeOf } from './rows.js';
import { seenKeys } from './seen-keys.js';

/** Problems that are kept; of further ones only their number is known. */
const MOST_KEPT = 10_000;

export interface Checked {
  readonly rows: number;
  readonly problems: readonly Problem[];
  /** All of them, kept or not. */
  readonly problemCount: number;
  /** What is wrong with rows that are left out, by their numbers. */
  readonly invalid: ReadonlyMap<number, string>;
  /** Columns that `--ignore-unknown` leaves out. */
  readonly ignored: readonly string[];
}

interface Tally {
  readonly kept: Problem[];
  count: number;
}

function add(tally: Tally, where: string, message: string): void {
  tally.count++;
  if (tally.kept.length < MOST_KEPT) tally.kept.push({ where, message });
}

const placeIn = (line: number, { column, place }: RowProblem): string =>
  place === undefined
    ? `line ${line}`
    : `line ${line}, column ${place}${column === undefined ? '' : ` ${JSON.stringify(column)}`}`;

/** What is missing, by column: said once when no row has it, else line by line. */
interface Missing {
  readonly description: string;
  readonly lines: number[];
  count: number;
}

function addMissing(tally: Tally, missing: ReadonlyMap<string, Missing>, rows: number, headerLine: number): void {
  for (const [name, { description, lines, count }] of missing) {
    if (count === rows && rows > 1) {
      add(
        tally,
        `line ${headerLine}`,
        `${name} is missing in every row: ${description}. Add the column, or say it on the command line`,
      );
      continue;
    }
    for (const line of lines) add(tally, `line ${line}`, `${name} is missing: ${description}`);
    tally.count += count - lines.length;
  }
}

/**
 * Checks a whole input.
 * @param line what the command line says for every row
 * @param skipsInvalid wrong rows are left out; only what is wrong with the input as a whole is a problem then
 */
export async function check(
  input: Input,
  verb: Verb,
  line: Values,
  references: References,
  signal: AbortSignal,
  skipsInvalid = false,
): Promise<Checked> {
  const invalid = new Map<number, string>();
  const tally: Tally = { kept: [], count: 0 };
  const map = columnMap(verb, input.reading);
  const keys = seenKeys();
  const missing = new Map<string, Missing>();
  let rows = 0;
  const headerLine = input.headerLine ?? 1;

  const learn = (): void => {
    for (const { place, message } of map.learn(input.columns))
      add(tally, `line ${headerLine}, column ${place}`, message);
  };

  /** Notes what is wrong with a row. */
  function addTo(row: InputRow, where: string, message: string): void {
    const before = invalid.get(row.number);
    const text = where === `line ${row.line}` ? message : `${where} ${message}`;
    if (skipsInvalid) invalid.set(row.number, before === undefined ? text : `${before}; ${text}`);
    else add(tally, where, message);
  }

  function noteMissing(name: string, description: string, at: number): void {
    const entry = missing.get(name) ?? { description, lines: [], count: 0 };
    entry.count++;
    if (entry.lines.length < MOST_KEPT) entry.lines.push(at);
    missing.set(name, entry);
  }

  function noteKey(values: Values, row: InputRow): void {
    const at = row.line;
    const key = keyOfRow(verb, values);
    if (key === undefined) return;
    const before = keys.note(key, at);
    const shown = verb.key.map((name) => `${name} ${JSON.stringify(values[name])}`).join(', ');
    if (before !== undefined) addTo(row, `line ${at}`, `has the same key as line ${before}: ${shown}`);
  }

  if (verb.creates && input.format === 'csv' && input.headerLine === undefined)
    add(tally, 'line 1', 'there is no header: the first line must name the columns, see --template');
  learn();
  for await (const batch of input.batches) {
    signal.throwIfAborted();
    learn();
    const byLine = new Map(skipsInvalid ? batch.rows.map((row) => [row.line, row]) : []);
    const broken = new Set(batch.problems.map(({ line }) => line));
    for (const problem of batch.problems) {
      const row = byLine.get(problem.line);
      if (row === undefined) add(tally, placeOf(problem), problem.message);
      else addTo(row, placeOf(problem), problem.message);
    }
    for (const row of batch.rows) {
      rows++;
      if (broken.has(row.line)) continue;
      const read = readRow(verb, map, input.columns, row, line);
      for (const problem of read.problems) addTo(row, placeIn(row.line, problem), problem.message);
      for (const { name, description } of read.missing) {
        if (skipsInvalid) addTo(row, `line ${row.line}`, `${name} is missing: ${description}`);
        else noteMissing(name, description, row.line);
      }
      if (read.problems.length > 0 || invalid.has(row.number)) continue;
      noteKey(read.values, row);
      if (invalid.has(row.number)) continue;
      references.note(read.values, row.line);
    }
  }
  for (const header of map.unmet())
    add(tally, `line ${headerLine}`, `there is no column ${JSON.stringify(header)}, which --map names`);
  addMissing(tally, missing, rows, headerLine);
  tally.kept.sort((a, b) => lineOf(a) - lineOf(b));
  return { rows, problems: tally.kept, problemCount: tally.count, ignored: map.unknown, invalid };
}

const lineOf = ({ where }: Problem): number => Number(/\d+/.exec(where ?? '')?.[0] ?? 0);
