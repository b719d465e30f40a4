/** Parquet files, read by hyparquet: types, missing values, nesting, row groups, and equal bytes for equal rows. */
import { createHash } from 'node:crypto';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import {
  any,
  boolean,
  date,
  type Field,
  integer,
  list,
  number,
  object,
  text,
  timestamp,
} from '../../../../src/contract/vocabulary.js';
import { parquet } from '../../../../src/output/writers/parquet.js';
import { PLAIN } from './plain-layout.js';

const SHAPE = object(
  {
    id: text('ID'),
    days: number('days'),
    page: integer('page'),
    on: boolean('on'),
    until: date('end'),
    at: timestamp('time'),
    notes: any('notes'),
    books: list(object({ id: text('ID'), tags: list(text('tag'), 'tags') }, 'book'), 'books'),
    end: object({ type: text('type'), days: number('days') }, 'end'),
  },
  'row',
);

const FULL = {
  id: '007',
  days: 1.5,
  page: 9_007_199_254_740_991,
  on: false,
  until: '2027-07-31',
  at: '2026-01-31 08:30:00',
  notes: { a: [1, '\u0000\ud800'] },
  books: [
    { id: 'B1', tags: ['x', '', 'y'] },
    { id: 'B2', tags: [] },
    { id: null, tags: null },
  ],
  end: { type: 'Days', days: null },
};
const NULLS = Object.fromEntries(Object.keys(FULL).map((name) => [name, null]));

function written(pages: readonly (readonly unknown[])[], shape: Field = SHAPE, fields?: readonly string[]): Buffer {
  const writer = parquet.list(shape, { ...PLAIN, fields });
  const pieces = [...pages.map((page) => writer.page(page)), writer.end()];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array)));
}

const bytesOf = ({ buffer, byteOffset, length }: Buffer) =>
  buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
const rowsOf = (file: Buffer) => parquetReadObjects({ file: bytesOf(file) });
const schemaOf = (file: Buffer) => parquetSchema(parquetMetadata(bytesOf(file))).children.map(({ element }) => element);

describe('a Parquet file', () => {
  test('has typed columns, and keeps nested values, empty lists and missing values', async () => {
    const file = written([[FULL, NULLS], [{ id: 'short' }]]);
    expect(await rowsOf(file)).toEqual([
      {
        ...FULL,
        page: 9_007_199_254_740_991n,
        until: new Date('2027-07-31'),
        at: new Date('2026-01-31T08:30:00Z'),
        notes: { a: [1, '\u0000\ud800'] },
        books: [
          { id: 'B1', tags: ['x', '', 'y'] },
          { id: 'B2', tags: [] },
          { id: null, tags: undefined },
        ],
      },
      { ...NULLS, books: undefined, end: undefined },
      { ...NULLS, id: 'short', books: undefined, end: undefined },
    ]);
    expect(
      schemaOf(file).map(({ name, type, converted_type, logical_type }) => [
        name,
        type,
        converted_type ?? logical_type,
      ]),
    ).toEqual([
      ['id', 'BYTE_ARRAY', 'UTF8'],
      ['days', 'DOUBLE', undefined],
      ['page', 'INT64', undefined],
      ['on', 'BOOLEAN', undefined],
      ['until', 'INT32', 'DATE'],
      ['at', 'INT64', { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' }],
      ['notes', 'BYTE_ARRAY', 'JSON'],
      ['books', undefined, 'LIST'],
      ['end', undefined, undefined],
    ]);
  });

  test('is the same for the same rows, whatever their pages, and has row groups of a fixed size', () => {
    const rows = Array.from({ length: 5_001 }, (_, index) => ({ id: `${index}`, tags: ['x'] }));
    const shape = object({ id: text('ID'), tags: list(text('tag'), 'tags') }, 'row');
    const file = written([rows], shape);
    expect(written([rows.slice(0, 7), rows.slice(7)], shape).equals(file)).toBe(true);
    expect(createHash('sha256').update(file).digest('hex')).toBe(
      'd7710a3999e38aceb23649f11450c2b877843ff20f0f40a5a857e9ea83e80154',
    );
    expect(parquetMetadata(bytesOf(file)).row_groups.map(({ num_rows }) => num_rows)).toEqual([5_000n, 1n]);
    expect(parquetMetadata(bytesOf(written([]))).num_rows).toBe(0n);
  });

  test.each([
    ['id', 5, '5'],
    ['id', '\u0000', '\u0000'],
    ['at', '2026-01-31T08:30:00.123', new Date('2026-01-31T08:30:00.123Z')],
  ])('a column %s holds %j', async (name, value, read) => {
    expect(await rowsOf(written([[{ [name]: value }]]))).toMatchObject([{ [name]: read }]);
  });

  test.each([
    [{ id: 'x\ud800' }, 'id has half of a surrogate pair'],
    [{ id: '7', days: '5' }, 'days is "5", which does not fit its column (number) (in 7).'],
    [{ page: 1.5 }, 'page is 1.5, which does not fit its column (integer)'],
    [{ until: '2027-06-31' }, 'until is "2027-06-31", which does not fit its column (date)'],
    [{ at: 'now' }, 'at is "now", which does not fit its column (timestamp)'],
    [{ books: [{ tags: 'x' }] }, 'books.tags is "x", which does not fit its column (list)'],
    [{ end: [] }, 'end is [], which does not fit its column (object)'],
  ])('refuses %j, which its column cannot hold', (row, reason) => {
    expect(() => written([[row]])).toThrow(reason);
  });

  test('has the requested fields, those of lists as lists', async () => {
    expect(await rowsOf(written([[FULL]], SHAPE, ['id', 'books.id', 'end.type']))).toEqual([
      { id: '007', 'books.id': ['B1', 'B2', null], 'end.type': 'Days' },
    ]);
    expect(await rowsOf(written([['a', 'b']], text('ID')))).toEqual([{ value: 'a' }, { value: 'b' }]);
  });
});
