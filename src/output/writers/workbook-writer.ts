/**
 * Writes Excel workbooks row by row: a zip of XML parts (ECMA-376 part 1, 18.3 and 18.8). The same rows give the same
 * bytes on every machine, because fflate compresses in JavaScript and no part has a time.
 */
import { Zip, ZipDeflate } from 'fflate/browser';
import { usageError } from '../../core/errors.js';
import { columnLetters } from '../../core/table/rows.js';
import { MAX_CELL, MAX_COLUMNS, MAX_ROWS } from '../../core/table/xlsx/sheet-limits.js';
import type { CellType } from '../column-types.js';
import { widthOf } from '../width.js';
import { cellText } from './records.js';

export interface SheetColumn {
  readonly name: string;
  readonly type: CellType;
}

/** Limit of the parts together; from 4 GiB on, a zip has another form, which fflate does not write. */
const MAX_BYTES = 2 ** 32 - 2 ** 20;

/** The first rows, which the widths of columns are derived from. */
const MEASURED_ROWS = 100;
const MIN_WIDTH = 8;
const MAX_WIDTH = 40;

/** UTF-16 units of XML that are compressed together. */
const BLOCK = 128 * 1024;
/** Level 6 takes 40 % longer, for files that are 20 % smaller. */
const LEVEL = 3;
/** The earliest time of a zip entry, in the local time that the format demands. */
const MTIME = new Date(1980, 0, 1);

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Indexes of the formats in STYLES. Cells of the format `@` stay text when they are edited. */
const FORMAT = { number: 0, text: 1, date: 2, time: 3, header: 4 } as const;

const CONTENT_TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${CONTENT}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`;

const RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Characters with a meaning in XML, or that it cannot hold, and what looks like the escape of one (22.9.2.19). */
const SPECIAL = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff\p{Cs}]|_(?=x[0-9A-Fa-f]{4}_)/gu;

const escaped = (text: string): string =>
  text.replace(SPECIAL, (character) => {
    if (character === '&') return '&amp;';
    if (character === '<') return '&lt;';
    if (character === '>') return '&gt;';
    return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });

/** In an attribute, which has no such escapes. */
const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');

const DATE = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?$/;
const DAY_MS = 86_400_000;
const DAYS_TO_1970 = 25_569;
/** 1 March 1900: spreadsheets count a 29 February 1900, and programs differ in what is before. */
const FIRST_DAY = 61;

/** The number of a date, in days since the end of 1899; undefined for a text that is none, or before March 1900. */
function serialOf(text: string): { readonly serial: number; readonly format: number } | undefined {
  const [, day, time] = DATE.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time ?? '00:00:00'}Z`);
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(`${day}`)) return undefined;
  const serial = ms / DAY_MS + DAYS_TO_1970;
  return serial < FIRST_DAY ? undefined : { serial, format: time === undefined ? FORMAT.date : FORMAT.time };
}

/** Spreadsheets keep 15 digits. */
const isExact = (number: number): boolean => Math.abs(number) < 1e15 && Number(number.toPrecision(15)) === number;

/** A sheet of this name is legal (18.2.19). */
const sheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\'\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .slice(0, 31) || 'edu';

const tooLarge = (what: string): Error =>
  usageError(`Cannot write a workbook: ${what}.`, 'Use csv, which has no such limit.');

interface OpenSheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly hasHeader: boolean;
  readonly part: ZipDeflate;
  /** The first rows; undefined once they are written. */
  waiting: (readonly unknown[])[] | undefined;
  /** Number of lines, with the header. */
  lines: number;
}

/** A workbook that is being written. All methods but `take` throw EduError `usage` beyond the limits of Excel. */
export class WorkbookWriter {
  readonly #sheets: string[] = [];
  #sheet: OpenSheet | undefined;
  #letters: readonly string[] = [];
  #xml = '';
  #size = 0;
  #bytes: Uint8Array[] = [];
  readonly #zip = new Zip((error, bytes) => {
    if (error) throw error;
    this.#bytes.push(bytes);
  });

  constructor() {
    this.#whole('[Content_Types].xml', CONTENT_TYPES);
    this.#whole('_rels/.rels', RELATIONS);
    this.#whole('xl/styles.xml', STYLES);
  }

  /** Begins a sheet, and ends the one before. @param name what a sheet cannot be named is replaced */
  sheet(name: string, columns: readonly SheetColumn[], hasHeader = true): void {
    this.#endSheet();
    if (columns.length > MAX_COLUMNS) throw tooLarge(`${name} has ${columns.length} columns, more than ${MAX_COLUMNS}`);
    this.#sheets.push(sheetName(name));
    const part = this.#part(`xl/worksheets/sheet${this.#sheets.length}.xml`);
    this.#letters = columns.map((_, place) => columnLetters(place));
    this.#sheet = { name, columns, hasHeader, part, waiting: [], lines: 0 };
  }

  /** Adds a row to the sheet. */
  row(cells: readonly unknown[]): void {
    const sheet = this.#open();
    if (sheet.waiting === undefined) {
      this.#line(sheet, cells);
    } else {
      sheet.waiting.push(cells);
      if (sheet.waiting.length === MEASURED_ROWS) this.#begin(sheet);
    }
  }

  /** Ends the workbook. */
  end(): void {
    this.#endSheet();
    const sheets = this.#sheets.map(
      (name, at) => `<sheet name="${quoted(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
    );
    this.#whole(
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`,
    );
    const parts = this.#sheets.map(
      (_, at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
    );
    const styles = `<Relationship Id="rId${parts.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/>`;
    this.#whole(
      'xl/_rels/workbook.xml.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${parts.join('')}${styles}</Relationships>`,
    );
    this.#zip.end();
  }

  /** The bytes since the last call. */
  take(): Uint8Array {
    const bytes = Buffer.concat(this.#bytes);
    this.#bytes = [];
    return bytes;
  }

  #open(): OpenSheet {
    if (this.#sheet === undefined) throw new Error('no sheet was begun');
    return this.#sheet;
  }

  #part(name: string): ZipDeflate {
    const part = new ZipDeflate(name, { level: LEVEL });
    part.mtime = MTIME;
    this.#zip.add(part);
    return part;
  }

  #whole(name: string, xml: string): void {
    this.#part(name).push(Buffer.from(xml), true);
  }

  /** Writes what precedes the first row, and the rows that waited for it. */
  #begin(sheet: OpenSheet): void {
    const { columns, hasHeader, waiting = [] } = sheet;
    sheet.waiting = undefined;
    const pane =
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>';
    const cols = columns.map(({ name, type }, at) => {
      // Room for the button of the filter.
      const widths = [
        widthOf(name) + 4,
        ...waiting.map((cells) => widthOf(cellText(cells[at]).slice(0, MAX_WIDTH)) + 2),
      ];
      const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...widths));
      return `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${FORMAT[type]}" customWidth="1"/>`;
    });
    this.#xml += `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${hasHeader ? pane : ''}</sheetView></sheetViews>${cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`}<sheetData>`;
    if (hasHeader) {
      sheet.lines = 1;
      const cells = columns.map(({ name }, at) => this.#cell(`${this.#letters[at]}1`, name, 'text', FORMAT.header));
      this.#xml += `<row r="1">${cells.join('')}</row>`;
    }
    for (const cells of waiting) this.#line(sheet, cells);
  }

  #line(sheet: OpenSheet, cells: readonly unknown[]): void {
    const line = ++sheet.lines;
    if (line > MAX_ROWS) throw tooLarge(`${sheet.name} has more than the ${MAX_ROWS} rows of a sheet`);
    this.#xml += `<row r="${line}">`;
    for (const [at, cell] of cells.entries())
      this.#xml += this.#cell(`${this.#letters[at]}${line}`, cell, sheet.columns[at]?.type ?? 'text');
    this.#xml += '</row>';
    if (this.#xml.length >= BLOCK) this.#flush(sheet, false);
  }

  /** The XML of a cell; empty for a blank one. */
  #cell(place: string, value: unknown, type: CellType, format: number = FORMAT.text): string {
    if (value === null || value === undefined) return '';
    if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number' && isExact(value)) return `<c r="${place}"><v>${value}</v></c>`;
    const text = cellText(value);
    if (text === '') return '';
    const date = type === 'date' || type === 'time' ? serialOf(text) : undefined;
    if (date !== undefined) return `<c r="${place}" s="${date.format}"><v>${date.serial}</v></c>`;
    if (text.length > MAX_CELL)
      throw tooLarge(`cell ${place} of ${this.#open().name} has ${text.length} characters, more than ${MAX_CELL}`);
    const space = /^\s|\s$|\s\s/.test(text) ? ' xml:space="preserve"' : '';
    return `<c r="${place}" s="${format}" t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`;
  }

  #flush({ part, name }: OpenSheet, isLast: boolean): void {
    const bytes = Buffer.from(this.#xml);
    this.#xml = '';
    this.#size += bytes.length;
    if (this.#size > MAX_BYTES) throw tooLarge(`with ${name} it has more than 4 GiB`);
    part.push(bytes, isLast);
  }

  #endSheet(): void {
    const sheet = this.#sheet;
    if (sheet === undefined) return;
    if (sheet.waiting !== undefined) this.#begin(sheet);
    const { columns, hasHeader, lines } = sheet;
    const area = `A1:${this.#letters.at(-1) ?? 'A'}${Math.max(1, lines)}`;
    const filter = hasHeader && columns.length > 0 ? `<autoFilter ref="${area}"/>` : '';
    // Without it, Excel marks each code that is made of digits.
    this.#xml += `</sheetData>${filter}<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
    this.#flush(sheet, true);
    this.#sheet = undefined;
  }
}
