import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asShown, differenceFrom } from '../../../src/service/import-overrides.js';

const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'id', 'is', 'shows', '1'),
  fc.string({ maxLength: 3 }),
);

/** An object with any JSON, as it is read from a file, and with members named like inherited ones. */
const object = fc
  .array(fc.tuple(name, fc.jsonValue({ maxDepth: 3 })), { maxLength: 4 })
  .map((members): object => JSON.parse(JSON.stringify(Object.fromEntries(members))));

describe('asShown', () => {
  it('turns any item into any other', () => {
    fc.assert(
      fc.property(object, object, (ours, theirs) => {
        const difference = differenceFrom(ours, theirs);
        const shown = asShown(ours, difference);
        expect(Object.entries(shown).sort()).toEqual(Object.entries(theirs).sort());
        // Applying it again changes nothing.
        expect(asShown(shown, difference)).toEqual(shown);
      }),
    );
    expect(({} as Readonly<Record<string, unknown>>).value).toBeUndefined();
  });

  it('stores nothing if only the order of members differs', () => {
    expect(differenceFrom({ a: 1, b: [{ id: 'x' }] }, { b: [{ id: 'x' }], a: 1 })).toBe(undefined);
  });

  it('returns our value as soon as it changes, for each member', () => {
    const ours = { name: null, year: 1, books: [{ id: 'a', title: 'A' }], users: null };
    const theirs = { name: 5, books: [{ id: 'a', title: 'X', pages: 1 }], users: [], extra: { a: 1 } };
    const difference = differenceFrom(ours, theirs);
    const changed = { name: 'N', year: 2, users: ['u'] };
    expect(asShown({ ...ours, ...changed }, difference)).toEqual({ ...theirs, ...changed });
    const books = [...ours.books, { id: 'd', title: 'D' }];
    expect(asShown({ ...ours, books }, difference)).toEqual({ ...theirs, books });
  });

  it('stores values that nest deeper than SQLite can parse', () => {
    const deep: unknown = JSON.parse('['.repeat(2000) + ']'.repeat(2000));
    expect(asShown({ id: '1' }, differenceFrom({ id: '1' }, { id: '1', deep }))).toEqual({ id: '1', deep });
  });
});
