import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Licence } from '../../../../src/contract/licenses.js';
import { any, object, text } from '../../../../src/contract/vocabulary.js';
import { compareText } from '../../../../src/core/sort/compare-text.js';
import { collect, onePage } from '../../../../src/output/select/item-pages.js';
import { compileQuery } from '../../../../src/output/select/query.js';
import { unknownNames } from '../../../../src/output/select/result-shape.js';
import { checkSort, readSort } from '../../../../src/output/select/sort.js';
import { sortedPages } from '../../../../src/output/select/sort-list.js';
import { problem } from '../problem.js';

describe('--sort', () => {
  it.each([
    ['name', { fields: ['name'], descending: false }],
    ['name:asc', { fields: ['name'], descending: false }],
    ['expiration.days:desc', { fields: ['expiration.days'], descending: true }],
  ])('reads %s', (text, sorting) => {
    expect(readSort(text)).toEqual(sorting);
  });

  it.each(['', ':desc', 'name:down', 'name:desc:asc', '-name', '+name'])('refuses "%s"', (text) => {
    expect(problem(() => readSort(text)).kind).toBe('usage');
  });

  it('refuses unknown fields, and spells known ones as in the contract', () => {
    expect(checkSort(readSort('maximum-activations'), Licence).fields).toEqual(['maximumActivations']);
    expect(problem(() => checkSort(readSort('nmae'), Licence)).hint).toBe('Did you mean name?');
  });

  const values = (field: string, items: readonly unknown[], descending = false) =>
    collect(sortedPages(onePage(items), { fields: [field], descending }), '', '');

  it('orders numbers by value and text by code point', async () => {
    expect(await values('n', [{ n: 10 }, { n: 9 }, { n: -1 }])).toEqual([{ n: -1 }, { n: 9 }, { n: 10 }]);
    // '10' < '9' < 'Z' < 'a' < 'ä' < U+FFFF < an emoji, whose first UTF-16 unit is U+D83D.
    const texts = ['10', '9', 'Z', 'a', 'ä', '\uffff', '😀'];
    expect(
      await values(
        't',
        [...texts].reverse().map((t) => ({ t })),
      ),
    ).toEqual(texts.map((t) => ({ t })));
  });

  it('puts missing values last, in both directions', async () => {
    const items = [{ a: null }, { a: 2 }, {}, { a: 1 }];
    expect(await values('a', items)).toEqual([{ a: 1 }, { a: 2 }, { a: null }, {}]);
    expect(await values('a', items, true)).toEqual([{ a: 2 }, { a: 1 }, { a: null }, {}]);
  });

  it('keeps the order of equal items, and does not change the list', async () => {
    const items = [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 0, b: 3 },
    ];
    expect(await values('a', items, true)).toEqual(items);
    expect((await values('a', items))[0]).toEqual({ a: 0, b: 3 });
    expect(items[0]).toEqual({ a: 1, b: 1 });
  });

  it('compares as UTF-8 does', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

const runQuery = (data: unknown, expression: string): unknown => compileQuery(expression).run(data);

describe('--query', () => {
  it.each([
    ['[', 'is not a JMESPath expression: Syntax error'],
    ['', 'is not a JMESPath expression: Syntax error'],
    ['lenght(@)', 'there is no function lenght().'],
    ['[].toString(@)', 'there is no function toString().'],
    ['length()', 'length() takes 1 argument, not 0.'],
    ["join(',')", 'join() takes 2 arguments, not 1.'],
    ['[?abs()]', 'abs() takes 1 argument, not 0.'],
    ['merge()', 'merge() takes 1 or more arguments, not 0.'],
    ["[?name='Welcome'].id", '"=" is not an operator.'],
    ["[?name =\t'a=b'].id", '"=" is not an operator.'],
    ['name=id', '"=" is not an operator.'],
    ['let $x = name in $x', '"=" is not an operator.'],
    ["[?type=='Books' && name='a']", '"=" is not an operator.'],
    ["name=='Welcome", 'the quote at character 7 is not closed.'],
    ["name=='Welcome\\'", 'the quote at character 7 is not closed.'],
    ['number==`5', 'the quote at character 9 is not closed.'],
  ])('refuses %s before anything is sent', (expression, why) => {
    const error = problem(() => compileQuery(expression));
    expect(error.kind).toBe('usage');
    expect(error.message).toContain(`--query: "${expression}"`);
    expect(error.message).toContain(why);
  });

  it.each([
    [
      '[?maximumactivations > `5`]',
      '--query: no documented field is named "maximumactivations". Did you mean maximumActivations?',
    ],
    [
      '[?type==Books].nmae',
      '--query: no documented field is named "nmae". Did you mean name?',
      '--query: no documented field is named "Books". Did you mean books?',
    ],
    ['[?type==true]', '--query: no documented field is named "true". The value is written `true`, with backticks.'],
    ['[?expiration.date==null].id'],
    ["[?expiration.date < '2027'].{end: expiration.date} | [].end"],
    ['sort_by(@, &books[0].title)[].endUsers[].email'],
  ])('names what no field of a licence is called in %s', (expression, ...warnings) => {
    expect(unknownNames(compileQuery(expression).tree, Licence)).toEqual(warnings);
  });

  it('names nothing below a value that only the data shows', () => {
    const request = object({ url: text('url'), body: any('body') }, 'a request');
    const namesIn = (expression: string) => unknownNames(compileQuery(expression).tree, request);
    expect(namesIn('[?body.name].{code: body.expiration.date}')).toEqual([]);
    expect(namesIn('[].code')).toHaveLength(1);
  });

  it.each(["[?name=='a=b']", '[?"a=b"==`"="`]', "[?a!='b' && c<=d && e>=f]", "@=='it\\'s'"])(
    'accepts %s',
    (expression) => {
      expect(() => compileQuery(expression)).not.toThrow();
    },
  );

  it.each([
    ["[?@<'2026-12-31']", ['2026-12-30', '']],
    ["[?@<='2026-12-31']", ['2026-12-30', '2026-12-31', '']],
    ["[?@>'2026-12-30']", ['2026-12-31', 'Ä']],
    ["[?@>='Ä']", ['Ä']],
    ['[?@>`1`]', [2]],
    ['[?@<`"x"` || @>=`2`]', ['2026-12-30', '2026-12-31', '', 2]],
  ])('compares two strings as text and two numbers by value: %s', (expression, found) => {
    expect(runQuery(['2026-12-30', '2026-12-31', '', 'Ä', 1, 2, null, true, ['b'], {}], expression)).toEqual(found);
  });

  it.each([
    ['sort([].n)', [2, 9, 10]],
    ['[max([].n), min([].n)]', [10, 2]],
    ['sort([].t)', ['Z', 'a', 'é']],
    ['[max([].t), min([].t)]', ['é', 'Z']],
    ['sort_by(@, &t)[].n', [9, 10, 2]],
    ['sort_by(@, &same)[].n', [10, 9, 2]],
    ['[max_by(@, &t).n, min_by(@, &t).n, max_by(@, &n).n, max_by(@, &same).n]', [2, 9, 10, 10]],
    ['[max_by([?!t], &t), max([?!t]), sort([?!t])]', [null, null, []]],
  ])('orders numbers by value, texts by code point, and equal ones as they come: %s', (expression, found) => {
    const items = [10, 9, 2].map((n, index) => ({ n, t: ['a', 'Z', 'é'][index] ?? '', same: 'x' }));
    expect(runQuery(items, expression)).toEqual(found);
  });

  it.each(['sort_by(@, &n)', 'max_by(@, &missing)', 'min_by(@, &[n])'])('orders by nothing else: %s', (expression) => {
    expect(() => runQuery([{ n: 1 }, { n: 'x' }], expression)).toThrow('ordered by numbers or by texts');
  });

  it('suggests a similar function', () => {
    expect(problem(() => compileQuery('lenght(@)')).hint).toBe('Did you mean length?');
  });

  it('returns what the expression finds, or null', () => {
    expect(runQuery([{ id: 'a' }, { id: 'b' }], '[].id')).toEqual(['a', 'b']);
    expect(runQuery([], '[0].id')).toBeNull();
    // The grammar allows a literal without quotes, which many people type.
    expect(runQuery([{ type: 'Books' }, { type: 'Teacher' }], '[?type==`Books`]')).toEqual([{ type: 'Books' }]);
    expect(() => compileQuery('[?type==`Books`]')).not.toThrow();
    expect(runQuery([{}], '[0].constructor')).toBeNull();
    expect(runQuery([{}, { valueOf: 1 }], '[?valueOf]')).toEqual([{ valueOf: 1 }]);
  });

  it('is no usage error when it does not fit the data, since the request was sent', () => {
    const error = problem(() => runQuery([{ id: 'a' }], 'abs([0].id)'));
    expect(error.exitCode).toBe(1);
    expect(error.message).toContain('abs()');
  });
});
