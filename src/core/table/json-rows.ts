/** Reads rows with their places from NDJSON, or from a JSON array element by element, in constant memory. */
import { usageError } from '../errors.js';
import { isObject, JsonNesting, type JsonObject, jsonFault } from '../json.js';
import { getOrSet } from '../maps.js';
import type { Batch, Cell, CellKind, InputProblem, InputRow, Rows } from './rows.js';

/** Max length of an element in UTF-16 units; a longer one means a bracket that was never closed. */
const MAX_ELEMENT_LENGTH = 4 * 1024 * 1024;

/** Limit of different members: the time for a row grows with their number. Objects of the API have dozens. */
const MAX_MEMBERS = 4096;

type Read = { readonly cell: Cell } | { readonly wrong: string };

function scalarOf(value: unknown): Read {
  if (value === null || value === undefined) return { cell: undefined };
  if (typeof value === 'string') return { cell: value.trim() || undefined };
  if (typeof value === 'boolean') return { cell: String(value) };
  if (typeof value !== 'number') return { wrong: 'is an object' };
  if (!Number.isSafeInteger(Math.trunc(value)))
    return { wrong: `is a number that JSON readers round (${value}); write it in quotes` };
  return { cell: String(value) };
}

/** Members that name the thing an element of a list is about: its ID, else what people know. */
const NAMES = ['id', 'email', 'code', 'ean', 'name', 'translatedName'];

/** What names an element of a list; the element itself if that is no object, or an object without any of `NAMES`. */
function nameOf(part: unknown): unknown {
  if (!isObject(part)) return part;
  return NAMES.map((name) => part[name]).find((one) => one !== undefined && one !== null && one !== '') ?? part;
}

function cellOf(value: unknown): Read {
  if (!Array.isArray(value)) return scalarOf(value);
  const texts: string[] = [];
  for (const part of value) {
    const inner = scalarOf(nameOf(part));
    if ('cell' in inner && inner.cell === undefined) continue;
    if ('wrong' in inner || typeof inner.cell !== 'string') return { wrong: 'is a list with values that are not text' };
    texts.push(inner.cell);
  }
  return { cell: texts };
}

/** Max depth of members that become columns; no field of the API is deeper. Deeper objects are rejected. */
const MAX_DEPTH = 8;

/** Members by dotted names: `{"expiration":{"days":365}}` is the column `expiration.days`. */
function* members(object: JsonObject, prefix = '', depth = 1): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value) && depth < MAX_DEPTH) yield* members(value, `${prefix}${name}.`, depth + 1);
    else yield [`${prefix}${name}`, value];
  }
}

/** The first key, in its quotes, that an object of a JSON text has twice: JSON.parse keeps the last value only. */
function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const token of json.match(/[{}]|"[^"\\]*(?:\\.[^"\\]*)*(?:"\s*:?)?/g) ?? []) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token.endsWith(':')) {
      const key = token.slice(0, -1).trimEnd();
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

/** The object of a row, or why it cannot be read. @throws SyntaxError for text that is not JSON */
function parsed(text: string): JsonObject | string {
  const object: unknown = JSON.parse(text);
  const twice = repeatedKey(text);
  if (twice !== undefined) return `has the member ${twice} twice`;
  if (isObject(object)) return object;
  // An ID, as in a list that --query made.
  if (typeof object === 'string') return { edu_id: object };
  return 'is not an object; each row is one, such as {"name": "Autumn"}';
}

const nothing = () => ({ rows: [] as InputRow[], problems: [] as InputProblem[] });

/**
 * Returns a function that reads the members of an object on a line as cells.
 * @param columns takes the names of columns that are new
 * @returns also the problems of members that are no cells, if there are any
 */
export function objectReader(columns: string[]) {
  const places = new Map(columns.map((name, place) => [name, place] as const));
  return (object: JsonObject, line: number) => {
    const cells: Cell[] = [];
    const kinds: Record<number, CellKind> = {};
    const problems: InputProblem[] = [];
    for (const [name, member] of members(object)) {
      const cell = getOrSet(places, name, () => columns.push(name) - 1);
      const read = cellOf(member);
      if (cells[cell] !== undefined) problems.push({ line, cell, message: 'is given twice' });
      else if ('wrong' in read) problems.push({ line, cell, message: read.wrong });
      else cells[cell] = read.cell;
      if (typeof member === 'number' && !Number.isInteger(member)) kinds[cell] = 'decimal';
    }
    return problems.length === 0 ? { cells, kinds } : { cells, kinds, problems };
  };
}

/** @param format in an array, the end of an element that is not JSON is uncertain */
function reader(columns: string[], format: 'json' | 'ndjson') {
  const read = objectReader(columns);
  let number = 0;
  return (text: string, line: number, { rows, problems }: ReturnType<typeof nothing>): void => {
    if (columns.length > MAX_MEMBERS)
      throw usageError(`Line ${line}: the objects before it have more than ${MAX_MEMBERS} different members.`);
    number++;
    const skip = (problem: InputProblem) =>
      rows.push({ number, line, cells: [], text, isBroken: true, problems: [problem] });
    try {
      const object = parsed(text);
      if (typeof object === 'string') skip({ line, message: object });
      else rows.push({ number, line, object, ...read(object, line) });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const place = jsonFault(text);
      const problem = { ...place, line: line + (place?.line ?? 1) - 1, message: 'is not JSON' };
      if (format === 'json') problems.push(problem);
      else skip(problem);
    }
  };
}

/** One object a line. */
export function ndjsonRows(text: AsyncIterable<string>): Rows {
  const columns: string[] = [];
  const take = reader(columns, 'ndjson');
  async function* batches(): AsyncGenerator<Batch> {
    let pending = '';
    let line = 1;
    for await (const chunk of text) {
      const taken = nothing();
      const lines = (pending + chunk).split('\n');
      pending = lines.pop() ?? '';
      for (const one of lines) {
        if (one.trim() !== '') take(one, line, taken);
        line++;
      }
      const isTooLong = pending.length > MAX_ELEMENT_LENGTH;
      if (isTooLong) taken.problems.push({ line, message: `has more than ${MAX_ELEMENT_LENGTH} characters` });
      yield taken;
      if (isTooLong) return;
    }
    const taken = nothing();
    if (pending.trim() !== '') take(pending, line, taken);
    yield taken;
  }
  return { format: 'ndjson', columns, batches: batches() };
}

/** One array of objects, in any layout. */
export function jsonRows(text: AsyncIterable<string>): Rows {
  const columns: string[] = [];
  const take = reader(columns, 'json');
  async function* batches(): AsyncGenerator<Batch> {
    const scan = new JsonNesting();
    let element = '';
    let line = 1;
    let elementLine = 1;
    let isEnded = false;
    let wasComma = false;
    for await (const chunk of text) {
      const taken = nothing();
      const endingWith = (problem: InputProblem): Batch => ({ ...taken, problems: [...taken.problems, problem] });
      let start = 0;
      for (let at = 0; at < chunk.length; at++) {
        const char = chunk[at] ?? '';
        if (char === '\n') line++;
        if (isEnded || scan.depth === 0) {
          if (!isEnded && char === '[') scan.depth = 1;
          else if (char.trim() !== '') {
            yield endingWith({ line, message: 'something follows the end of the array' });
            return;
          }
          start = at + 1;
          elementLine = line;
          continue;
        }
        if (element === '' && start === at && char.trim() === '') {
          start = at + 1;
          continue;
        }
        if (element === '' && start === at) elementLine = line;
        // A comma, or the closing bracket of the array itself, ends an element.
        const ends = scan.next(char) && (scan.depth < 1 || (scan.depth === 1 && char === ','));
        if (!ends) continue;
        element += chunk.slice(start, at);
        start = at + 1;
        if (element.trim() !== '') take(element, elementLine, taken);
        else if (wasComma) taken.problems.push({ line, message: 'a value is missing between two commas' });
        element = '';
        wasComma = char === ',';
        isEnded = scan.depth < 1;
      }
      if (!isEnded) element += chunk.slice(start);
      if (element.length > MAX_ELEMENT_LENGTH) {
        yield endingWith({ line: elementLine, message: 'starts an element that is never closed' });
        return;
      }
      yield taken;
    }
    const message = 'the array is not closed: the input ends too early';
    if (!isEnded) yield { rows: [], problems: [{ line: elementLine, message }] };
  }
  return { format: 'json', columns, batches: batches() };
}
