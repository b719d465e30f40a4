import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { list, object, text } from '../../../../src/contract/vocabulary.js';
import { fieldChanges } from '../../../../src/export/diff/field-changes.js';
import { canonicalWriter } from '../../../../src/export/files/canonical.js';

const shape = object(
  { id: text(''), roles: list(object({ id: text(''), name: text('') }, ''), ''), name: text('') },
  '',
);
const write = canonicalWriter(shape);

describe('canonical lines', () => {
  it('have known keys in the order of the shape, at every depth', () => {
    expect(write({ name: 'n', roles: [{ name: 'a', id: '1' }], id: 'i' })).toBe(
      '{"id":"i","roles":[{"id":"1","name":"a"}],"name":"n"}',
    );
  });
  it('have unknown keys after them, sorted', () => {
    expect(write(JSON.parse('{"z":{"b":1,"a":[{"d":1,"c":2}]},"10":1,"9":2,"__proto__":3,"id":"i"}'))).toBe(
      '{"id":"i","10":1,"9":2,"__proto__":3,"z":{"a":[{"c":2,"d":1}],"b":1}}',
    );
  });
  it('are the same data, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (item) => {
        const turned = Object.fromEntries(Object.entries(item).reverse());
        expect(write(turned)).toBe(write(item));
        expect(JSON.parse(write(item))).toEqual(JSON.parse(JSON.stringify(item)));
      }),
    );
  });
});

describe('lists within items', () => {
  const ofSets = object(
    {
      id: text(''),
      users: list(text(''), ''),
      roles: list(object({ id: text(''), rights: list(object({ on: text('') }, ''), '') }, ''), ''),
    },
    '',
  );
  const writeSets = canonicalWriter(ofSets);
  it('keep elements of the same name, ordered by all their fields', () => {
    const twice = [
      { id: 'a', z: 2 },
      { id: 'a', z: 1 },
    ];
    const line = '{"roles":[{"id":"a","z":1},{"id":"a","z":2}]}';
    expect([{ roles: twice }, { roles: [...twice].reverse() }].map(writeSets)).toEqual([line, line]);
  });
  it('keep their order if they are not in the contract', () => {
    expect(writeSets({ id: 'i', pages: [3, 1, 2], users: null })).toBe('{"id":"i","users":null,"pages":[3,1,2]}');
  });
});

describe('changes of fields', () => {
  it('are named by their paths, elements of lists by their ids', () => {
    const before = { id: '1', a: { b: 1, c: 2 }, roles: [{ id: 'x', name: 'X' }, { id: 'y' }], users: ['u1', 'u2'] };
    const after = { id: '1', a: { b: 1, c: 3 }, roles: [{ id: 'x', name: 'Z' }], users: ['u2', 'u3'], n: null };
    expect(fieldChanges(before, after)).toEqual([
      { path: 'a.c', before: 2, after: 3 },
      { path: 'roles[x].name', before: 'X', after: 'Z' },
      { path: 'roles[y]', before: { id: 'y' }, after: undefined },
      { path: 'users[u1]', before: 'u1', after: undefined },
      { path: 'users[u3]', before: undefined, after: 'u3' },
      { path: 'n', before: undefined, after: null },
    ]);
  });
  it('of lists whose elements are rights are named by resource and operation', () => {
    const right = (operation: string, on: boolean) => ({ resource: 'users', operation, on });
    const [before, after] = [false, true].map((on) => ({ rights: [right('read', true), right('write', on)] }));
    expect(fieldChanges({ ...before }, { ...after })).toEqual([
      { path: 'rights[users write].on', before: false, after: true },
    ]);
    const nameless = [{ operation: 'read', on: 1 }];
    expect(fieldChanges({ l: nameless }, { l: [] })).toEqual([{ path: 'l', before: nameless, after: [] }]);
  });
  it('show whole lists if only their order changed, or elements have no ID', () => {
    expect(fieldChanges({ l: ['a', 'b'] }, { l: ['b', 'a'] })).toEqual([
      { path: 'l', before: ['a', 'b'], after: ['b', 'a'] },
    ]);
    expect(fieldChanges({ l: [{ x: 1 }] }, { l: [{ x: 2 }] })).toEqual([
      { path: 'l', before: [{ x: 1 }], after: [{ x: 2 }] },
    ]);
  });
});
