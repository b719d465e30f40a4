/** The exact output of YAML and Markdown. */
import { describe, expect, it } from 'vitest';
import { School } from '../../../../src/contract/schools.js';
import { number, object, text } from '../../../../src/contract/vocabulary.js';
import { parseJson } from '../../../../src/core/exact-json.js';
import { markdown } from '../../../../src/output/writers/markdown.js';
import { yaml } from '../../../../src/output/writers/yaml.js';
import { PLAIN } from './plain-layout.js';

describe('yaml', () => {
  const text = (items: readonly unknown[]): string => {
    const writer = yaml.list();
    return items.map((item) => writer.page([item])).join('') + writer.end();
  };

  it('writes a list as one sequence over any number of pages', () => {
    expect(
      text([
        {
          id: '0001',
          name: 'Zürich West',
          books: [{ id: 'b1', tags: ['a', 'b'] }, { id: 'b2' }],
          none: null,
          empty: [],
        },
        { id: '2', deep: { er: { still: true } }, count: 3, object: {} },
      ]),
    ).toBe(
      [
        '- id: "0001"',
        '  name: Zürich West',
        '  books:',
        '    - id: b1',
        '      tags:',
        '        - a',
        '        - b',
        '    - id: b2',
        '  none: null',
        '  empty: []',
        '- id: "2"',
        '  deep:',
        '    er:',
        '      still: true',
        '  count: 3',
        '  object: {}',
        '',
      ].join('\n'),
    );
    expect(text([])).toBe('[]\n');
    expect(text([parseJson('{"count":12345678901234567890,"list":[0.10000000000000000001,1]}')])).toBe(
      '- count: 12345678901234567890\n  list:\n    - 0.10000000000000000001\n    - 1\n',
    );
    expect(text([['a', ['b']], 'c', 4])).toBe('- - a\n  - - b\n- c\n- 4\n');
  });

  it.each([
    ['yes', '"yes"'],
    ['Null', '"Null"'],
    ['2026-12-31', '"2026-12-31"'],
    ['0x1f', '"0x1f"'],
    ['a: b', '"a: b"'],
    ['a #b', '"a #b"'],
    ['- a', '"- a"'],
    ['', '""'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['a\nb\t"c"\\', '"a\\nb\\t\\"c\\"\\\\"'],
    ['\u001b[2J\u202e', '"\\u001b[2J\\u202e"'],
    ['mia@s1.example', 'mia@s1.example'],
    ['true', '"true"'],
    ['=1+1', '"=1+1"'],
    ['E0', '"E0"'],
  ])('quotes %j, which YAML would read as something else', (value, written) => {
    expect(yaml.item(value)).toBe(`${written}\n`);
    expect(yaml.item({ [value]: value })).toBe(`${written}: ${written}\n`);
  });
});

describe('markdown', () => {
  const school = { id: 's1', name: 'A|B <b>*x*</b>\n[y](z)', country: 'CH', city: null, roles: [] };

  it('writes a list as a table whose cells are only text', () => {
    const writer = markdown.list(School, { ...PLAIN, fields: ['id', 'name', 'city'] });
    expect(writer.page([school]) + (writer.page([{ ...school, id: 's2', name: 'b' }]) as string) + writer.end()).toBe(
      [
        '| ID | Name | City |',
        '| --- | --- | --- |',
        '| s1 | A\\|B \\<b\\>\\*x\\*\\</b\\>\\\\n\\[y\\](z) |  |',
        '| s2 | b |  |',
        '',
      ].join('\n'),
    );
  });

  it('aligns numbers to the right, and leaves out a header', () => {
    const counted = object({ id: text('ID'), seats: number('seats') }, 'a row');
    expect(markdown.list(counted, PLAIN).page([{ id: 'a', seats: 2 }])).toContain('| --- | ---: |\n| a | 2 |\n');
    expect(markdown.item({ id: 'a' }, counted, { ...PLAIN, fields: ['id'], header: false })).toBe('| ID | a |\n');
  });

  it('mentions nobody and links nothing', () => {
    const names = {
      '@org/team': '@<!-- -->org/team',
      'see #12, org/x#3, !4 and GH-5': 'see \\#<!-- -->12, org/x\\#<!-- -->3, \\!<!-- -->4 and GH-<!-- -->5',
      'https://x.example/1 www.x.example': 'https:<!-- -->//x.example/1 www<!-- -->.x.example',
      'mia@s1.example': 'mia@s1.example',
    };
    const bare = markdown.list(School, { ...PLAIN, fields: ['name'], header: false });
    for (const [name, shown] of Object.entries(names)) expect(bare.page([{ name }])).toBe(`| ${shown} |\n`);
  });

  it('writes an item as a table of its fields', () => {
    expect(markdown.item(school, School, { ...PLAIN, fields: ['id', 'country'] })).toBe(
      '| Field | Value |\n| --- | --- |\n| ID | s1 |\n| Country | CH |\n',
    );
  });
});
