/** Reads the data files of exports item by item, in constant memory. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { parseJson } from '../../core/exact-json.js';
import { rearmed } from '../../core/formula.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { streamRegularFile } from '../../core/fs/regular-file.js';
import type { FileFacts } from './data-file.js';
import type { Format } from './file-format.js';

export interface Entry {
  readonly key: string;
  /** As it stands in the file, without what stands between lines. */
  readonly line: string;
  readonly item: Readonly<Record<string, unknown>>;
}

const NEWLINE = 0x0a;

/** The bytes of a file, unpacked, and a digest of the bytes as they are. */
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

/** Items that the service returns have kilobytes; a file without line breaks must not fill the memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The lines of a file, those of one piece at a time. */
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

/** Lines of a csv joined to records: a quoted cell may have line breaks in it. */
async function* recordsOf(lines: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  // The lines of a record that is not whole yet: a quote is open in it.
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

/** Begins a csv for Excel, which has semicolons, CRLF and disarmed formulas. */
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

/** Reads json and ndjson line by line; brackets and commas belong to the document, not to the item. */
function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  const text = line.endsWith(',') ? line.slice(0, -1) : line;
  if (text === '' || text === '[' || text === ']' || text === '[]') return undefined;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { id: value };
}

/** Reads records by the names in the first one. All values are texts. */
function csvParser(): Parse {
  let names: readonly string[] | undefined;
  let isExcel = false;
  return (record) => {
    if (names === undefined) {
      isExcel = record.startsWith(BYTE_ORDER_MARK);
      names = cellsOf(isExcel ? record.slice(1).trimEnd() : record, isExcel ? ';' : ',');
      return undefined;
    }
    const cells = isExcel ? cellsOf(record.replace(/\r$/, ''), ';').map(rearmed) : cellsOf(record, ',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  };
}

/** A parser for the records of one file; undefined for what is no item. */
export const parserOf = (format: Format): Parse => (format === 'csv' ? csvParser() : parseLine);

/**
 * The items of a data file in its order, those of one piece of the file at a time.
 * @param folder of the export
 * @param facts what the manifest says about the file
 * @param keyOf the key that the items are in order by
 * @param signal ends the reading with its reason
 * @throws usage error when it is not there, or not what the manifest says
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
    throw usageError(`${path} can't be read: ${describeErrno(error)}`);
  }
  if (hash.digest('hex') !== facts.sha256 || count !== facts.count) {
    throw usageError(
      `${path} is not the file that the manifest describes.`,
      `See what is wrong: edu export --verify ${folder}`,
    );
  }
}
