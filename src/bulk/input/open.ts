/** Opens an input of any format: detects format, encoding and dialect by content. */
import { closeSync, readSync } from 'node:fs';
import { usageError } from '../../core/errors.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { openRegularFile, streamRegularFile } from '../../core/fs/regular-file.js';
import { csvRows } from './csv-rows.js';
import { dialectOf } from './delimiter.js';
import { decode, type Encoding } from './encoding.js';
import { jsonRows, ndjsonRows } from './json-rows.js';
import type { Format, Reading, Rows } from './rows.js';

export interface InputOptions {
  /** The file name, whose ending may select TSV; `-` for stdin. */
  readonly name: string;
  /** Given, even if undefined, by commands with a flag --encoding. */
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: string | undefined;
  readonly reading?: Reading | undefined;
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

/** Detects the format by content, since a file may have any name. A CSV header may begin with a bracket too. */
function formatOf(head: string): Format {
  if (/^\s*\[\s*(?:[[{\]"]|$)/.test(head)) return 'json';
  return /^\s*\{\s*(?:["}]|$)/.test(head) ? 'ndjson' : 'csv';
}

/** The delimiter that a flag names: one character, or a word such as `tab`. @throws a usage error */
export function delimiterOf(text: string): string {
  const named: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' };
  const char = named[text.toLowerCase()] ?? text;
  if (char.length === 1 && !/["\r\n]/.test(char)) return char;
  throw usageError(`--delimiter must be one character or "tab", not ${JSON.stringify(text)}.`);
}

const emptyInput = (name: string): Error =>
  usageError(`${name === '-' ? 'The input' : name} is empty. Nothing was sent.`);

/**
 * Opens an input.
 * @throws a usage error when it is empty or in another encoding
 */
export async function openInput(bytes: AsyncIterable<Uint8Array>, options: InputOptions): Promise<Input> {
  const shown = options.name === '-' ? 'The input' : options.name;
  const { text, found } = decode(bytes, options.encoding, 'encoding' in options ? undefined : shown);
  const source = text[Symbol.asyncIterator]();
  let head = '';
  let isEnded = false;
  while (head.length < HEAD && !isEnded) {
    const next = await source.next();
    if (next.done) isEnded = true;
    else head += next.value;
  }
  if (head.trim() === '') throw emptyInput(options.name);
  if (/^\s*<(\?xml|!doctype|html|table|meta|style|workbook)\b/i.test(head))
    throw usageError(
      `${shown} is HTML or XML, not CSV, JSON or an Excel workbook. Nothing was sent.`,
      'Open it in the spreadsheet program and save it as "Excel workbook (.xlsx)" or as "CSV UTF-8".',
    );
  async function* rest(from: string): AsyncGenerator<string> {
    if (from !== '') yield from;
    if (!isEnded) yield* { [Symbol.asyncIterator]: () => source };
  }
  const { reading } = options;
  const format = formatOf(head);
  if (format !== 'csv') return { ...(format === 'json' ? jsonRows : ndjsonRows)(rest(head)), ...found(), reading };
  const asked = options.delimiter ?? (/\.(tsv|tab)$/i.test(options.name) ? '\t' : undefined);
  const dialect = dialectOf(head, asked);
  const rows = await csvRows(rest(head.slice(dialect.skip)), dialect, dialect.skip > 0 ? 2 : 1);
  // The input is a lone `sep=;` line.
  if (rows.columns.length === 0) throw emptyInput(options.name);
  return { ...rows, ...found(), reading };
}

/** First bytes of a ZIP archive (.xlsx), and of a compound file (.xls and encrypted .xlsx). */
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

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
 * @throws a usage error when it is empty, damaged, in another encoding, or does not support a given flag
 */
export async function openFile(file: string, options: InputOptions): Promise<Input> {
  const { name, encoding, delimiter, reading } = options;
  const shown = name === '-' ? 'The input' : name;
  const head = firstBytes(file, shown);
  if (head.equals(COMPOUND))
    throw usageError(
      `${shown} is an old Excel file (.xls), or one with a password. Nothing was sent.`,
      'Open it in the spreadsheet program and save it as "Excel workbook (.xlsx)" without a password.',
    );
  if (!head.subarray(0, ZIP.length).equals(ZIP)) {
    if (reading?.sheet === undefined) return openInput(streamRegularFile(file, { highWaterMark: CHUNK }), options);
    const sheet = JSON.stringify(reading.sheet);
    throw usageError(`--sheet ${sheet}: ${shown} is not an Excel workbook, so it has no sheets.`);
  }
  const useless = encoding !== undefined ? '--encoding' : delimiter !== undefined ? '--delimiter' : undefined;
  if (useless !== undefined) throw usageError(`${useless} is for text files, and ${shown} is an Excel workbook.`);
  const { openXlsx } = await import('./xlsx/open-xlsx.js');
  return { ...(await openXlsx(file, name, reading?.sheet)), encoding: null, marked: false, reading };
}
