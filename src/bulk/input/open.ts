/** Bytes of an input of any format → rows: finds out encoding, format and dialect. */
import { usageError } from '../../core/errors.js';
import { rearmed } from '../../core/formula.js';
import { csvRows } from './csv.js';
import { dialectOf } from './delimiter.js';
import { decode, type Encoding } from './encoding.js';
import { jsonRows, ndjsonRows } from './json.js';
import { isOwnColumn } from './own-cells.js';
import type { Batch, Format, Rows } from './rows.js';

export interface InputOptions {
  /** Its name, for the ending; `-` for stdin. */
  readonly name: string;
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: string | undefined;
}

export interface Input extends Rows {
  readonly encoding: Encoding;
  /** It began with a byte order mark. */
  readonly marked: boolean;
}

/** Enough to see the first line, in UTF-16 units. */
const HEAD = 64 * 1024;

const ENDINGS: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
};

function formatOf(name: string, head: string): Format {
  const known = ENDINGS[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (known !== undefined) return known;
  const first = head.trimStart()[0];
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
}

/** The delimiter that a flag names: one sign, or `tab`. @throws a usage error */
export function delimiterOf(text: string): string {
  const named: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' };
  const sign = named[text.toLowerCase()] ?? text;
  if (sign.length === 1 && !/["\r\n]/.test(sign)) return sign;
  throw usageError(`--delimiter must be one character or "tab", not ${JSON.stringify(text)}.`);
}

const emptyInput = (name: string): Error =>
  usageError(`${name === '-' ? 'The input' : name} is empty. Nothing was sent.`);

/**
 * Opens an input.
 * @throws a usage error when it is empty or in another encoding
 */
export async function openInput(bytes: AsyncIterable<Uint8Array>, options: InputOptions): Promise<Input> {
  const { text, found } = decode(bytes, options.encoding);
  const source = text[Symbol.asyncIterator]();
  let head = '';
  let isOver = false;
  while (head.length < HEAD && !isOver) {
    const next = await source.next();
    if (next.done) isOver = true;
    else head += next.value;
  }
  if (head.trim() === '') {
    throw emptyInput(options.name);
  }
  async function* rest(from: string): AsyncGenerator<string> {
    if (from !== '') yield from;
    if (!isOver) yield* { [Symbol.asyncIterator]: () => source };
  }
  const format = formatOf(options.name, head);
  if (format !== 'csv') return { ...(format === 'json' ? jsonRows : ndjsonRows)(rest(head)), ...found() };
  const asked = options.delimiter ?? (/\.(tsv|tab)$/i.test(options.name) ? '\t' : undefined);
  const dialect = dialectOf(head, asked);
  const rows = await csvRows(rest(head.slice(dialect.skip)), dialect, dialect.skip > 0 ? 2 : 1);
  // A line `sep=;` and nothing more.
  if (rows.columns.length === 0) throw emptyInput(options.name);
  if (!found().marked || !rows.columns.some(isOwnColumn)) return { ...rows, ...found() };
  return { ...rows, batches: withFormulas(rows.batches), ...found() };
}

/** Results that were written for Excel have a byte order mark, and an apostrophe before what may be a formula. */
async function* withFormulas(batches: Rows['batches']): AsyncGenerator<Batch> {
  for await (const { rows, problems } of batches) {
    const plain = rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => (typeof cell === 'string' ? rearmed(cell) : cell)),
    }));
    yield { rows: plain, problems };
  }
}
