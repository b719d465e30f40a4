/** Inputs of all encodings, delimiters and quotes, and their problems with positions. */
import Papa from 'papaparse';
import { describe, expect, test, vi } from 'vitest';
import { EduError } from '../../../../src/core/errors.js';
import { encoder, encodingOf } from '../../../../src/core/table/encoding.js';
import { cellsOf, read } from './read.js';

const utf16le = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('encodings', () => {
  const text = 'name;note\nÉté;“x” €\n';
  test.each([
    ['UTF-8', Buffer.from(text), {}],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), {}],
    ['UTF-16 little-endian', utf16le(text), {}],
    ['UTF-16 big-endian', utf16le(text).swap16(), {}],
    ['UTF-16 of either byte order', utf16le(text).swap16(), { encoding: 'utf-16' }],
    ['windows-1252', Buffer.from('name;note\n\xc9t\xe9;\x93x\x94 \x80\n', 'latin1'), { encoding: 'windows-1252' }],
    [
      'latin1, which is windows-1252 as on the web',
      Buffer.from('name;note\n\xc9t\xe9;\x93x\x94 \x80\n', 'latin1'),
      { encoding: 'latin1' },
    ],
    [
      'UTF-8 that was asked for, with a byte order mark',
      Buffer.from(`\ufeff"name"${text.slice(4)}`),
      { encoding: 'UTF8' },
    ],
  ])('%s is read in chunks of any size', async (_, bytes, options) => {
    for (const chunk of [1, 2, 3, 7, 1000]) {
      const input = await read(bytes, { ...options, chunk });
      expect(input.columns).toEqual(['name', 'note']);
      expect(cellsOf(input)).toEqual([['Été', '“x” €']]);
    }
  });

  test('characters of four bytes may end a chunk, and have the length that an offset counts', async () => {
    const text = 'n\né€😀😀\n';
    for (const chunk of [1, 4, 11, 15]) expect(cellsOf(await read(text, { chunk }))).toEqual([['é€😀😀']]);
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0x80])]);
    await expect(read(bytes)).rejects.toThrow('byte 0x80 at offset 16.');
  });

  test('UTF-16 with half a character is refused, not replaced', async () => {
    await expect(read(utf16le('name\n\ud83d\n'))).rejects.toThrow(
      'input.csv is not utf-16le: there are invalid bytes between 2 and 16.',
    );
  });

  test('output has the bytes of the input, and ? for what its encoding lacks', () => {
    expect(encoder(encodingOf('cp1250'))('Łódź😀').toString('latin1')).toBe('\xa3\xf3d\x9f?');
    expect(encoder(encodingOf('ansi'))('“€”').toString('latin1')).toBe('\x93\x80\x94');
  });

  test('other bytes are an error with their offset', async () => {
    const bytes = Buffer.from('name\nH\xe9l\xe8ne\n', 'latin1');
    for (const chunk of [1, 5, 6, 7, 100]) {
      await expect(read(bytes, { chunk })).rejects.toThrow('input.csv is not UTF-8: byte 0xe9 at offset 6.');
    }
    await expect(read(bytes)).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('--encoding windows-1252'),
    });
  });

  test('the error shows the cell as each likely encoding reads it, and no other, such as a password', async () => {
    const detailsOf = async (bytes: Buffer) => {
      const error: unknown = await read(bytes).catch((one: unknown) => one);
      return error instanceof EduError ? error.details : error;
    };
    expect(await detailsOf(Buffer.from('name;password\nZo\xeb;s\xe9cret\nMia;Bonn\n', 'latin1'))).toEqual([
      { where: 'byte 16', message: '0xeb is not UTF-8' },
      { where: '--encoding windows-1252', message: 'Zoë' },
      { where: '--encoding windows-1251', message: 'Zoл' },
      { where: '--encoding macintosh', message: 'ZoÎ' },
    ]);
    // windows-1251, as a Russian Excel writes it.
    expect(await detailsOf(Buffer.from(`\xc0\xed\xed\xe0;5\xe0\n${'x'.repeat(99)}`, 'latin1'))).toContainEqual({
      where: '--encoding windows-1251',
      message: 'Анна',
    });
  });

  test('UTF-16 without a byte order mark is not read as UTF-8', async () => {
    const way = 'It looks like UTF-16 without a byte order mark: pass --encoding';
    for (const text of ['name\nAda\n', 'name\nÉva\n']) {
      const bytes = Buffer.from(text, 'utf16le');
      await expect(read(bytes)).rejects.toMatchObject({
        message: 'input.csv is not UTF-8: byte 0x00 at offset 1.',
        details: [{ where: 'byte 1' }],
        hint: `${way} utf-16le. Or save it as "CSV UTF-8".`,
      });
      await expect(read(bytes.swap16())).rejects.toMatchObject({ hint: `${way} utf-16be. Or save it as "CSV UTF-8".` });
    }
  });
});

describe('delimiters', () => {
  test.each([
    ['comma', 'a,b\n1,2\n', ','],
    ['semicolon', 'a;b\n1;2\n', ';'],
    ['tab', 'a\tb\n1\t2\n', '\t'],
    ['pipe', 'a|b\n1|2\n', '|'],
    ["Excel's own line", 'sep=;\r\na;b\r\n1;2\r\n', ';'],
    ['commas within quotes do not count', '"a";"b"\n1;2\n', ';'],
    ['the first line may be blank', '\n\na;b\n1;2\n', ';'],
  ])('%s', async (_, text, delimiter) => {
    const input = await read(text);
    expect(input.delimiter).toBe(delimiter);
    expect(input.columns).toEqual(['a', 'b']);
    expect(cellsOf(input)).toEqual([['1', '2']]);
  });

  test('a quoted header may contain another delimiter', async () => {
    expect((await read('"a,b,c";d\n1;2\n')).columns).toEqual(['a,b,c', 'd']);
  });

  test('a flag takes precedence, then the extension .tsv', async () => {
    expect((await read('a;b,c\n1;2,3\n', { delimiter: ',' })).columns).toEqual(['a;b', 'c']);
    expect((await read('a,b\tc\n1,2\t3\n', { name: 'x.tsv' })).columns).toEqual(['a,b', 'c']);
    for (const delimiter of ['comma', 'semicolon', 'pipe', 'Tab', '\\t', '+']) {
      const char = { comma: ',', semicolon: ';', pipe: '|', '+': '+' }[delimiter] ?? '\t';
      expect((await read(`a${char}b\n1${char}2\n`, { delimiter })).columns).toEqual(['a', 'b']);
    }
    expect((await read('sep=;\ra,b\r1,2\r', { delimiter: ',' })).rows).toMatchObject([{ line: 3, cells: ['1', '2'] }]);
    await expect(read('a\n', { delimiter: 'ab' })).rejects.toThrow('--delimiter must be one character');
  });
});

describe('cells', () => {
  test('are unchanged but for the blanks around them: leading zeros, exponents, words', async () => {
    const input = await read('a,b,c,d,e\n007,1e5,TRUE, x y\u00a0,null\n');
    expect(cellsOf(input)).toEqual([['007', '1e5', 'TRUE', 'x y', 'null']]);
  });

  test('may be quoted, with line breaks, CRLF and a last line without an end', async () => {
    const input = await read('a,b\r\n"x ""y""","line 1\nline 2"\r\n5" disk,z\r\nlast,"q"');
    expect(cellsOf(input)).toEqual([
      ['x "y"', 'line 1\nline 2'],
      ['5" disk', 'z'],
      ['last', 'q'],
    ]);
    expect(input.rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 2],
      [2, 4],
      [3, 5],
    ]);
  });

  test('blank lines and rows of empty cells are skipped', async () => {
    const input = await read('a,b\n1,2\n\n,\n3,4\n\n\n');
    expect(input.rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 2],
      [2, 5],
    ]);
  });

  test('are unwrapped from ="007", as Excel writes text', async () => {
    expect(cellsOf(await read('a,b\n"=""007""",x\n="008",y\n'))).toEqual([
      ['007', 'x'],
      ['008', 'y'],
    ]);
  });

  test('lines may end with CR', async () => {
    expect(cellsOf(await read('a,b\r1,2\r3,4\r'))).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });
});

describe('invalid input', () => {
  test('names the lines with surplus text, and reads the others', async () => {
    const input = await read('a,b\n1\n"x\ny",2,3\n4,5\n');
    const quoted = 'put a cell with "," in quotes';
    const message = `has 3 cells, but the header has 2 columns; ${quoted}`;
    expect(input.problems).toEqual([{ line: 3, message }]);
    const list = await read('name\n7a, Maths\n');
    expect(list.problems[0]?.message).toMatch(`1 column; ${quoted}, or pass another --delimiter`);
    expect(cellsOf(input)).toEqual([['1'], ['x\ny', '2'], ['4', '5']]);
  });

  test('is not a row with blank cells too many, or with too few cells', async () => {
    const input = await read('a,b,c\n1,2,3,,\n4,5\n6,7,8, \n');
    expect(input.problems).toEqual([]);
    expect(cellsOf(input)).toEqual([
      ['1', '2', '3'],
      ['4', '5'],
      ['6', '7', '8'],
    ]);
  });

  test('reports a record that is too long as such', async () => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    const tooLong = { line: 3, message: 'has more than 4194304 characters' };
    expect((await read(`a,b\n1,2\n${long},2\n3,4\n`, { chunk: 65_536 })).problems).toEqual([tooLong]);
    const unclosed = await read(`a,b\n1,2\n"${long},2\n3,4\n`, { chunk: 65_536 });
    expect(unclosed.problems).toMatchObject([{ line: 3, message: 'a quote is opened here and never closed' }]);
  });

  test('parses a long cell a constant number of times, however small the chunks', async () => {
    let parsed = 0;
    class CountingParser extends Papa.Parser {
      constructor(config: Papa.ParseConfig) {
        super(config);
        const { parse } = this;
        this.parse = (text, ...rest) => {
          parsed += text.length;
          return parse(text, ...rest);
        };
      }
    }
    vi.spyOn(Papa, 'Parser').mockImplementation(CountingParser);
    const cell = 'x,""\n'.repeat(100_000);
    const { rows } = await read(`a,b\n"${cell}",2\n`, { chunk: 4096 });
    expect(rows[0]?.cells[0]).toHaveLength(cell.trim().length - 100_000);
    expect(parsed).toBeLessThan(4 * cell.length);
  });

  test.each([1, 4, 1000])('reports an unterminated quote where it opens (chunks of %i)', async (chunk) => {
    const { problems } = await read('a,b\n1,2\n3,"4\n5,6\n7,8\n', { chunk });
    expect(problems).toEqual([{ line: 3, column: 3, message: 'a quote is opened here and never closed' }]);
  });

  test.each([1, 4, 1000])('reports a quote within a quoted cell (chunks of %i)', async (chunk) => {
    const { problems, rows } = await read('a,b\n"0",1\n3,"x"y\n', { chunk });
    expect(problems).toEqual([{ line: 3, column: 3, message: expect.stringContaining('write a quote within') }]);
    expect(rows).toHaveLength(1);
  });

  test.each([
    '<html><body><table><tr><td>name</td></tr></table></body></html>',
    '\ufeff<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
    '\n<!DOCTYPE html>\n',
  ])('reports HTML and XML, which other systems name .xls: %j', async (text) => {
    await expect(read(text, { name: 'list.xls' })).rejects.toMatchObject({
      message: 'list.xls is HTML or XML, not CSV, JSON or an Excel workbook. Nothing was sent.',
      hint: expect.stringContaining('save it as'),
    });
  });

  test('reports an empty input', async () => {
    await expect(read('')).rejects.toThrow('input.csv is empty. Nothing was sent.');
    await expect(read('\ufeff \n', { headerRow: 2 })).rejects.toThrow('is empty from line 2 on');
  });
});

describe('JSON', () => {
  test.each([1, 5, 1000])('is read one object per line (chunks of %i)', async (chunk) => {
    const text =
      '{"name":"A","days":30,"book":["B1","B2"]}\n\n{"name":"B","expiration":{"days":90},"x":null}\n{oops}\n[1]\n';
    const input = await read(text, { name: 'in.ndjson', chunk });
    expect(input.columns).toEqual(['name', 'days', 'book', 'expiration.days', 'x']);
    expect(cellsOf(input)).toEqual([
      ['A', '30', ['B1', 'B2']],
      // biome-ignore lint/suspicious/noSparseArray: columns that the row lacks
      ['B', , , '90', undefined],
    ]);
    expect(input.problems).toEqual([
      { line: 4, column: 2, message: 'is not JSON' },
      { line: 5, message: expect.stringContaining('is not an object') },
    ]);
  });

  test.each([1, 5, 1000])('is read as one array (chunks of %i)', async (chunk) => {
    const text = '[\n  {"name": "A, ]\\" {", "days": 30},\n  {\n    "name": "B"\n  }\n]\n';
    const input = await read(text, { name: '-', chunk });
    expect(cellsOf(input)).toEqual([['A, ]" {', '30'], ['B']]);
    expect(input.rows.map(({ line }) => line)).toEqual([2, 3]);
    expect(input.problems).toEqual([]);
  });

  test('is refused in an array that is not closed, has a hole, or is followed by text', async () => {
    expect((await read('[{"a":1},{"a":2}', { name: '-' })).problems).toEqual([
      { line: 1, message: 'the array is not closed: the input ends too early' },
    ]);
    expect((await read('[{"a":1}] x', { name: '-' })).problems).toEqual([
      { line: 1, message: 'something follows the end of the array' },
    ]);
    expect((await read('[{"a":1},,{"a":2}]', { name: '-' })).problems).toEqual([
      { line: 1, message: 'a value is missing between two commas' },
    ]);
    expect(cellsOf(await read('[]', { name: '-' }))).toEqual([]);
  });

  test.each(['900719925474090001', '1e400', '-1e400'])('rejects %s, which JavaScript would round', async (number) => {
    const { problems } = await read(`{"id":${number}}\n`, { name: '-' });
    expect(problems[0]?.message).toContain('write it in quotes');
  });

  test('rejects members that an object has twice, of which the last would be read', async () => {
    const rows = [
      '{"a":1,"b":"a\\": ","a":2}',
      '{"x":{"a":1},"a":{"a":2}}',
      '{"b.c":1,"b":{"c":2}}',
      '{"b":{"c":1,"c" :2}}',
    ];
    for (const text of [rows.join('\n'), `[${rows.join(',\n')}]`])
      expect((await read(text, { name: '-' })).problems).toEqual([
        { line: 1, message: 'has the member "a" twice' },
        { line: 3, cell: 2, message: 'is given twice' },
        { line: 4, message: 'has the member "c" twice' },
      ]);
  });
});

test('objects that all have other members are refused, because their table grows with the square of their number', async () => {
  const lines = Array.from({ length: 4_098 }, (_, at) => JSON.stringify({ [`m${at}`]: 1 }));
  const message = 'Line 4098: the objects before it have more than 4096 different members.';
  await expect(read(lines.join('\n'), { name: 'a.ndjson' })).rejects.toThrow(message);
  await expect(read(`[${lines.join(',\n')}]`, { name: 'a.json' })).rejects.toThrow(message);
});

describe('a part of a table', () => {
  const LIST = 'Klassenliste 2026, Stand "heute"\n\nKlasse;Name\n5a;Ada\n5b;Bo\n 5A ;Cy\n';

  test('has the rows that --where names, numbered anew', async () => {
    const input = await read(LIST, { headerRow: 3, where: ['klasse=5a'] });
    expect(input.rows.map(({ number, line, cells }) => [number, line, ...cells])).toEqual([
      [1, 4, '5a', 'Ada'],
      [2, 6, '5A', 'Cy'],
    ]);
    expect((await read(LIST, { headerRow: 3, where: ['klasse!=5a'] })).rows.map(({ line }) => line)).toEqual([5]);
    await expect(read(LIST, { headerRow: 99 })).rejects.toThrow('input.csv is empty from line 99 on.');
    const json = await read('[{"a":"x","b":1},{"b":2},{"a":"x","b":3}]', { where: ['A=x'] });
    expect(cellsOf(json)).toEqual([
      ['x', '1'],
      ['x', '3'],
    ]);
    expect(cellsOf(await read('a,b\n1,\n2,x\n', { where: ['b='] }))).toEqual([['1', undefined]]);
    await expect(read('a\n1\n', { where: ['5a'] })).rejects.toThrow('--where "5a" must be HEADER=VALUE');
  });

  test('is not what a flag means that the file gives no use for', async () => {
    await expect(read('[{"a":1}]', { delimiter: ';' })).rejects.toThrow('--delimiter ";": input.csv is JSON');
    await expect(read('{"a":1}', { headerRow: 2 })).rejects.toThrow('--header-row 2: input.csv is JSON');
  });
});
