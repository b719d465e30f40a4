/** Excel workbooks for tests, in the ways in which different programs write them. */
import { type Content, zipOf } from './zip-file.js';

/** A cell: text, a number, or its XML with `{at}` for its position, such as `<c r="{at}" t="e"><v>#N/A</v></c>`. */
export type TestCell = string | number | boolean | null | { readonly xml: string };

export interface TestSheet {
  readonly name: string;
  readonly rows: readonly (readonly TestCell[])[];
  readonly state?: 'hidden';
  readonly merges?: readonly string[];
  /** Lines that a filter hides, from 1. */
  readonly hidden?: readonly number[];
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** Formats of the cell styles 1, 2, …: a built-in ID, or a code. */
  readonly formats?: readonly (number | string)[];
  readonly is1904?: boolean;
  /** Text is stored in cells, as many libraries do, instead of in a shared table. */
  readonly inline?: boolean;
  /** A prefix before each name of the sheets' XML, as the Open XML SDK writes it. */
  readonly prefix?: string;
  /** Relations have absolute paths. */
  readonly absolute?: boolean;
  /** Cells and rows have no positions. */
  readonly unplaced?: boolean;
  readonly streamed?: boolean;
  /** Files that replace or are added to those of the workbook. */
  readonly files?: Readonly<Record<string, Content>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\r', '_x000D_');

function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** A number with the cell style of this index in `formats`, from 1. */
export const styled = (value: number | string, style: number): TestCell => ({
  xml: `<c r="{at}" s="${style}"><v>${value}</v></c>`,
});

export function workbookOf(book: TestWorkbook): Buffer {
  const strings: string[] = [];
  const texts = new Map<string, number>();
  const shared = (text: string): number => {
    const known = texts.get(text) ?? strings.push(`<si><t xml:space="preserve">${escaped(text)}</t></si>`) - 1;
    texts.set(text, known);
    return known;
  };
  const { prefix = '' } = book;
  const named = (xml: string): string => (prefix === '' ? xml : xml.replace(/<(\/?)([a-z])/gi, `<$1${prefix}:$2`));

  function cellXml(cell: TestCell, column: number, line: number): string {
    const at = `${letters(column)}${line}`;
    const place = book.unplaced === true ? '' : ` r="${at}"`;
    if (cell === null) return '';
    if (typeof cell === 'object') return cell.xml.replaceAll('{at}', at);
    if (typeof cell === 'number') return `<c${place}><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c${place} t="b"><v>${cell ? 1 : 0}</v></c>`;
    if (book.inline === true) return `<c${place} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    return `<c${place} t="s"><v>${shared(cell)}</v></c>`;
  }

  function sheetXml({ rows, merges = [], hidden = [] }: TestSheet): string {
    const lines = rows.map((cells, index) => {
      const place = book.unplaced === true ? '' : ` r="${index + 1}"`;
      const content = cells.map((cell, column) => cellXml(cell, column, index + 1)).join('');
      return cells.length === 0
        ? ''
        : `<row${place}${hidden.includes(index + 1) ? ' hidden="1"' : ''} spans="1:${cells.length}">${content}</row>`;
    });
    const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    const xmlns = prefix === '' ? `xmlns="${MAIN}"` : `xmlns:${prefix}="${MAIN}"`;
    const tail = merged === '' ? '' : `<mergeCells count="${merges.length}">${merged}</mergeCells>`;
    return `${HEAD}${named(`<worksheet ${xmlns}><sheetData>${lines.join('')}</sheetData>${tail}</worksheet>`)}`;
  }

  const root = book.absolute === true ? '/xl/' : '';
  const sheets = book.sheets.map(sheetXml);
  const relations = [
    ...book.sheets.map(
      (_, index) =>
        `<Relationship Id="rId${index + 1}" Type="${REL}/worksheet" Target="${root}worksheets/sheet${index + 1}.xml"/>`,
    ),
    `<Relationship Id="rId900" Type="${REL}/styles" Target="${root}styles.xml"/>`,
    ...(strings.length === 0
      ? []
      : [`<Relationship Id="rId901" Type="${REL}/sharedStrings" Target="${root}sharedStrings.xml"/>`]),
  ];
  const formats = book.formats ?? [];
  const codes = formats.flatMap((format, index) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + index}" formatCode="${escaped(format)}"/>`] : [],
  );
  const xfs = formats.map((format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + index}"/>`);
  const tabs = book.sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
  );
  const date1904 = book.is1904 === true ? ' date1904="1"' : '';
  return zipOf(
    {
      '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
      '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${REL}"><workbookPr${date1904}/><sheets>${tabs.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
      'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
      ...(strings.length === 0
        ? {}
        : { 'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${strings.join('')}</sst>` }),
      ...Object.fromEntries(sheets.map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
      ...book.files,
    },
    { streamed: book.streamed === true },
  );
}
