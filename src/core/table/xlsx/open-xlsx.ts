/** Opens a workbook as a table: chooses the sheet and reads its header and rows. */
import { EduError, usageError } from '../../errors.js';
import { shellLine } from '../../shell.js';
import { didYouMean } from '../../suggest.js';
import { isAboveHeader, isHeader } from '../headers.js';
import type { Batch, InputRow, Reading, Rows } from '../rows.js';
import { openZip, type ZipArchive } from '../zip.js';
import type { TextOfCell } from './cell-text.js';
import { hasCells, type Merge, mergesOf, type SheetRow, setCell, sheetRows } from './sheet-rows.js';
import { NotWorkbook, readWorkbook, type Sheet, type Workbook } from './workbook.js';

const SAVE_AGAIN = 'Open it in the spreadsheet program and save it as "Excel workbook (.xlsx)" or as "CSV UTF-8".';

function unreadable(name: string, error: unknown): unknown {
  if (error instanceof EduError) return error;
  const shown = name === '-' ? 'the input' : name;
  if (error instanceof NotWorkbook)
    return usageError(`Cannot read ${shown}: it ${error.message}. Nothing was sent.`, SAVE_AGAIN);
  const reason = error instanceof Error ? error.message : String(error);
  return usageError(`Cannot read ${shown}: the Excel file is damaged (${reason}). Nothing was sent.`, SAVE_AGAIN);
}

const quoted = (sheets: readonly Sheet[]): string => sheets.map(({ name }) => JSON.stringify(name)).join(', ');

/** The sheet that was asked for, else the only visible one with cells. @throws EduError `usage` */
async function chooseSheet(book: Workbook, wanted: string | undefined, name: string): Promise<Sheet> {
  const { sheets } = book;
  if (wanted !== undefined) {
    const found = sheets.find((one) => one.name === wanted) ?? sheets.find((one) => isHeader(one.name, wanted));
    if (found !== undefined) return found;
    const names = sheets.map((sheet) => sheet.name);
    const hint = didYouMean(wanted, names) ?? `The sheets are ${quoted(sheets)}.`;
    throw usageError(`--sheet ${JSON.stringify(wanted)} is not a sheet of ${name}.`, hint);
  }
  const filled: Sheet[] = [];
  for (const sheet of sheets) if (!sheet.isHidden && (await hasCells(sheet.entry, book))) filled.push(sheet);
  const [first, ...others] = filled;
  if (first === undefined) throw usageError(`${name} is empty: no visible sheet has cells. Nothing was sent.`);
  if (others.length > 0)
    throw usageError(
      `${name} has ${filled.length} sheets with cells: ${quoted(filled)}. Nothing was sent.`,
      `Choose one: ${shellLine('--sheet', first.name)}`,
    );
  return first;
}

/** Fills the cells of a vertical merge with the value of its first cell. */
function merger(merges: readonly Merge[], headerLine: number): (row: SheetRow) => void {
  const open = new Map<number, { readonly lastLine: number; readonly value: TextOfCell }>();
  let next = 0;
  return (row) => {
    const { line, cells, kinds } = row;
    for (let merge = merges[next]; merge !== undefined && merge.firstLine <= line; merge = merges[++next]) {
      const { column, firstLine, lastLine } = merge;
      if (firstLine <= headerLine || firstLine !== line) continue;
      const text = cells[column];
      if (text !== undefined) open.set(column, { lastLine, value: { text, kind: kinds?.[column] } });
    }
    for (const [column, { lastLine, value }] of open) {
      if (line > lastLine) open.delete(column);
      else if (cells[column] === undefined) setCell(row, column, value);
    }
  };
}

/**
 * Limit of the cells of all rows, up to the last one of each: a row of 40 bytes may have a cell in the last of 16,384
 * columns, and a merged cell may fill all rows.
 */
const MAX_CELLS = 50_000_000;

async function* batchesOf(
  source: AsyncGenerator<readonly SheetRow[]>,
  rest: readonly SheetRow[],
  fill: (row: SheetRow) => void,
  failed: (error: unknown) => unknown,
  archive: ZipArchive,
): AsyncGenerator<Batch> {
  let number = 0;
  let count = 0;
  const rowOf = (row: SheetRow): InputRow => {
    fill(row);
    number++;
    const { cells, ...facts } = row;
    count += cells.length;
    if (count > MAX_CELLS)
      throw new NotWorkbook(`has more than ${MAX_CELLS} cells up to line ${row.line}, with blank ones`);
    return { number, ...facts, cells: Array.from(cells) };
  };
  try {
    yield { rows: rest.map(rowOf), problems: [] };
    for await (const rows of source) yield { rows: rows.map(rowOf), problems: [] };
  } catch (error) {
    throw failed(error);
  } finally {
    archive.close();
  }
}

/**
 * @param file path of the workbook
 * @param name its name in messages
 * @throws EduError `usage` when it is damaged, empty or no workbook
 */
export async function openXlsx(file: string, name: string, { sheet, headerRow = 1 }: Reading): Promise<Rows> {
  const failed = (error: unknown): unknown => unreadable(name, error);
  let archive: ZipArchive | undefined;
  try {
    archive = await openZip(file);
    const book = await readWorkbook(archive);
    const { entry } = await chooseSheet(book, sheet, name);
    const merges = await mergesOf(entry);
    const source = sheetRows(entry, book);
    let begun: readonly SheetRow[] = [];
    while (begun.length === 0) {
      const next = await source.next();
      if (next.done) break;
      const first = next.value.findIndex(({ line, cells }) => !isAboveHeader(line, cells, headerRow));
      if (first >= 0) begun = next.value.slice(first);
    }
    const [header, ...rest] = begun;
    if (header === undefined)
      throw usageError(
        `${name} is empty: the sheet has no cells${headerRow > 1 ? ` from row ${headerRow} on` : ''}. Nothing was sent.`,
      );
    const columns = Array.from(header.cells, (cell) => (cell ?? '').replace(/\s+/g, ' ').trim());
    const inTable = merges.filter(({ column }) => column < columns.length);
    const fill = merger(inTable, header.line);
    const batches = batchesOf(source, rest, fill, failed, archive);
    return { format: 'csv', columns, headerLine: header.line, isSheet: true, is1904: book.is1904, batches };
  } catch (error) {
    archive?.close();
    throw failed(error);
  }
}
