/** Reads the cells of a sheet row by row, in constant memory. */

import { fromTextFormula } from '../../formula.js';
import { UNCOMPUTED } from '../damage.js';
import type { CellKind } from '../rows.js';
import type { ZipEntry } from '../zip.js';
import { cellText, type TextOfCell } from './cell-text.js';
import { MAX_CELL, MAX_COLUMNS } from './sheet-limits.js';
import type { Workbook } from './workbook.js';
import { parseWhole, parseXml } from './xml.js';

export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly line: number;
  /** By column, from 0; blank cells are undefined. */
  readonly cells: (string | undefined)[];
  kinds?: Record<number, CellKind>;
  /** By a filter, or one by one. */
  readonly isHidden?: true;
}

/** `C7` → column 2; undefined if a cell has no reference. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(place ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Sets a cell of a row. */
export function setCell(row: SheetRow, column: number, { text, kind }: TextOfCell): void {
  row.cells[column] = text;
  if (kind === undefined) return;
  row.kinds ??= {};
  row.kinds[column] = kind;
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
  hasValue: boolean;
  hasFormula: boolean;
}

function textOf(cell: OpenCell, { strings, styles, is1904 }: Workbook): TextOfCell | undefined {
  // Libraries that compute nothing leave out the value, or write an empty number; an empty text is a result.
  if (cell.text === '')
    return cell.hasFormula && (cell.type === 'n' || !cell.hasValue) ? { text: UNCOMPUTED } : undefined;
  if (cell.type !== 's') return cellText(cell.type, cell.text, styles[cell.style], is1904);
  const shared = strings[Number(cell.text)];
  if (shared === undefined) throw new Error(`there is no shared text ${JSON.stringify(cell.text.slice(0, 20))}`);
  // A program that opened a CSV for Excel without computing its formulas has kept `="007"` as a text.
  return { text: fromTextFormula(shared) };
}

/** Rows with at least one cell that is not blank. @throws Error for a damaged sheet */
export async function* sheetRows(entry: ZipEntry, book: Workbook): AsyncGenerator<readonly SheetRow[]> {
  let done: SheetRow[] = [];
  let row: SheetRow | undefined;
  let line = 0;
  let column = -1;
  let cell: OpenCell | undefined;
  let isText = false;
  let isPhonetic = false;
  const parts = parseXml(entry.read(), {
    open(name, attributes) {
      if (name === 'row') {
        const { r, hidden } = attributes();
        const number = Number(r);
        line = Number.isSafeInteger(number) && number > line ? number : line + 1;
        row = { line, cells: [], ...(hidden === '1' || hidden === 'true' ? { isHidden: true } : {}) };
        column = -1;
      } else if (name === 'c' && row !== undefined) {
        const { r, t = 'n', s = '0' } = attributes();
        column = columnOf(r) ?? column + 1;
        if (column >= MAX_COLUMNS) throw new Error(`a row has more than ${MAX_COLUMNS} columns`);
        cell = { column, type: t, style: Number(s), text: '', hasValue: false, hasFormula: false };
      } else if (cell === undefined) return;
      // Only the part that the type names counts: programs leave an old <v> behind an inline text.
      else if (cell.type === 'inlineStr' ? name === 't' && !isPhonetic : name === 'v') {
        isText = true;
        cell.hasValue = true;
      } else if (name === 'f') cell.hasFormula = true;
      else if (name === 'rPh') isPhonetic = true;
    },
    close(name) {
      if (name === 'v' || name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'c' && cell !== undefined && row !== undefined) {
        const { text = '', kind } = textOf(cell, book) ?? {};
        const trimmed = text.trim();
        if (trimmed !== '') setCell(row, cell.column, { text: trimmed, kind });
        cell = undefined;
      } else if (name === 'row' && row !== undefined) {
        if (row.cells.length > 0) done.push(row);
        row = undefined;
      }
    },
    text(piece) {
      if (!isText || cell === undefined) return;
      cell.text += piece;
      if (cell.text.length > MAX_CELL * 4) throw new Error(`a cell has more than ${MAX_CELL} characters`);
    },
  });
  for await (const _ of parts) {
    if (done.length === 0) continue;
    yield done;
    done = [];
  }
}

export async function hasCells(entry: ZipEntry, book: Workbook): Promise<boolean> {
  for await (const rows of sheetRows(entry, book)) if (rows.length > 0) return true;
  return false;
}

/** Cells of one column that are merged over several rows and share the first one's value. */
export interface Merge {
  readonly column: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Reads the merges of more than one row, in a pass of its own because they follow the cells in the file. */
export async function mergesOf(entry: ZipEntry): Promise<readonly Merge[]> {
  const merges: Merge[] = [];
  await parseWhole(entry.read(), {
    open(name, attributes) {
      if (name !== 'mergeCell') return;
      const match = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/i.exec(attributes().ref ?? '');
      const column = columnOf(match?.[1]);
      const firstLine = Number(match?.[2]);
      const lastLine = Number(match?.[3]);
      if (column !== undefined) merges.push({ column, firstLine, lastLine });
    },
  });
  return merges.sort((a, b) => a.firstLine - b.firstLine);
}
