import { describe, expect, it } from 'vitest';
import type { Flag } from '../../../../src/cli/command.js';
import { flagsFor } from '../../../../src/cli/flags-from-fields.js';
import { changedList, filled, idsOf, merged } from '../../../../src/commands/kinds/request-body.js';
import { books } from '../../../../src/contract/books.js';
import { getPath } from '../../../../src/core/json.js';

const flags: readonly Flag[] = flagsFor('body', books.update.body, {
  stream: { name: 'level' },
  language: { name: 'content-language' },
});

const present = {
  id: 'B1',
  ean: '0001',
  title: 'Old',
  year: 7,
  level: 'Basic',
  series: null,
  subject: { id: 'S1', translatedName: 'Maths' },
  type: { name: 'Guide', translatedName: 'Guide' },
  settings: { indexPageNumber: 3, pageNumberOffset: 0 },
};

describe('the body of an update', () => {
  it('keeps values that were not given, under the field names of the request', () => {
    const { body, problems } = merged(flags, { title: 'New', 'content-language': 'DE' }, present, new Set());
    expect(problems).toEqual([]);
    expect(body).toEqual({
      ean: '0001',
      title: 'New',
      year: 7,
      stream: 'Basic',
      subject: 'S1',
      type: 'Guide',
      language: 'DE',
      settings: { indexPageNumber: 3, pageNumberOffset: 0 },
    });
  });
  it('replaces one nested value and keeps the others', () => {
    const { body } = merged(flags, { 'index-page-number': 9 }, present, new Set());
    expect(body.settings).toEqual({ indexPageNumber: 9, pageNumberOffset: 0 });
  });
  it('names a required field without a value', () => {
    const { problems } = merged(flags, {}, { ...present, title: null }, new Set(['title']));
    expect(problems.map(({ where }) => where)).toEqual(['--title']);
  });
});

describe('lists in an update', () => {
  it('replaces, adds and removes, in order and without duplicates', () => {
    expect(changedList(['a', 'b'], undefined, ['c', 'a'], ['b'])).toEqual(['a', 'c']);
    expect(changedList(['a', 'b'], ['x'], [], [])).toEqual(['x']);
    expect(changedList(['a'], [], [], [])).toEqual([]);
  });
  it('reads IDs from objects and plain IDs', () => {
    expect(idsOf([{ id: '1', name: 'x' }, '2'])).toEqual(['1', '2']);
    expect(idsOf(null)).toEqual([]);
    expect(idsOf([{ id: 7 }, 8])).toEqual(['7', '8']);
  });
  it('refuses a list in which an ID is missing', () => {
    for (const odd of [undefined, {}, 'r1', [{ id: 'r1' }, { name: 'x' }], [{ id: 'r1' }, null], [{ id: null }]]) {
      expect(idsOf(odd)).toBeUndefined();
    }
  });
});

describe('paths', () => {
  it('reads only own members', () => {
    expect(getPath({ a: { b: 1 } }, 'a.b')).toBe(1);
    expect(getPath({}, 'constructor.name')).toBeUndefined();
    expect(getPath(null, 'a')).toBeUndefined();
  });
  it('sets nested fields', () => {
    expect(filled('body', flags, { 'page-number-offset': 2, level: 'X' })).toEqual({
      stream: 'X',
      settings: { pageNumberOffset: 2 },
    });
  });
});
