/** Pages whose items are not parsed: what is found in the text is what parsing it would give. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageScanner, pageScanner } from '../../../../src/client/request/page-scanner.js';
import { licenses } from '../../../../src/contract/licenses.js';
import type { Field } from '../../../../src/contract/vocabulary.js';
import { exactJson, JsonText, parseJson } from '../../../../src/core/exact-json.js';
import { EXPORTED, keyReader, RESOURCES } from '../../../../src/export/collect/resources.js';
import { canonicalWriter } from '../../../../src/export/files/canonical.js';

const Licence = licenses.list.list.of;

function scannerOf(key: string, of: Field): PageScanner {
  const scan = pageScanner(key, of);
  if (scan === undefined) throw new Error(`${key} has items without an ID`);
  return scan;
}

const pageOf = (key: string, items: readonly string[]): string =>
  `{"${key}":[${items.join(',')}],"paging":{"nextCursor":"next"}}`;

const parsed = (item: unknown): unknown => (item instanceof JsonText ? parseJson(item.text) : item);

/** Any value of a field: also missing members, null, and lists of several elements. */
function anyOf({ fields, of }: Field): fc.Arbitrary<unknown> {
  const inner: fc.Arbitrary<unknown> =
    of !== undefined
      ? fc.array(anyOf(of), { maxLength: 2 })
      : fields !== undefined
        ? fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, anyOf(field)])), {
            requiredKeys: [],
            noNullPrototype: true,
          })
        : fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.double());
  return fc.oneof({ weight: 9, arbitrary: inner }, { weight: 1, arbitrary: fc.constant(null) });
}

describe('the items of a page', () => {
  for (const resource of RESOURCES) {
    const exported = EXPORTED[resource];
    const { key, of } = exported.list?.list ?? {};
    if (typeof key !== 'string' || of === undefined || pageScanner(key, of) === undefined) continue;
    it(`are the lines of an export, with their keys: ${resource}`, () => {
      const line = canonicalWriter(exported.shape);
      const keyOf = keyReader(resource);
      fc.assert(
        fc.property(fc.array(anyOf(of), { minLength: 1, maxLength: 3 }), (values) => {
          const objects = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
          const { items = [] } = scannerOf(key, of)(pageOf(key, objects)) ?? {};
          const wanted = objects.map((text) => parseJson(text));
          expect(items.map(line)).toEqual(wanted.map(line));
          expect(items.map(keyOf)).toEqual(wanted.map(keyOf));
          expect(items.map(parsed)).toEqual(wanted);
        }),
        { numRuns: 50 },
      );
    });
  }

  it('are not parsed if they are as they would be printed', () => {
    const text = '{"id":"1","name":"Grün \\"A\\" 7\\n","books":[{"id":"b","ean":null}],"maximumActivations":30}';
    expect(scannerOf('licenses', Licence)(pageOf('licenses', [text, '{"id":"2"}']))).toEqual({
      items: [new JsonText('1', text), new JsonText('2', '{"id":"2"}')],
      envelope: { licenses: [], paging: { nextCursor: 'next' } },
    });
  });

  it.each([
    ['a number that JavaScript cannot hold', '{"id":"1","maximumActivations":12345678901234567890}'],
    ['a fraction', '{"id":"1","maximumActivations":1.0}'],
    ['minus zero', '{"id":"1","maximumActivations":-0}'],
    ['an escape that is not needed', '{"id":"1","name":"Gr\\u00fcn \\/"}'],
    ['space', '{ "id": "1" }'],
    ['another order of keys', '{"name":"A","id":"1"}'],
    ['a key twice', '{"id":"1","id":"2"}'],
    ['an unknown field', '{"id":"1","colour":"red"}'],
    ['several elements of a set', '{"id":"1","books":[{"id":"b2"},{"id":"b1"}]}'],
    ['a numeric ID', '{"id":17}'],
    ['no ID', '{"name":"A"}'],
    ['braces in a text', '{"name":"}]{\\"","id":"1"}'],
  ])('are parsed alone: %s', (_, text) => {
    const scan = scannerOf('licenses', Licence);
    const found = scan(pageOf('licenses', ['{"id":"0"}', text, '{"id":"3"}']));
    expect(found?.items[1]).toEqual(parseJson(text));
    expect(exactJson(found?.items[1])).toBe(exactJson(parseJson(text)));
    expect([found?.items[0], found?.items[2]]).toEqual([
      new JsonText('0', '{"id":"0"}'),
      new JsonText('3', '{"id":"3"}'),
    ]);
  });

  it('are those of a parsed page, or none, whatever is broken in the text', () => {
    const page = pageOf('licenses', [
      '{"id":"1","name":"A","books":[{"id":"b"}]}',
      '{"id":"2","maximumActivations":30}',
    ]);
    const scan = scannerOf('licenses', Licence);
    const unit = fc.constantFrom('', '"', '\\', ',', ':', '{', '}', '[', ']', ' ', '0', 'x', '\u0001', '\ud800');
    fc.assert(
      fc.property(fc.nat(page.length), fc.nat(2), unit, (at, dropped, put) => {
        const text = page.slice(0, at) + put + page.slice(at + dropped);
        const found = scan(text);
        if (found === undefined) return;
        const { licenses: items, ...envelope } = parseJson(text) as Record<string, unknown>;
        expect(found.items.map(parsed)).toEqual(items);
        expect(found.envelope).toEqual({ licenses: [], ...envelope });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a page that is parsed as a whole', () => {
  const scan = (text: string) => scannerOf('licenses', Licence)(text);
  it.each([
    ['another member first', '{"paging":{},"licenses":[{"id":"1"}]}'],
    ['space between items', '{"licenses":[{"id":"1"}, {"id":"2"}]}'],
    ['the list twice', '{"licenses":[{"id":"1"}],"licenses":[{"id":"2"}]}'],
    ['an item that is no object', '{"licenses":["1"]}'],
    ['a comma too many', '{"licenses":[{"id":"1"},]}'],
    ['cut off', '{"licenses":[{"id":"1"},{"id":'],
    ['millions of line breaks in a name', `{"licenses":[{"id":"1","name":"${'\\n'.repeat(6_000_000)}"}]}`],
  ])('has %s', (_, text) => {
    expect(scan(text)).toBeUndefined();
  });

  it('follows one whose items were mostly parsed', () => {
    const one = scannerOf('licenses', Licence);
    expect(one('{"licenses":[{"name":"A","id":"1"}]}')?.items).toEqual([{ name: 'A', id: '1' }]);
    expect(one('{"licenses":[{"id":"1"}]}')).toBeUndefined();
  });

  it('does not follow an empty one', () => {
    const one = scannerOf('licenses', Licence);
    expect(one('{"licenses":[]}')?.items).toEqual([]);
    expect(one('{"licenses":[{"id":"1"}]}')?.items).toHaveLength(1);
  });
});
