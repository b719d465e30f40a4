/** Excel workbooks as different programs write them, also unusual and damaged ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../../../src/core/table/open-table.js';
import type { InputRow, Reading } from '../../../../src/core/table/rows.js';
import { parseWhole } from '../../../../src/core/table/xlsx/xml.js';
import { temporaryFolder } from '../../../support/run.js';
import { styled, type TestCell, type TestSheet, type TestWorkbook, workbookOf } from '../../../support/workbook.js';
import { zipOf } from '../../../support/zip-file.js';

async function read(bytes: Uint8Array, reading: Reading = {}) {
  const file = join(temporaryFolder(), 'input');
  writeFileSync(file, bytes);
  const input = await openFile(file, { name: 'list.xlsx', reading });
  const rows: InputRow[] = [];
  for await (const batch of input.batches) rows.push(...batch.rows);
  return { columns: input.columns, headerLine: input.headerLine, rows, cells: rows.map(({ cells }) => cells) };
}

const PEOPLE: TestSheet = {
  name: 'Tabelle1',
  rows: [
    ['Vorname', 'Nachname', 'Klasse'],
    ['Noor', 'Ait-Ömer', '5a'],
    ['Jürgen & Söhne', 'x < "y"', '007'],
  ],
};
const PEOPLE_CELLS = [
  ['Noor', 'Ait-Ömer', '5a'],
  ['Jürgen & Söhne', 'x < "y"', '007'],
];

/** One column `value` with these cells. */
async function values(cells: readonly TestCell[], book: Omit<TestWorkbook, 'sheets'> = {}): Promise<unknown[]> {
  const rows = [['value', 'end'], ...cells.map((cell) => [cell, 'x'])];
  const found = await read(workbookOf({ ...book, sheets: [{ name: 'A', rows }] }));
  return found.cells.map(([first]) => first);
}

describe('a workbook reads the same, whichever program wrote it', () => {
  test.each<[string, Omit<TestWorkbook, 'sheets'>]>([
    ['Excel: shared texts', {}],
    ['libraries: texts in their cells', { inline: true }],
    ['the Open XML SDK: prefixed names', { prefix: 'x' }],
    ['web applications: absolute paths', { absolute: true }],
    ['exports that stream: sizes behind the data', { streamed: true, inline: true }],
    ['reports: cells without places', { unplaced: true }],
  ])('%s', async (_, how) => {
    const found = await read(workbookOf({ ...how, sheets: [PEOPLE] }));
    expect(found).toMatchObject({ columns: ['Vorname', 'Nachname', 'Klasse'], headerLine: 1, cells: PEOPLE_CELLS });
  });

  test('joins formatted runs and leaves out phonetic text', async () => {
    const strings =
      '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>value</t></si><si><t>end</t></si>' +
      '<si><r><t>Ber</t></r><r><rPr><b/></rPr><t>lin</t></r><rPh sb="0" eb="1"><t>べ</t></rPh></si><si><t>x</t></si><si><t>Bonn</t></si></sst>';
    const found = await values(['Berlin', 'Bonn'], { files: { 'xl/sharedStrings.xml': strings } });
    expect(found).toEqual(['Berlin', 'Bonn']);
  });
});

describe('cells', () => {
  test('keep numbers in full, and report lost digits', async () => {
    const cells = [
      9783161484100,
      123456789012345,
      styled('1.2345678901234568E+19', 0),
      styled('0.30000000000000004', 0),
    ];
    expect(await values(cells)).toEqual(['9783161484100', '123456789012345', '1.2345678901234567E+19', '0.3']);
  });

  test('keep the zeros of text and of number formats', async () => {
    expect(await values(['00123', styled(123, 1), styled(7, 2)], { formats: ['00000', '#,##0'] })).toEqual([
      '00123',
      '00123',
      '7',
    ]);
  });

  test('are the texts of formulas that a csv for Excel had, if these were not computed', async () => {
    expect(await values(['="007"', '="a ""b"""', '="a" & "b"'])).toEqual(['007', 'a "b"', '="a" & "b"']);
  });

  test('show dates as yyyy-MM-dd, in both date systems', async () => {
    const formats = [14, 'dd.mm.yyyy', '[$-407]d. mmmm yyyy;@', '"Tag "0', 'dd.mm.yyyy\\ hh:mm'];
    const dates = [styled(46234, 1), styled(46234, 2), styled(46234, 3), styled(46234, 4), styled(46234.5, 5)];
    expect(await values(dates, { formats })).toEqual([
      '2026-07-31',
      '2026-07-31',
      '2026-07-31',
      '46234',
      '2026-07-31 12:00:00',
    ]);
    expect(await values([styled(44772, 1)], { formats, is1904: true })).toEqual(['2026-07-31']);
    // Day 60 is 29 February 1900, which did not exist.
    const early = [1, 59, 60, 61].map((day) => styled(day, 1));
    expect(await values(early, { formats })).toEqual(['1900-01-01', '1900-02-28', '1900-02-28', '1900-03-01']);
    expect(await values([{ xml: '<c r="{at}" t="d"><v>2026-07-31T00:00:00</v></c>' }])).toEqual(['2026-07-31']);
  });

  test('are matched by namespace: an extension of Excel 2013 does not reset the date system', async () => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const workbook =
      `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
      '<workbookPr date1904="1"/><sheets><sheet name="A" r:id="rId1"/></sheets>' +
      '<extLst><ext xmlns:x15="urn:x15"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>';
    expect(await values([styled(46598, 1)], { formats: [14], files: { 'xl/workbook.xml': workbook } })).toEqual([
      '2031-07-31',
    ]);
  });

  test('have the text that their type names, not one that was left over', async () => {
    const cells = [
      { xml: '<c r="{at}" t="inlineStr"><v>0</v><is><t>Ada</t></is></c>' },
      { xml: '<c r="{at}"><v>5</v><is><t>Bo</t></is></c>' },
    ];
    expect(await values(cells)).toEqual(['Ada', '5']);
  });

  test('are found in parts whose names differ in case', async () => {
    const rels =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="rId1" Type="x/worksheet" Target="Worksheets/Sheet1.xml"/>' +
      '<Relationship Id="rId2" Type="x/sharedStrings" Target="SharedStrings.xml"/></Relationships>';
    expect(await values(['Ada'], { files: { 'xl/_rels/workbook.xml.rels': rels } })).toEqual(['Ada']);
  });

  test('show percent and scientific numbers as the spreadsheet does', async () => {
    const formats = [9, 10, '0.0%', 11, '0.00E+00', '##0.0E+0'];
    const cells = [
      styled(0.5, 1),
      styled(0.125, 2),
      styled(0.07, 3),
      styled(1000, 4),
      styled(9.78e12, 5),
      styled(0.1, 6),
    ];
    expect(await values(cells, { formats })).toEqual(['50%', '12.50%', '7.0%', '1.00E+03', '9.78E+12', '1.0E-01']);
  });

  test('have a kind where their text would be another one if they were text', async () => {
    const formats = [
      14,
      20,
      '[h]:mm',
      'mmm',
      12,
      'dd.mm.yyyy hh:mm',
      '0.00',
      '#,##0.00\\ "EUR";[Red]-0',
      '"d"0',
      'Standard',
      '[Red]0',
    ];
    const numbers = [46148, 0.3125, 1.5, 46148, 0.75, 46148.5, 1.25, 2, 3, 4, 5];
    const rows = [['value', 'end'], ...numbers.map((number, index) => [styled(number, index + 1), 'x'])];
    const { rows: found } = await read(workbookOf({ formats, sheets: [{ name: 'A', rows }] }));
    expect(found.map(({ cells, kinds }) => [cells[0], kinds?.[0]])).toEqual([
      ['2026-05-06', 'date'],
      ['07:30', 'time'],
      ['36:00', 'time'],
      ['2026-05-06', 'date'],
      ['0.75', 'fraction'],
      ['2026-05-06 12:00:00', 'date'],
      ['1.25', 'decimal'],
      ['2', undefined],
      ['3', undefined],
      ['4', undefined],
      ['5', undefined],
    ]);
  });

  test('are values of formulas, errors and booleans', async () => {
    const cells = [
      { xml: '<c r="{at}" t="str"><f>A1&amp;"b"</f><v>5ab</v></c>' },
      { xml: '<c r="{at}"><f>1+1</f><v>2</v></c>' },
      { xml: '<c r="{at}" t="e"><f>NV()</f><v>#N/A</v></c>' },
      { xml: '<c r="{at}"><f>1+1</f></c>' },
      { xml: '<c r="{at}"><f>1+1</f><v></v></c>' },
      { xml: '<c r="{at}"><f>1+1</f><v/></c>' },
      { xml: '<c r="{at}" t="str"><f>""</f><v></v></c>' },
      true,
      { xml: '<c r="{at}" s="0"/>' },
    ];
    expect(await values(cells)).toEqual([
      '5ab',
      '2',
      '#N/A',
      '#FORMULA!',
      '#FORMULA!',
      '#FORMULA!',
      undefined,
      'true',
      undefined,
    ]);
  });

  test('keep line breaks', async () => {
    expect(await values(['a\r\nb'])).toEqual(['a\r\nb']);
  });
});

describe('a sheet', () => {
  test('begins at its first row that is not blank, and skips blank rows', async () => {
    const rows = [[], ['', ' '], [null, 'E-Mail\nAdresse', 'Klasse '], [], [null, 'a@b.example', '5a'], ['', '', '']];
    const found = await read(workbookOf({ sheets: [{ name: 'A', rows }] }));
    expect(found).toMatchObject({ columns: ['', 'E-Mail Adresse', 'Klasse'], headerLine: 3 });
    expect(found.rows).toMatchObject([{ number: 1, line: 5, cells: [undefined, 'a@b.example', '5a'] }]);
  });

  test('repeats merged cells in each of their rows, except blank ones', async () => {
    const rows = [
      ['Klasse', 'Name'],
      ['5a', 'Ada', 'note'],
      [null, 'Bo'],
      ['5b', 'Cy'],
      [null, null],
      [null, 'Di'],
    ];
    const merges = ['A4:A5', 'A2:A3', 'A1:B1', 'C2:C3'];
    const { cells } = await read(workbookOf({ sheets: [{ name: 'A', rows, merges }] }));
    expect(cells.map(([first]) => first)).toEqual(['5a', '5a', '5b', undefined]);
    // Not beyond the header, where nobody reads it.
    expect(cells[1]).toEqual(['5a', 'Bo']);
  });

  test('is the only visible one with cells', async () => {
    const sheets = [{ name: 'Leer', rows: [] }, { ...PEOPLE, name: 'Alt', state: 'hidden' as const }, PEOPLE];
    expect((await read(workbookOf({ sheets }))).cells).toEqual(PEOPLE_CELLS);
  });

  test('must be named if several have cells', async () => {
    const bytes = workbookOf({ sheets: [PEOPLE, { name: '5b', rows: [['Klasse'], ['5b']] }] });
    await expect(read(bytes)).rejects.toMatchObject({
      message: 'list.xlsx has 2 sheets with cells: "Tabelle1", "5b". Nothing was sent.',
      hint: 'Choose one: --sheet Tabelle1',
    });
    expect((await read(bytes, { sheet: '5B' })).cells).toEqual([['5b']]);
    await expect(read(bytes, { sheet: 'Tabele1' })).rejects.toMatchObject({
      message: '--sheet "Tabele1" is not a sheet of list.xlsx.',
      hint: 'Did you mean Tabelle1?',
    });
  });
});

describe('an unreadable workbook is reported', () => {
  const whole = workbookOf({ sheets: [PEOPLE] });
  const spoiled = Buffer.from(whole);
  spoiled.fill(0x55, 700, 720);
  const two = workbookOf({ sheets: [PEOPLE], files: { 'xl/worksheets/sheetX.xml': '<worksheet/>' } });
  const twins = Buffer.from(two.toString('latin1').replaceAll('sheetX.xml', 'sheet1.xml'), 'latin1');
  test.each<[string, Uint8Array, RegExp]>([
    ['cut in the middle', whole.subarray(0, whole.length / 2), /damaged/],
    ['without its end', whole.subarray(0, whole.length - 30), /damaged/],
    ['with two entries of one name', twins, /damaged \(it has two entries named xl\/worksheets\/sheet1\.xml\)/],
    ['with spoiled bytes', spoiled, /damaged/],
    [
      'with XML that is not closed',
      workbookOf({ sheets: [PEOPLE], files: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c' } }),
      /damaged/,
    ],
    [
      'with a missing sheet',
      zipOf({
        '_rels/.rels':
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        'xl/workbook.xml':
          '<workbook><sheets><sheet name="A" r:id="b" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="b" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      }),
      /damaged \(xl\/worksheets\/sheet1\.xml is missing\)/,
    ],
    [
      'that expands to much more than spreadsheets do',
      workbookOf({
        sheets: [PEOPLE],
        files: { 'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(2_500_000)}` },
      }),
      /xl\/sharedStrings\.xml expands \d{3}-fold/,
    ],
    ['the binary format', zipOf({ 'xl/workbook.bin': '' }), /it is an \.xlsb file/],
    ['another archive', zipOf({ 'notes.txt': 'hello' }), /it is not a workbook/],
    ['an OpenDocument', zipOf({ mimetype: 'application/x', 'content.xml': '<a/>' }), /it is an OpenDocument file/],
    ['the old format', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), /old Excel file \(\.xls\), or one with a password/],
    ['without cells', workbookOf({ sheets: [{ name: 'A', rows: [] }] }), /is empty/],
  ])('%s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
  });

  // Of a file, it is scanned again for each of its chunks.
  test('with an endless tag', async () => {
    const tag = async function* () {
      yield Buffer.from(`<sst ${'a'.repeat(2 * 1024 ** 2)}`);
    };
    await expect(parseWhole(tag(), {})).rejects.toThrow(/^it has a tag or text of more than 2097152 bytes$/);
  });

  test('a sheet for a text file', async () => {
    await expect(read(Buffer.from('name\nA\n'), { sheet: 'A' })).rejects.toMatchObject({
      message: '--sheet "A": list.xlsx is not an Excel workbook, so it has no sheets.',
    });
  });
});
