import { describe, expect, it } from 'vitest';
import { Licence } from '../../../../src/contract/licenses.js';
import { any } from '../../../../src/contract/vocabulary.js';
import { exactJson, parseJson } from '../../../../src/core/exact-json.js';
import { fieldNames, knownField, picker, valueReader } from '../../../../src/output/select/fields.js';
import { shapeOf } from '../../../../src/output/writers/records.js';
import { problem } from '../problem.js';

const licence = {
  id: '007',
  name: 'Autumn',
  books: [
    { id: 'b1', ean: '0012', title: 'Maths' },
    { id: 'b2', ean: '0013', title: 'Atlas' },
  ],
  expiration: { type: 'Days', days: 365, date: null },
  organization: { id: 'o1', type: 'School' },
  addedLater: { deep: [1, { x: null }] },
};

describe('names of fields', () => {
  it.each([
    ['name', 'name'],
    ['maximum-activations', 'maximumActivations'],
    ['MAXIMUMACTIVATIONS', 'maximumActivations'],
    ['organization.ID', 'organization.id'],
  ])('%s means %s', (typed, name) => {
    expect(knownField(typed, Licence, '--fields')).toBe(name);
  });

  it.each(['-name', 'name.', '.name', 'na.me.'])('do not include %s', (typed) => {
    expect(problem(() => knownField(typed, Licence, '--fields')).hint).toContain('name');
  });

  it('may be anything if the API document shows no shape', () => {
    expect(knownField('whatever.it.is', any('an answer'), '--fields')).toBe('whatever.it.is');
  });
});

describe('values at a path', () => {
  it.each([
    ['id', '007'],
    ['organization.type', 'School'],
    ['books.title', ['Maths', 'Atlas']],
    ['expiration.date', null],
    ['missing', undefined],
    ['name.length', undefined],
    ['constructor', undefined],
    ['organization.toString', undefined],
  ])('%s is %j', (path, value) => {
    expect(valueReader(path.split('.'))(licence)).toEqual(value);
  });
});

it('reads a plain ID in place of an object as its ID', () => {
  expect(valueReader(['id'])('u1')).toBe('u1');
  expect(valueReader(['id'])(17)).toBe(17);
  expect(valueReader(['id'])({ userId: 'u1' })).toBe('u1');
  expect(valueReader(['id'])({ user: { id: 'u1' } })).toBe('u1');
  expect(valueReader(['id'])({ id: null, userId: 'u1' })).toBeNull();
  expect(valueReader(['id'])({ name: 'u1' })).toBeUndefined();
  expect(valueReader(['organization', 'id'])({ organization: 'o1', roles: ['r1', 'r2'] })).toBe('o1');
  expect(valueReader(['roles', 'id'])({ roles: ['r1', { id: 'r2' }] })).toEqual(['r1', 'r2']);
  expect(valueReader(['name'])('u1')).toBeUndefined();
});

describe('selecting fields', () => {
  it('keeps large numbers as they were read', () => {
    const item = parseJson('{"id":"1","count":12345678901234567890,"deep":{"n":9007199254740993,"m":1}}');
    expect(exactJson(picker(['count', 'deep.n'])(item))).toBe(
      '{"count":12345678901234567890,"deep":{"n":9007199254740993}}',
    );
    expect(exactJson(picker(['deep'])([item]))).toBe('[{"deep":{"n":9007199254740993,"m":1}}]');
  });

  it('selects the whole object if one of its fields is requested, too', () => {
    expect(picker(['organization.id', 'organization'])(licence)).toEqual({
      organization: { id: 'o1', type: 'School' },
    });
    expect(picker(['organization', 'organization.id'])(licence)).toEqual({
      organization: { id: 'o1', type: 'School' },
    });
  });

  it('handles names that objects inherit', () => {
    const hostile = JSON.parse('{"__proto__":{"x":1},"constructor":2}');
    expect(JSON.stringify(picker(['__proto__', 'constructor', 'toString'])(hostile))).toBe(
      '{"__proto__":{"x":1},"constructor":2,"toString":null}',
    );
  });
});

describe('the shape of unknown data', () => {
  it('has every field that occurs, in the order first seen', () => {
    const shape = shapeOf([{ id: 'a', at: { day: 'x' } }, { id: 'b', count: 2 }, null]);
    expect(fieldNames(shape)).toEqual(['id', 'at', 'at.day', 'count']);
    expect(shape.fields?.count?.kind).toBe('number');
  });

  it.each([
    [[], 'any'],
    [['a', 'b'], 'text'],
    [[1, 'b'], 'any'],
    [[{ a: 1 }, 'b'], 'any'],
    [[['a'], ['b']], 'list'],
    [[true], 'boolean'],
  ])('of %j is %s', (values, kind) => {
    expect(shapeOf(values).kind).toBe(kind);
  });
});
