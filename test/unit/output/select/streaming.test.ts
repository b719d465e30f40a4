/** Queries and sorting of long lists: which stream, and which read the whole list. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Licence } from '../../../../src/contract/licenses.js';
import type { Field } from '../../../../src/contract/vocabulary.js';
import { exactJson, parseJson } from '../../../../src/core/exact-json.js';
import { collect } from '../../../../src/output/select/item-pages.js';
import { compileQuery } from '../../../../src/output/select/query.js';
import { resultShape } from '../../../../src/output/select/result-shape.js';

import { sortedPages } from '../../../../src/output/select/sort-list.js';

async function* inPages(items: readonly unknown[], size: number): AsyncGenerator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

const ITEMS = [
  { id: '1', name: 'b', books: [{ id: 'x' }, { id: 'y' }], used: 3, organization: { id: 'd1', type: 'School' } },
  { id: '2', name: 'a', books: [], used: 0, organization: null },
  { id: '3', name: 'c', books: [{ id: 'z' }], used: 5, organization: { id: 'd2', type: 'School' } },
];

describe('an expression that works on each item', () => {
  it.each([
    '[]',
    '[*]',
    '[].name',
    '[*].name',
    "[?name=='a']",
    "[?name>='b'].{id: id, books: books[].id}",
    '[?used>`1`].[id, name]',
    '[].books[].id',
    '[?used].organization.type',
    '[?used>`1`] | [].name',
    '@[?used].name',
    '[].length(books)',
    '[].books | [] | [].id',
  ])('gives the same page by page as for the whole list: %s', (expression) => {
    const { isPerItem, run } = compileQuery(expression);
    expect(isPerItem).toBe(true);
    expect(ITEMS.flatMap((item) => run([item]))).toEqual(run(ITEMS));
  });

  it.each([
    '@',
    '[0]',
    '[:2]',
    '[-1].name',
    'length(@)',
    'sort_by(@, &name)[].id',
    '[?used==max($[].used)].id',
    '{all: [].id}',
    '[[].id, [].name]',
    "[].id || 'none'",
    '[?used] | [0]',
    'length([?used])',
    'sort_by([].{id: id, name: name}, &name)',
  ])('is distinguished from those that need the whole list: %s', (expression) => {
    expect(compileQuery(expression).isPerItem).toBe(false);
  });
});

describe('the columns of results', () => {
  const namesOf = ({ fields }: Field): unknown => (fields === undefined ? 'value' : Object.keys(fields));

  it.each([
    ["[?name=='a']", Object.keys(Licence.fields ?? {})],
    ['[-1:]', Object.keys(Licence.fields ?? {})],
    ["[?name=='a'] | max_by(@, &used)", Object.keys(Licence.fields ?? {})],
    ['[].books | [0]', ['id', 'ean', 'title']],
    ['[].id', 'value'],
    ['[].{a: id, b: organization.type, c: length(books), d: unheardOf}', ['a', 'b', 'c', 'd']],
    ['[].[id, name]', ['1', '2']],
    ['[].organization.[id, type]', ['1', '2']],
    ['[].{a: [id, name]}', ['a']],
    ['[].books | [].id', 'value'],
    ['[].organization', ['id', 'type']],
    ['[].books[]', ['id', 'ean', 'title']],
    ["[?type=='Books'] | [].{a: id} | [].a", 'value'],
    ['[].books', 'value'],
  ])('of %s are %j', (expression, names) => {
    expect(namesOf(resultShape(compileQuery(expression).tree, Licence))).toEqual(names);
  });
});

describe('sorting a long list', () => {
  const key = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.boolean(), fc.string({ unit: 'grapheme' }));

  const rank = (value: unknown): number => (value === null ? 2 : typeof value === 'number' ? 0 : 1);
  const compared = (a: unknown, b: unknown): number => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return rank(a) - rank(b) || Buffer.from(String(a)).compare(Buffer.from(String(b)));
  };

  it.each([10, 10_500])('orders %i items of any kind, and keeps the order of equal ones', async (count) => {
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 30 }), fc.boolean(), async (keys, descending) => {
        const items = Array.from({ length: count }, (_, index) => ({
          place: index,
          text: 'x'.repeat(200),
          key: index < keys.length ? keys[index] : index % 7 === 0 ? index % 1000 : `k${index % 997}`,
        })).map((item) => JSON.parse(JSON.stringify(item)) as { readonly key: unknown });
        const [missing, present] = [true, false].map((isMissing) =>
          items.filter((one) => (one.key === null) === isMissing),
        );
        const expected = (present ?? []).toSorted((a, b) => (descending ? -1 : 1) * compared(a.key, b.key));
        const pages = sortedPages(inPages(items, 400), { fields: ['key'], descending });
        expect(await collect(pages, '', '')).toEqual([...expected, ...(missing ?? [])]);
      }),
      { numRuns: count < 100 ? 50 : 1 },
    );
  });

  it.each([0, 10_500])(
    'compares whole numbers beyond 2^53 exactly, and keeps them, after %i others',
    async (others) => {
      const numbers = ['12345678901234567890123', '9007199254740993', '-9007199254740993', '9007199254740992', '3'];
      const rest = Array.from({ length: others }, () => '{"key":1}');
      const items = [...rest, ...numbers.map((number) => `{"key":${number}}`)].map(parseJson);
      const pages = sortedPages(inPages(items, 400), { fields: ['key'], descending: true });
      const printed = (await collect(pages, '', '')).map((item) => exactJson(item).slice('{"key":'.length, -1));
      expect(printed.filter((key) => key !== '1')).toEqual([
        '12345678901234567890123',
        '9007199254740993',
        '9007199254740992',
        '3',
        '-9007199254740993',
      ]);
    },
  );

  it('leaves no files, also when the reader stops early', async () => {
    const items = Array.from({ length: 30_000 }, (_, index) => ({
      key: `${(index * 7919) % 30_000}`,
      text: 'x'.repeat(200),
    }));
    const list = sortedPages(inPages(items, 500), { fields: ['key'], descending: true });
    for await (const [first] of list) {
      expect(first).toMatchObject({ key: '9999' });
      break;
    }
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`edu-sort-${process.pid}`))).toEqual([]);
  });

  it('ends with the error of the list', async () => {
    async function* broken(): AsyncGenerator<readonly unknown[]> {
      yield Array.from({ length: 11_000 }, (_, key) => ({ key }));
      throw new Error('gone');
    }
    const list = sortedPages(broken(), { fields: ['key'], descending: false });
    await expect(list.next()).rejects.toThrow('gone');
  });
});
