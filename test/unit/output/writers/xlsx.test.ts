/** Workbooks: what is in their cells, the limits of Excel, and equal bytes for equal rows. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  boolean,
  date,
  type Fields,
  list,
  number,
  object,
  text,
  timestamp,
} from '../../../../src/contract/vocabulary.js';
import { openFile } from '../../../../src/core/table/open-table.js';
import type { InputRow } from '../../../../src/core/table/rows.js';
import { openZip } from '../../../../src/core/table/zip.js';
import { WorkbookWriter } from '../../../../src/output/writers/workbook-writer.js';
import type { Layout } from '../../../../src/output/writers/writer.js';
import { xlsx } from '../../../../src/output/writers/xlsx.js';
import { anyText } from '../../../support/any-text.js';
import { temporaryFolder } from '../../../support/run.js';
import { PLAIN } from './plain-layout.js';

const COLUMNS = {
  code: text('code'),
  days: number('days'),
  until: date('end'),
  at: timestamp('time'),
  on: boolean('on'),
};

function written(pages: readonly (readonly unknown[])[], fields: Fields = COLUMNS, layout: Layout = PLAIN): Buffer {
  const writer = xlsx.list(object(fields, 'a row'), layout);
  const pieces = [...pages.map((page) => writer.page(page)), writer.end()];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array)));
}

function fileOf(book: Buffer): string {
  const file = join(temporaryFolder(), 'book.xlsx');
  writeFileSync(file, book);
  return file;
}

/** The XML of a part. */
async function part(book: Buffer, name = 'xl/worksheets/sheet1.xml'): Promise<string> {
  const zip = await openZip(fileOf(book));
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.entries.get(name)?.read() ?? []) chunks.push(chunk);
  zip.close();
  return Buffer.concat(chunks).toString();
}

async function read(book: Buffer) {
  const { columns, batches } = await openFile(fileOf(book), { name: 'book.xlsx' });
  const rows: InputRow[] = [];
  for await (const batch of batches) rows.push(...batch.rows);
  return { columns, rows };
}

const rowsOf = async (book: Buffer) => (await read(book)).rows.map(({ cells }) => cells);

describe('cells', () => {
  test('are text, unless the contract has a number, a date or a boolean', async () => {
    const item = { code: '007', days: 30, until: '2027-07-31', at: '2026-01-31 08:30:00', on: true };
    const sheet = await part(written([[item]]));
    const row = sheet.slice(sheet.indexOf('<row r="2">'), sheet.indexOf('</sheetData>'));
    expect(row).toBe(
      '<row r="2"><c r="A2" s="1" t="inlineStr"><is><t>007</t></is></c><c r="B2"><v>30</v></c>' +
        '<c r="C2" s="2"><v>46599</v></c><c r="D2" s="3"><v>46053.35416666667</v></c><c r="E2" t="b"><v>1</v></c></row>',
    );
    expect(await rowsOf(written([[item]]))).toEqual([['007', '30', '2027-07-31', '2026-01-31 08:30:00', 'true']]);
  });

  test.each([
    '007',
    '12e5',
    '9783000000017',
    '=1+1',
    '="007"',
    '@x',
    '-5',
    '1-2',
    'TRUE',
    '#N',
    '50%',
    '_x0041_',
    'a\r\nb',
    '\u0000\u001b[1m\u009f',
    '\ufffe',
    '\ud83d half',
    '<b>&"',
    "'x",
  ])('the text %j arrives as it is', async (code) => {
    expect(await rowsOf(written([[{ code }]]))).toEqual([[code]]);
    expect(await part(written([[{ code }]]))).not.toContain('<f>');
    if (code === '<b>&"') expect(await part(written([[{ code }]]))).toContain('<t>&lt;b&gt;&amp;"</t>');
  });

  test('a text of the form of a date stays a text, as does a date that is none, or that spreadsheets count differently', async () => {
    const rows = [
      { code: '2027-07-31', until: '2027-02-30' },
      { until: '1900-02-28' },
      { at: '2026-01-31T08:30:00.123' },
    ];
    expect((await part(written([rows]))).match(/t="inlineStr"/g)).toHaveLength(5 + 4);
    const read = await rowsOf(written([rows]));
    expect(read).toEqual([
      ['2027-07-31', undefined, '2027-02-30'],
      [undefined, undefined, '1900-02-28'],
      [undefined, undefined, undefined, '2026-01-31T08:30:00.123'],
    ]);
  });

  test('a number that a spreadsheet would round is a text', async () => {
    const rows = [{ days: 1e15 }, { days: 0.1 + 0.2 }, { days: 999_999_999_999_999 }];
    expect(await rowsOf(written([rows]))).toEqual([
      [undefined, '1000000000000000'],
      [undefined, '0.30000000000000004'],
      [undefined, '999999999999999'],
    ]);
  });

  test('lists are joined as in csv, and blank cells left out', async () => {
    const fields = { tags: list(text('tag'), 'tags'), end: text('end') };
    expect(await rowsOf(written([[{ tags: ['a;b', 'c'], end: null }, { end: 'x' }]], fields))).toEqual([
      ['a\\;b;c'],
      [undefined, 'x'],
    ]);
  });

  test('have the letters of their column, with three from the 703rd on', async () => {
    const places = Array.from({ length: 703 }, (_, place) => String(place));
    const fields = Object.fromEntries(places.map((place) => [`c${place}`, text('place')]));
    const book = written([[Object.fromEntries(places.map((place) => [`c${place}`, place]))]], fields);
    expect(await part(book)).toMatch(/ r="Z2".* r="AA2".* r="ZZ2".* r="AAA2"/);
    expect(await rowsOf(book)).toEqual([places]);
  });

  test('any text comes back as it was, but for blanks around it', async () => {
    const textOf = fc.string({
      unit: fc.oneof(anyText(1), fc.constantFrom('_x000D_', '\ud800', ' ', '<', '\u0000')),
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(textOf, { minLength: 1, maxLength: 40 }), async (texts) => {
        const back = await rowsOf(written([texts.map((code) => ({ code, on: true }))]));
        expect(back).toEqual(texts.map((code) => [code.trim() || undefined, undefined, undefined, undefined, 'true']));
      }),
      { numRuns: 6 },
    );
  });
});

describe('the sheet', () => {
  test('has a frozen header with filters, widths, and columns that stay text when they are edited', async () => {
    const book = written([[{ code: 'a'.repeat(20), days: 1 }]]);
    const sheet = await part(book);
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('<autoFilter ref="A1:E2"/>');
    expect(sheet).toContain(
      '<col min="1" max="1" width="22" style="1" customWidth="1"/><col min="2" max="2" width="8" style="0"',
    );
    expect(await part(book, 'xl/workbook.xml')).toContain('<sheet name="licences" sheetId="1" r:id="rId1"/>');
    expect(await part(book, 'xl/styles.xml')).toContain('<xf numFmtId="49"');
  });

  test('has a legal name', async () => {
    const name = async (title: string) =>
      / name="([^"]*)"/.exec(await part(written([], COLUMNS, { ...PLAIN, title }), 'xl/workbook.xml'))?.[1];
    expect(await name('a/b [c]:*?\\ "d" of many more words')).toBe('a b  c      &quot;d&quot; of many more wo');
    expect(await name("'")).toBe('edu');
  });

  test('has no header if none is wanted', async () => {
    const sheet = await part(written([[{ code: 'a' }]], COLUMNS, { ...PLAIN, header: false }));
    expect(sheet).toContain(
      '<sheetData><row r="1"><c r="A1" s="1" t="inlineStr"><is><t>a</t></is></c></row></sheetData>',
    );
    expect(sheet).not.toMatch(/pane|autoFilter/);
  });
});

describe('the bytes', () => {
  const items = Array.from({ length: 5000 }, (_, index) => ({
    code: `${index * 7919}`,
    days: index,
    until: '2027-07-31',
  }));

  test('do not depend on the pages', () => {
    const pages = Array.from({ length: 500 }, (_, page) => items.slice(page * 10, page * 10 + 10));
    expect(written(pages).equals(written([items]))).toBe(true);
  });

  test('are the same on every machine', () => {
    expect(
      createHash('sha256')
        .update(written([items]))
        .digest('hex'),
    ).toBe('4d852d137dd317816cae2f4f1fe0e3f41050e33db568f7fa2c653616c30fc9ca');
  });
});

describe('the limits of Excel', () => {
  const book = (columns = 1): WorkbookWriter => {
    const writer = new WorkbookWriter();
    writer.sheet(
      'licences',
      Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, type: 'text' as const })),
    );
    return writer;
  };

  test('1,048,576 rows with the header', () => {
    const writer = book();
    for (let row = 2; row <= 1_048_576; row++) writer.row([]);
    expect(() => writer.row([])).toThrow(
      'Cannot write a workbook: licences has more than the 1048576 rows of a sheet.',
    );
  });

  test('16,384 columns', () => {
    expect(() => book(16_384)).not.toThrow();
    expect(() => book(16_385)).toThrow('Cannot write a workbook: licences has 16385 columns, more than 16384.');
  });

  test('32,767 characters of a cell', () => {
    const writer = book();
    writer.row(['a'.repeat(32_767)]);
    writer.row(['a'.repeat(32_768)]);
    expect(() => writer.end()).toThrow(
      'Cannot write a workbook: cell A3 of licences has 32768 characters, more than 32767.',
    );
  });
});
