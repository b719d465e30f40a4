/** Reads the data files of exports item by item, in constant memory. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { parseJson } from '../../core/exact-json.js';
import { unguardFormula } from '../../core/formula.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { streamRegularFile } from '../../core/fs/regular-file.js';
import type { FileFacts } from './data-file.js';
import type { Format } from './file-format.js';

export interface Entry {
  readonly key: string;
  /** The item's line in the file, without line break and comma. */
  readonly line: string;
  readonly item: Readonly<Record<string, unknown>>;
}

const NEWLINE = 0x0a;

/** The decompressed bytes of a file. @param digest called with the stored bytes */
export async function* bytesOf(
  path: string,
  maxBytes: number,
  digest: (bytes: Buffer) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const raw = streamRegularFile(path, { maxBytes, highWaterMark: 1024 * 1024, signal });
  raw.on('data', (chunk) => digest(chunk as Buffer));
  if (!/\.gz(\.partial)?$/.test(path)) {
    yield* raw as AsyncIterable<Buffer>;
    return;
  }
  const [{ createGunzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  const unpacked = createGunzip();
  pipeline(raw, unpacked, () => {});
  yield* unpacked as AsyncIterable<Buffer>;
}

/** Limits memory for a file without line breaks; items of the service have kilobytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The lines of a file, chunk by chunk. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE);
    if (end < 0) {
      rest = bytes;
      if (rest.length > MAX_LINE_BYTES) throw new Error(`a line has more than ${MAX_LINE_BYTES} bytes`);
      continue;
    }
    yield bytes.toString('utf8', 0, end).split('\n');
    rest = Buffer.from(bytes.subarray(end + 1));
  }
  if (rest.length > 0) yield [rest.toString('utf8')];
}

const isEven = (text: string): boolean => (text.length - text.replaceAll('"', '').length) % 2 === 0;

/** Joins lines of a csv to records, because a quoted cell may contain line breaks. */
async function* recordsOf(lines: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  // The lines of a record with an open quote.
  let open: string[] = [];
  let isOpen = false;
  for await (const some of lines) {
    const records: string[] = [];
    for (const line of some) {
      open.push(line);
      if (!isEven(line)) isOpen = !isOpen;
      if (isOpen) continue;
      records.push(open.join('\n'));
      open = [];
    }
    yield records;
  }
  if (isOpen) yield [open.join('\n')];
}

/** The first character of a csv for Excel, which has semicolons, CRLF and guarded formulas. */
const BYTE_ORDER_MARK = '\ufeff';

/** The cells of one record (RFC 4180). */
function cellsOf(record: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= record.length; ) {
    if (record[at] !== '"') {
      const comma = record.indexOf(delimiter, at);
      const end = comma < 0 ? record.length : comma;
      cells.push(record.slice(at, end));
      at = end + 1;
      continue;
    }
    let cell = '';
    for (let from = at + 1; ; ) {
      const quote = record.indexOf('"', from);
      const end = quote < 0 ? record.length : quote;
      cell += record.slice(from, end);
      if (record[end + 1] !== '"') {
        at = end + 2;
        break;
      }
      cell += '"';
      from = end + 2;
    }
    cells.push(cell);
  }
  return cells;
}

export type Parse = (line: string) => Readonly<Record<string, unknown>> | undefined;

/** Parses a line of json or ndjson, ignoring the brackets and commas of the document. */
function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  const text = line.endsWith(',') ? line.slice(0, -1) : line;
  if (text === '' || text === '[' || text === ']' || text === '[]') return undefined;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { id: value };
}

/** Parses records with the names in the first one. All values are texts. */
function csvParser(): Parse {
  let names: readonly string[] | undefined;
  let isExcel = false;
  return (record) => {
    if (names === undefined) {
      isExcel = record.startsWith(BYTE_ORDER_MARK);
      names = cellsOf(isExcel ? record.slice(1).trimEnd() : record, isExcel ? ';' : ',');
      return undefined;
    }
    const cells = isExcel ? cellsOf(record.replace(/\r$/, ''), ';').map(unguardFormula) : cellsOf(record, ',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  };
}

/** A parser for the records of one file, which returns undefined for a line that is not an item. */
export const parserOf = (format: Format): Parse => (format === 'csv' ? csvParser() : parseLine);

/**
 * The items of a data file in order, chunk by chunk.
 * @param folder the export's folder
 * @param facts the manifest's entry for the file
 * @param keyOf the sort key of an item
 * @param signal aborts with its reason
 * @throws usage error if the file is missing or does not match the manifest
 */
export async function* readDataFile(
  folder: string,
  facts: FileFacts,
  format: Format,
  keyOf: (item: Readonly<Record<string, unknown>>) => string,
  signal?: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  const path = join(folder, facts.file);
  const hash = createHash('sha256');
  const bytes = bytesOf(path, facts.bytes + 1, (chunk) => hash.update(chunk), signal);
  const parse = parserOf(format);
  let count = 0;
  try {
    for await (const lines of format === 'csv' ? recordsOf(linesOf(bytes)) : linesOf(bytes)) {
      const entries: Entry[] = [];
      for (const line of lines) {
        const item = parse(line);
        if (item === undefined) continue;
        const own = format === 'json' && line.endsWith(',') ? line.slice(0, -1) : line;
        entries.push({ key: keyOf(item), line: own, item });
      }
      count += entries.length;
      if (entries.length > 0) yield entries;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw usageError(`Cannot read ${path}: ${describeErrno(error)}.`);
  }
  if (hash.digest('hex') !== facts.sha256 || count !== facts.count) {
    throw usageError(
      `${path} is not the file that the manifest describes.`,
      `See what is wrong: edu export --verify ${folder}`,
    );
  }
}
