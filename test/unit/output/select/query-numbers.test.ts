import { describe, expect, it } from 'vitest';
import { exactJson, parseJson } from '../../../../src/core/exact-json.js';
import { compileQuery } from '../../../../src/output/select/query.js';

const ITEMS = parseJson(
  '[{"id":"9007199254740993","n":9007199254740993},{"id":"b","n":9007199254740992},{"id":"c","n":12345678901234567891},{"id":"d","n":7}]',
);

describe('--query with numbers that JavaScript cannot represent', () => {
  it.each([
    ['[].n', '[9007199254740993,9007199254740992,12345678901234567891,7]'],
    ['[0].n', '9007199254740993'],
    ['[0]', '{"id":"9007199254740993","n":9007199254740993}'],
    ['[0].{a:n,b:[n]}', '{"a":9007199254740993,"b":[9007199254740993]}'],
    ['[?n>`8`].id', '["9007199254740993","b","c"]'],
    ['[?n==`12345678901234567891`].id', '["c"]'],
    ['max_by(@, &n).n', '12345678901234567891'],
    ['sort_by(@, &n)[-1].id', '"c"'],
    ['to_string([0].n)', '"9007199254740993"'],
    ['[2].to_string(@)', '"{\\"id\\":\\"c\\",\\"n\\":12345678901234567891}"'],
  ])('evaluates %s', (expression, expected) => {
    expect(exactJson(compileQuery(expression).run(ITEMS))).toBe(expected);
  });

  it('keeps them from page to page', () => {
    const query = compileQuery('max([].n)');
    const results = query.perItem?.run(ITEMS as readonly unknown[]) ?? [];
    expect(exactJson(query.rest?.(results))).toBe('12345678901234567891');
  });
});
