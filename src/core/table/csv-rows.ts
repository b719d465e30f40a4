/**
 * Reads CSV rows with their places, in constant memory. papaparse splits the cells; this file feeds it and counts
 * lines. All cells stay strings.
 */
import Papa from 'papaparse';
import { fromTextFormula } from '../formula.js';
import { plural } from '../plural.js';
import type { Dialect } from './delimiter.js';
import { isAboveHeader } from './headers.js';
import type { Batch, InputProblem, InputRow, Rows } from './rows.js';

/** papaparse's internal parser, because its public stream reader does not report where a row begins. */
interface LowParser {
  parse(text: string, base: number, ignoreLastRow: boolean): LowResult;
}
interface LowResult {
  readonly data: readonly string[][];
  readonly errors: readonly { readonly code: string; readonly row: number; readonly index: number }[];
  readonly meta: { readonly cursor: number };
}

const parserOf = (delimiter: string, newline: Dialect['newline']): LowParser =>
  new Papa.Parser({ delimiter, newline, quoteChar: '"' }) as unknown as LowParser;

/** Returns a function that splits one record without its line break into cells. */
export function csvSplitter(delimiter: string): (record: string) => readonly string[] {
  const parser = parserOf(delimiter, '\n');
  return (record) => parser.parse(record, 0, false).data[0] ?? [''];
}

/** Max length of a record in UTF-16 units; a longer one means a quote that was never closed. */
const MAX_RECORD_LENGTH = 4 * 1024 * 1024;

const breaksIn = (text: string, newline: string): number => {
  let count = 0;
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) count++;
  return count;
};

/** Line and column of an index in a text. @param line the line on which the text begins */
function placeAt(text: string, index: number, line: number, newline: string): { line: number; column: number } {
  const before = text.slice(0, index);
  return { line: line + breaksIn(before, newline), column: index - before.lastIndexOf(newline) };
}

const MESSAGES: Readonly<Record<string, string>> = {
  MissingQuotes: 'a quote is opened here and never closed',
  InvalidQuotes: 'something follows the closing quote of this cell; write a quote within a cell twice',
};

const isBlank = (record: readonly string[]): boolean => record.every((cell) => cell.trim() === '');

/** Excel drops delimiters at the end of a row, or adds some, so only cells with text count as surplus. */
const surplus = (record: readonly string[], columns: number): boolean => !isBlank(record.slice(columns));

/**
 * True if a first line is an ID, as printed by `-o ids`: one cell with a digit, an e-mail address, or a reference such as
 * `code:abc`. No command has a column of such a name.
 */
const isBareId = ([first = '', ...others]: readonly string[]): boolean =>
  others.length === 0 &&
  ((!/[\s"]/.test(first.trim()) && /[\d@]/.test(first)) || /^(code|id|name):./.test(first.trim()));

interface State {
  readonly delimiter: string;
  line: number;
  /** The header is not before this line. */
  readonly headerRow: number | undefined;
  number: number;
  header: readonly string[] | undefined;
  /** Undefined for bare IDs, which have no header. */
  headerLine: number | undefined;
}

const cellsOf = (record: readonly string[], header: readonly string[]) =>
  record.slice(0, header.length).map((cell) => fromTextFormula(cell.trim()).trim() || undefined);

/** The parser splits at LF, so CRLF leaves a CR at the end. */
function removeCr(record: string[]): void {
  const last = record.length - 1;
  if (record[last]?.endsWith('\r')) record[last] = record[last].slice(0, -1);
}

/** Turns a record into a row or the header, or skips it if it is blank. @param problem why it cannot be read */
function take(record: string[], state: State, rows: InputRow[], problem?: InputProblem): void {
  const { line } = state;
  const isAbove = state.header === undefined && isAboveHeader(line, record, state.headerRow);
  if (isBlank(record) || isAbove) return;
  if (state.header === undefined && state.headerRow === undefined && isBareId(record)) {
    state.header = ['edu_id'];
    state.headerLine = undefined;
  }
  if (state.header === undefined) {
    state.header = record.map((name) => fromTextFormula(name.trim()).replace(/\s+/g, ' ').trim());
    state.headerLine = line;
    return;
  }
  state.number++;
  const { header, number } = state;
  const row = { number, line, cells: cellsOf(record, header) };
  if (problem !== undefined) rows.push({ ...row, isBroken: true, problems: [problem] });
  else if (surplus(record, header.length)) {
    const cells = plural(record.length, 'cell');
    const columns = plural(header.length, 'column');
    const way = `put a cell with ${JSON.stringify(state.delimiter)} in quotes${header.length === 1 ? ', or pass another --delimiter' : ''}`;
    rows.push({ ...row, problems: [{ line, message: `has ${cells}, but the header has ${columns}; ${way}` }] });
  } else rows.push(row);
}

/** Parses a text chunk by chunk; the header goes into `state`. */
async function* batches(text: AsyncIterable<string>, dialect: Dialect, state: State): AsyncGenerator<Batch> {
  const { delimiter, newline } = dialect;
  const parser = parserOf(delimiter, newline);
  let pending = '';
  let isTooLong = false;

  function parse(last: boolean): Batch {
    const rows: InputRow[] = [];
    const problems: InputProblem[] = [];
    const firstLine = state.line;
    const { data, errors, meta } = parser.parse(pending, 0, !last);
    const unterminated = errors.find(({ code }) => code === 'MissingQuotes');
    // Only the first error of a record counts: in reverse order it overwrites the later ones, which follow from it.
    const bad = new Map(errors.toReversed().map((error) => [error.row, error] as const));
    for (const [index, record] of data.entries()) {
      removeCr(record);
      const error = bad.get(index);
      if (error !== undefined || (unterminated !== undefined && index === data.length - 1)) {
        const { code, index: at } = error ?? unterminated ?? { code: '', index: 0 };
        const start = errors[0] === undefined ? 0 : Math.max(0, at - 1);
        const problem = { ...placeAt(pending, start, firstLine, newline), message: MESSAGES[code] ?? 'is not CSV' };
        // A wrong quote that spans line breaks may enclose whole rows.
        const isWhole = error !== undefined && error !== unterminated && !record.some((cell) => cell.includes(newline));
        if (state.header !== undefined && isWhole) take(record, state, rows, problem);
        else problems.push(problem);
      } else take(record, state, rows);
      for (const cell of record) if (cell.includes(newline)) state.line += breaksIn(cell, newline);
      state.line++;
    }
    pending = last ? '' : pending.slice(meta.cursor);
    return { rows, problems };
  }

  let incomplete = 0;
  for await (const chunk of text) {
    pending += chunk;
    // Parsing a long record again with each chunk would take quadratic time.
    if (pending.length < 2 * incomplete && pending.length <= MAX_RECORD_LENGTH) continue;
    const batch = parse(false);
    incomplete = pending.length;
    if (batch.rows.length > 0 || batch.problems.length > 0) yield batch;
    isTooLong = pending.length > MAX_RECORD_LENGTH;
    if (isTooLong) break;
  }
  const line = state.line;
  if (pending !== '') {
    const batch = parse(true);
    // The end of the record was not read, so cells seem to be missing.
    if (isTooLong && !batch.problems.some(({ message }) => message === MESSAGES.MissingQuotes))
      yield { rows: [], problems: [{ line, message: `has more than ${MAX_RECORD_LENGTH} characters` }] };
    else yield batch;
  }
}

/**
 * Reads a CSV up to its header.
 * @param text without byte order mark and `sep=` line
 * @param headerRow the first line that may be the header; undefined if the first one that is not blank is it
 */
export async function csvRows(
  text: AsyncIterable<string>,
  dialect: Dialect,
  startLine: number,
  headerRow: number | undefined,
): Promise<Rows> {
  const { delimiter } = dialect;
  const state: State = { delimiter, line: startLine, headerRow, number: 0, header: undefined, headerLine: startLine };
  const source = batches(text, dialect, state);
  const early: Batch[] = [];
  while (state.header === undefined) {
    const next = await source.next();
    if (next.done) break;
    early.push(next.value);
  }
  async function* all(): AsyncGenerator<Batch> {
    yield* early.splice(0);
    yield* source;
  }
  return {
    format: 'csv',
    columns: state.header ?? [],
    headerLine: state.headerLine,
    delimiter,
    batches: all(),
  };
}
