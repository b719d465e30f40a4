/** Spreadsheets as LibreOffice, Gnumeric and two npm packages write them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell as HucreCell, writeXlsx } from 'hucre';
import writeExcelFile from 'write-excel-file/node';

/** A cell: a text; a day; a number with its format, such as `00000` or `0%`; an error value; blank. */
export type OfficeCell =
  | string
  | null
  | { readonly day: string }
  | { readonly number: number; readonly format: 'code' | 'share' }
  | { readonly error: true };

export interface OfficeSheet {
  readonly name: string;
  readonly rows: readonly (readonly OfficeCell[])[];
  readonly isHidden?: boolean;
  /** Rows that are hidden, from 0. */
  readonly hiddenRows?: readonly number[];
  /** A cell that spans some rows: row and column, from 0. */
  readonly merge?: { readonly row: number; readonly column: number; readonly rows: number };
}

export interface OfficeBook {
  readonly sheets: readonly OfficeSheet[];
  readonly is1904?: boolean;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function cellOf(cell: OfficeCell, spans: string): string {
  const typed = (attributes: string): string => `<table:table-cell${spans} ${attributes}/>`;
  if (cell === null) return `<table:table-cell${spans}/>`;
  if (typeof cell === 'string')
    return `<table:table-cell${spans} office:value-type="string"><text:p>${escaped(cell)}</text:p></table:table-cell>`;
  if ('day' in cell) return typed(`table:style-name="day" office:value-type="date" office:date-value="${cell.day}"`);
  if ('error' in cell) return typed('table:formula="of:=NA()"');
  const type = cell.format === 'share' ? 'percentage' : 'float';
  return typed(`table:style-name="${cell.format}" office:value-type="${type}" office:value="${cell.number}"`);
}

function tableOf({ name, rows, isHidden, hiddenRows = [], merge }: OfficeSheet): string {
  const lines = rows.map((cells, row) => {
    const inner = cells.map((cell, column) => {
      const isFirst = merge?.row === row && merge.column === column;
      return cellOf(cell, isFirst ? ` table:number-columns-spanned="1" table:number-rows-spanned="${merge.rows}"` : '');
    });
    const hidden = hiddenRows.includes(row) ? ' table:visibility="collapse"' : '';
    return `<table:table-row${hidden}>${inner.join('') || '<table:table-cell/>'}</table:table-row>`;
  });
  const style = isHidden ? ' table:style-name="hidden"' : '';
  return `<table:table table:name="${name}"${style}>${lines.join('')}</table:table>`;
}

const NAMESPACES = ['office', 'style', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"',
    'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
  )
  .join(' ');

const STYLES = `
<number:number-style style:name="N1"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>
<number:date-style style:name="N2"><number:day/><number:text>.</number:text><number:month/><number:text>.</number:text><number:year number:style="long"/></number:date-style>
<number:percentage-style style:name="N3"><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<style:style style:name="code" style:family="table-cell" style:data-style-name="N1"/>
<style:style style:name="day" style:family="table-cell" style:data-style-name="N2"/>
<style:style style:name="share" style:family="table-cell" style:data-style-name="N3"/>
<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>`;

/** A flat OpenDocument file, which LibreOffice opens. */
const flatDocument = ({ sheets, is1904 }: OfficeBook): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>${STYLES}</office:automatic-styles><office:body><office:spreadsheet>${
    is1904 === true
      ? '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>'
      : ''
  }${sheets.map(tableOf).join('')}</office:spreadsheet></office:body></office:document>`;

/** Converts files with LibreOffice, all in one start. @param target as for `--convert-to` */
export function convert(folder: string, target: string, files: readonly string[], flags: readonly string[] = []): void {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  execFileSync('soffice', ['--headless', profile, ...flags, '--convert-to', target, '--outdir', folder, ...files], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: folder },
  });
}

/** Writes books by name with LibreOffice. @param target as for `--convert-to` */
export function withLibreOffice(folder: string, books: Readonly<Record<string, OfficeBook>>, target = 'xlsx'): void {
  const files = Object.entries(books).map(([name, book]) => {
    const file = join(folder, `${name}.fods`);
    writeFileSync(file, flatDocument(book));
    return file;
  });
  convert(folder, target, files);
}

/** Opens a file with Gnumeric and saves it in the format of the new name. */
export function withGnumeric(from: string, to: string): void {
  execFileSync('ssconvert', [from, to], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  });
}

const FORMATS = { code: '00000', share: '0%' } as const;
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

export async function withHucre(file: string, { sheets, is1904 }: OfficeBook, stringMode: 'shared' | 'inline') {
  const written = sheets.map(({ name, rows, isHidden, hiddenRows = [], merge }) => {
    const cells = new Map<string, Partial<HucreCell>>();
    for (const [row, line] of rows.entries())
      for (const [column, cell] of line.entries()) {
        const at = `${row},${column}`;
        if (cell === null || typeof cell === 'string') continue;
        if ('day' in cell) cells.set(at, { value: dateOf(cell.day), style: { numFmt: 'dd.mm.yyyy' } });
        else if ('error' in cell) cells.set(at, { value: '#N/A', type: 'error' });
        else cells.set(at, { value: cell.number, style: { numFmt: FORMATS[cell.format] } });
      }
    return {
      name,
      rows: rows.map((line) => line.map((cell) => (typeof cell === 'string' ? cell : null))),
      cells,
      hidden: isHidden === true,
      rowDefs: new Map(hiddenRows.map((row) => [row, { hidden: true }])),
      merges:
        merge === undefined
          ? []
          : [{ startRow: merge.row, endRow: merge.row + merge.rows - 1, startCol: merge.column, endCol: merge.column }],
    };
  });
  writeFileSync(
    file,
    await writeXlsx({ sheets: written, stringMode, ...(is1904 === true ? { dateSystem: '1904' } : {}) }),
  );
}

/** Has no error values, hidden rows or sheets, and no dates from 1904. */
export async function withWriteExcelFile(file: string, { sheets }: OfficeBook): Promise<void> {
  const written = sheets.map(({ name, rows, merge }) => ({
    sheet: name,
    data: rows.map((line, row) =>
      line.map((cell, column) => {
        const span = merge?.row === row && merge.column === column ? { rowSpan: merge.rows } : {};
        if (cell === null || (typeof cell === 'object' && 'error' in cell)) return null;
        if (typeof cell === 'string') return { value: cell, type: String, ...span };
        if ('day' in cell) return { value: dateOf(cell.day), type: Date, format: 'dd.mm.yyyy' };
        return { value: cell.number, type: Number, format: FORMATS[cell.format] };
      }),
    ),
  }));
  await writeExcelFile(written).toFile(file);
}
