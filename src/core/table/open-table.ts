/** Opens a table of any format: detects format, encoding and dialect by content. */
import { closeSync, readSync } from 'node:fs';
import { usageError } from '../errors.js';
import { describeErrno } from '../fs/disk-errors.js';
import { openRegularFile, streamRegularFile } from '../fs/regular-file.js';
import { csvRows } from './csv-rows.js';
import { delimiterOf, dialectOf } from './delimiter.js';
import { decode, type Encoding, encodingOf } from './encoding.js';
import { conditionOf, isHeader } from './headers.js';
import { jsonRows, ndjsonRows } from './json-rows.js';
import type { Batch, Format, InputRow, Reading, Rows } from './rows.js';

export interface TableOptions {
  /** The name in messages, whose ending may select TSV; `-` for stdin. */
  readonly name: string;
  readonly reading?: Reading | undefined;
  /** A file without content is a table without rows, as lists of IDs and NDJSON are when there is nothing to list. */
  readonly mayBeEmpty?: boolean;
}

export interface Input extends Rows {
  /** Null for a workbook. */
  readonly encoding: Encoding | null;
  readonly marked: boolean;
}

/** UTF-16 units that are read to detect the format; enough for the first line. */
const HEAD = 64 * 1024;

/** Bytes per read. The rows of a larger chunk would outlive V8's young generation. */
const CHUNK = 16 * 1024;

/** True for an object over several lines, as `get --json` prints it. */
const isOneObject = (head: string): boolean => /^\s*\{[^\S\n]*\n\s*"/.test(head);

async function* inArray(text: AsyncIterable<string>): AsyncGenerator<string> {
  yield '[';
  yield* text;
  yield ']';
}

/** Detects the format by content, since a file may have any name. A CSV header may begin with a bracket too. */
function formatOf(head: string): Format {
  if (/^\s*\[\s*(?:[[{\]"]|$)/.test(head) || isOneObject(head)) return 'json';
  return /^\s*\{\s*(?:["}]|$)/.test(head) ? 'ndjson' : 'csv';
}

const shownName = (name: string): string => (name === '-' ? 'The input' : name);

const emptyInput = (name: string, headerRow = 1): Error =>
  usageError(`${shownName(name)} is empty${headerRow > 1 ? ` from line ${headerRow} on` : ''}. Nothing was sent.`);

/** @throws a usage error for the first given flag that a table of a kind gives no use for */
function refuse(flags: Readonly<Record<string, unknown>>, name: string, kind: string): void {
  const flag = Object.keys(flags).find((one) => flags[one] !== undefined);
  if (flag !== undefined) throw usageError(`${flag} ${JSON.stringify(flags[flag])}: ${shownName(name)} is ${kind}.`);
}

/**
 * Leaves out rows without these cells, ignoring case, and numbers the others anew. Unreadable rows stay.
 * @param where `HEADER=VALUE` or `HEADER!=VALUE`, all of which must hold; a blank value means a blank cell
 * @throws a usage error for another form
 */
function rowsWhere(rows: Rows, where: readonly string[]): Rows {
  if (where.length === 0) return rows;
  const conditions = where.map((text) => {
    const condition = conditionOf(text);
    if (condition.header !== '') return condition;
    throw usageError(`--where ${JSON.stringify(text)} must be HEADER=VALUE or HEADER!=VALUE, such as Klasse=5a.`);
  });
  const holds = ({ cells }: InputRow): boolean =>
    conditions.every(({ header, isNot, value }) => {
      const cell = cells[rows.columns.findIndex((name) => isHeader(name, header))];
      return isHeader(typeof cell === 'object' ? cell.join(';') : (cell ?? ''), value) !== isNot;
    });
  async function* batches(): AsyncGenerator<Batch> {
    let count = 0;
    for await (const { rows: all, problems } of rows.batches) {
      const kept = all.filter((row) => row.isBroken === true || holds(row));
      yield { rows: kept.map((row) => ({ ...row, number: ++count })), problems };
    }
  }
  return { ...rows, batches: batches() };
}

/**
 * Opens a table that is not a workbook.
 * @throws a usage error when it is empty, in another encoding, or gives no use for a flag
 */
export async function openInput(bytes: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Input> {
  const { name, reading = {} } = options;
  const { encoding, delimiter, sheet, headerRow, where = [] } = reading;
  refuse({ '--sheet': sheet }, name, 'not an Excel workbook, so it has no sheets');
  const { text, found } = decode(bytes, encoding === undefined ? undefined : encodingOf(encoding), shownName(name));
  const asked = delimiter === undefined ? undefined : delimiterOf(delimiter);
  const source = text[Symbol.asyncIterator]();
  let head = '';
  let isEnded = false;
  while (head.length < HEAD && !isEnded) {
    const next = await source.next();
    if (next.done) isEnded = true;
    else head += next.value;
  }
  if (head.trim() === '' && options.mayBeEmpty) return { ...ndjsonRows(text), ...found(), reading };
  if (/^\s*<(\?xml|!doctype|html|table|meta|style|workbook)\b/i.test(head))
    throw usageError(
      `${shownName(name)} is HTML or XML, not CSV, JSON or an Excel workbook. Nothing was sent.`,
      'Open it in the spreadsheet program and save it as "Excel workbook (.xlsx)" or as "CSV UTF-8".',
    );
  async function* rest(from: string): AsyncGenerator<string> {
    if (from !== '') yield from;
    if (!isEnded) yield* { [Symbol.asyncIterator]: () => source };
  }
  const format = formatOf(head);
  let rows: Rows;
  if (format === 'csv') {
    const byName = /\.(tsv|tab)$/i.test(name) ? '\t' : undefined;
    const dialect = dialectOf(head, asked ?? byName, headerRow);
    rows = await csvRows(rest(head.slice(dialect.skip)), dialect, dialect.skip > 0 ? 2 : 1, headerRow);
    // The input is a lone `sep=;` line, or ends before the header.
    if (rows.columns.length === 0) throw emptyInput(name, headerRow);
  } else {
    refuse({ '--delimiter': delimiter, '--header-row': headerRow }, name, 'JSON, which has no delimiter and no header');
    const body = isOneObject(head) ? inArray(rest(head)) : rest(head);
    rows = (format === 'json' ? jsonRows : ndjsonRows)(body);
  }
  return { ...rowsWhere(rows, where), ...found(), reading };
}

/** First bytes of a ZIP archive (.xlsx), and of a compound file (.xls and encrypted .xlsx). */
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** True if these are the first bytes of a workbook of any kind, which `openInput` does not read. */
export const isBinaryTable = (head: Uint8Array): boolean =>
  [ZIP, COMPOUND].some((mark) => mark.equals(head.subarray(0, mark.length)));

/** @throws EduError `usage` if it cannot be read */
function firstBytes(file: string, shown: string): Buffer {
  try {
    const { handle } = openRegularFile(file);
    try {
      const bytes = Buffer.alloc(8);
      return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw usageError(`Cannot read ${shown}: ${describeErrno(error)}.`);
  }
}

/**
 * Opens a file of any format, workbooks included.
 * @throws a usage error when it is empty, damaged, in another encoding, or gives no use for a flag
 */
export async function openFile(file: string, options: TableOptions): Promise<Input> {
  const { name, reading = {} } = options;
  const head = firstBytes(file, shownName(name));
  if (head.equals(COMPOUND))
    throw usageError(
      `${shownName(name)} is an old Excel file (.xls), or one with a password. Nothing was sent.`,
      'Open it in the spreadsheet program and save it as "Excel workbook (.xlsx)" without a password.',
    );
  if (!head.subarray(0, ZIP.length).equals(ZIP))
    return openInput(streamRegularFile(file, { highWaterMark: CHUNK }), options);
  const { encoding, delimiter, where = [] } = reading;
  refuse({ '--encoding': encoding, '--delimiter': delimiter }, name, 'an Excel workbook; the flag is for text files');
  const { openXlsx } = await import('./xlsx/open-xlsx.js');
  const rows = await openXlsx(file, name, reading);
  return { ...rowsWhere(rows, where), encoding: null, marked: false, reading };
}
