import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { Licence } from '../../../../src/contract/licenses.js';
import { any, boolean, date, list, number, object, shape, text } from '../../../../src/contract/vocabulary.js';
import { EduError } from '../../../../src/core/errors.js';
import { fromTextFormula } from '../../../../src/core/formula.js';
import { csv } from '../../../../src/output/writers/csv.js';
import { ids } from '../../../../src/output/writers/ids.js';
import { json, ndjson } from '../../../../src/output/writers/json-writer.js';
import { tsv } from '../../../../src/output/writers/tsv.js';
import type { Layout, Writer } from '../../../../src/output/writers/writer.js';
import { PLAIN } from './plain-layout.js';

const Thing = shape('Thing', 'a thing', {
  id: text('id'),
  note: text('note', { nullable: true }),
  count: number('count'),
  on: boolean('on'),
  parts: list(object({ name: text('name') }, 'part'), 'parts'),
  at: object({ day: text('day') }, 'at', { nullable: true }),
});

const things = [
  { id: '007', note: 'a, "b"\nc\t\\', count: -1, on: true, parts: [{ name: 'x' }, { name: 'y' }], at: { day: 'Mon' } },
  { id: '1e5', note: null, count: 2.5, on: false, parts: [], at: null, addedLater: { deep: [1, null] } },
];

function print(
  writer: Writer,
  pages: readonly (readonly unknown[])[],
  layout: Partial<Layout> = {},
  of = Thing,
): string {
  const list = writer.list(of, { ...PLAIN, ...layout });
  return [...pages.map((page) => list.page(page)), list.end()].map((part) => Buffer.from(part).toString()).join('');
}

const page = fc.array(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }), { maxLength: 5 });

describe('json', () => {
  it('is one array over all pages, byte for byte as from JSON.stringify', () => {
    fc.assert(
      fc.property(page, (pages) => {
        expect(print(json, pages)).toBe(`${JSON.stringify(pages.flat(), null, 2)}\n`);
      }),
    );
  });

  it('keeps unknown fields, nulls, numbers that look like text, and lone surrogates', () => {
    const odd = { id: '00012345678901234567890', gone: null, later: { x: [1] }, half: '\ud800', c1: '\u009b' };
    const text = print(json, [[odd]]);
    expect(JSON.parse(text)).toEqual([odd]);
    expect(text).toContain('"half": "\\ud800"');
    expect(text).toContain('"c1": "\\u009b"');
  });
});

describe('ndjson', () => {
  it('is one object per line', () => {
    fc.assert(
      fc.property(page, (pages) => {
        expect(print(ndjson, pages)).toBe(
          pages
            .flat()
            .map((item) => `${JSON.stringify(item)}\n`)
            .join(''),
        );
      }),
    );
  });
});

describe('tsv', () => {
  it('is one record per line with every column of the contract and no header', () => {
    expect(print(tsv, [[things[0]], [things[1]]])).toBe(
      '007\ta, "b"\\nc\\t\\\\\t-1\ttrue\tx;y\tMon\n1e5\t\t2.5\tfalse\t\t\n',
    );
  });

  it('has a field once that is requested twice, as a part of an object and by itself', () => {
    expect(print(tsv, [things], { header: true, fields: ['at', 'id', 'at.day'] })).toBe(
      'at.day\tid\nMon\t007\n\t1e5\n',
    );
  });
});

describe('csv', () => {
  it('refuses a lone surrogate, which UTF-8 would change, except on a terminal', () => {
    expect(() => print(csv, [[{ id: 'a' }, { id: '\ud83d!' }]])).toThrow(
      'half of a surrogate pair, which csv cannot contain: \ufffd!',
    );
    expect(print(csv, [[{ id: '\ud83d!' }]], { terminal: true, fields: ['id'] })).toBe('id\n\\ud83d!\n');
  });

  it('has a header, quotes where needed, joins lists, ends lines with LF', () => {
    expect(print(csv, [things])).toBe(
      'id,note,count,on,parts.name,at.day\n007,"a, ""b""\nc\t\\",-1,true,x;y,Mon\n1e5,,2.5,false,,\n',
    );
  });

  it('has a header also when the list is empty, and none with --no-header', () => {
    expect(print(csv, [])).toBe('id,note,count,on,parts.name,at.day\n');
    expect(print(csv, [], { header: false })).toBe('');
    expect(print(csv, [things], { header: false, fields: ['id'] })).toBe('007\n1e5\n');
  });

  it('quotes a record of one empty cell, so that it is not read as an empty line', () => {
    expect(print(csv, [[{ note: null }, { note: 'x' }]], { fields: ['note'] })).toBe('note\n""\nx\n');
  });

  it('for Excel has a byte order mark, CRLF, and texts that it would change as formulas', () => {
    const kept = ['007', '12e5', '9783000000017', '1-2', 'mar1', 'true', '=cmd()', '+x', '@x', '\tx', '＝x', '5 "a"'];
    const records = [...kept, 'Maths, Art', ''].map((id) => ({ id, count: -5, on: true }));
    const lines = print(csv, [records], { excel: ',', fields: ['id', 'count', 'on'] }).split('\r\n');
    expect(lines).toEqual([
      '\ufeffid,count,on',
      ...kept.map((text) => `"=""${text.replaceAll('"', '""""')}""",-5,true`),
      '"Maths, Art",-5,true',
      ',-5,true',
      '',
    ]);
  });

  it('for Excel has the names of columns as text', () => {
    const record = { '007': 'y', '=cmd()': 'x' };
    const layout = { excel: ',', fields: Object.keys(record) } as const;
    expect(print(csv, [[record]], layout)).toBe('\ufeff"=""007""","=""=cmd()"""\r\ny,x\r\n');
  });

  it('for Excel has days as they are, but no formula in their place', () => {
    const Loan = shape('Loan', 'a loan', { until: date('last day'), name: text('name') });
    const loans = [
      { until: '2026-01-31', name: '2026-01-31' },
      { until: '=1+1', name: 'x' },
    ];
    expect(print(csv, [loans], { excel: ',' }, Loan as never)).toBe(
      '\ufeffuntil,name\r\n2026-01-31,"=""2026-01-31"""\r\n"=""=1+1""",x\r\n',
    );
  });

  it('for Excel in German has semicolons and decimal commas', () => {
    const layout = { excel: ';', fields: ['id', 'count'] } as const;
    expect(print(csv, [[{ id: 'a;b', count: 1.5 }]], layout)).toBe('\ufeffid;count\r\n"a;b";"1,5"\r\n');
  });

  it('is escaped on a terminal, and exact in a pipe', () => {
    const record = { id: '\x1b[31m', note: 'a\nb' };
    expect(print(csv, [[record]], { fields: ['id', 'note'], terminal: true })).toBe('id,note\n\\x1b[31m,a\\nb\n');
    expect(print(csv, [[record]], { fields: ['id', 'note'] })).toBe('id,note\n\x1b[31m,"a\nb"\n');
  });

  it('is read back by another CSV library', () => {
    const cell = fc.string({ unit: 'grapheme' });
    const record = fc.record({ id: cell, note: cell, parts: fc.constant([]), at: fc.record({ day: cell }) });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), fc.boolean(), (records, excel) => {
        const printed = print(csv, [records], { fields: ['id', 'note', 'at.day'], excel: excel ? ',' : undefined });
        const { data, errors } = Papa.parse<string[]>(printed.replace(/^\ufeff/, ''), {
          delimiter: ',',
          newline: excel ? '\r\n' : '\n',
        });
        expect(errors).toEqual([]);
        const read = excel ? data.map((line) => line.map(fromTextFormula)) : data;
        expect(read).toEqual([
          ['id', 'note', 'at.day'],
          ...records.map(({ id, note, at }) => [id, note, at.day]),
          [''],
        ]);
      }),
    );
  });
});

describe('ids', () => {
  it.each([null, ''])('never uses another field for a missing ID: %j', (id) => {
    expect(() => print(ids, [[{ id, type: 'Books' }]], {}, Licence as never)).toThrow(EduError);
  });

  it('are missing in a result, not in a response, if a query dropped them', () => {
    expect(() => print(ids, [[{ n: 'A' }]], {}, any('?') as never)).toThrow(
      '--output ids: a row of the result has no ID: {"n":"A"}',
    );
    expect(() => print(ids, [[{ name: 'A' }]], {}, Licence as never)).toThrow(
      'The service returned an item without an ID',
    );
  });
});
