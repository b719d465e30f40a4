import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asShown, differenceAbout, differenceFrom } from '../../../src/service/import-overrides.js';

const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'id', 'is', 'shows', '1'),
  fc.string({ maxLength: 3 }),
);

/** Any JSON, with lists of items with IDs, and members named like inherited ones. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'a', 'b'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(tie('json'), { maxLength: 3 }).map((list) => list.map((value, index) => ({ id: `i${index % 3}`, value }))),
    fc.array(fc.tuple(name, tie('json')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
}));

/** The same with members by name, and with lists whose entries have IDs sorted: their order is not kept. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.entries(value)
      .map(([key, one]) => [key, ordered(one)])
      .sort();
  }
  const keys = value.map((one) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one));
  const isKeyed = keys.every((key) => typeof key === 'string') && new Set(keys).size === keys.length;
  const list = value.map(ordered);
  return isKeyed ? list.map((one) => JSON.stringify(one)).sort() : list;
}

describe('asShown', () => {
  it('turns any value into any other', () => {
    fc.assert(
      fc.property(json, json, (ours, theirs) => {
        const difference = differenceFrom(ours, theirs);
        expect(ordered(asShown(ours, difference))).toEqual(ordered(theirs));
        // Applying it again changes nothing.
        expect(ordered(asShown(asShown(ours, difference), difference))).toEqual(ordered(theirs));
      }),
    );
    expect(({} as Readonly<Record<string, unknown>>).value).toBeUndefined();
  });

  it('stores nothing if only the order differs', () => {
    expect(differenceFrom({ a: 1, b: [{ id: 'x' }, { id: 'y' }] }, { b: [{ id: 'y' }, { id: 'x' }], a: 1 })).toBe(
      undefined,
    );
  });

  it('returns our value as soon as it changes, for each member and each entry', () => {
    const ours = {
      name: null,
      year: 1,
      books: [
        { id: 'a', title: 'A' },
        { id: 'b', title: 'B' },
      ],
      users: null,
    };
    const theirs = { name: 5, books: [{ id: 'a', title: 'X', pages: 1 }, { id: 'c' }], users: [], extra: { a: 1 } };
    const difference = differenceFrom(ours, theirs);
    expect(asShown({ ...ours, name: 'N', year: 2, users: ['u'] }, difference)).toEqual({
      ...theirs,
      name: 'N',
      year: 2,
      users: ['u'],
    });
    const books = [
      { id: 'a', title: 'New' },
      { id: 'd', title: 'D' },
    ];
    expect(asShown({ ...ours, books }, difference)).toEqual({
      ...theirs,
      books: [{ id: 'a', title: 'New', pages: 1 }, { id: 'd', title: 'D' }, { id: 'c' }],
    });
  });

  it('stores values that nest deeper than SQLite can parse', () => {
    const deep: unknown = JSON.parse('['.repeat(2000) + ']'.repeat(2000));
    expect(asShown({ id: '1' }, differenceFrom({ id: '1' }, { id: '1', deep }))).toEqual({ id: '1', deep });
  });
});

it('differenceAbout keeps the differences of the given members', () => {
  const [ours, theirs] = [
    { a: 1, b: 1 },
    { a: 2, b: 2, c: 2 },
  ];
  const difference = differenceFrom(ours, theirs);
  expect(asShown(ours, differenceAbout(difference, ['b']))).toEqual({ a: 1, b: 2 });
  expect(differenceAbout(difference, ['d'])).toBeUndefined();
  expect(differenceAbout(undefined, ['a'])).toBeUndefined();
});
