import { describe, expect, it } from 'vitest';
import type { Flag, Values } from '../../../../src/cli/command.js';
import { flagsFor } from '../../../../src/cli/flags-from-fields.js';
import { idsOf } from '../../../../src/client/references/id-in.js';
import { merged } from '../../../../src/commands/kinds/request-body.js';
import { books } from '../../../../src/contract/books.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { readers } from '../../../../src/contract/readers.js';
import { getPath } from '../../../../src/core/json.js';

const flags: readonly Flag[] = flagsFor('body', books.update.body, {
  stream: { name: 'level' },
  language: { name: 'content-language' },
});

const fields = books.update.body;

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
  it('replaces one nested value and keeps the others', () => {
    const { body } = merged(flags, fields, { 'index-page-number': 9 }, present);
    expect(body.settings).toEqual({ indexPageNumber: 9, pageNumberOffset: 0 });
  });
  it('names optional fields that the service does not show, unless they are blank or given', () => {
    const unseenIn = (item: object, values: Values = {}) => merged(flags, fields, values, item).unseen;
    expect(unseenIn(present)).toEqual(['second-subject']);
    expect(unseenIn({ ...present, secondSubject: null, settings: null })).toEqual([]);
    const { series: _, ...rest } = { ...present, settings: { indexPageNumber: 3 } };
    expect(unseenIn(rest, { 'second-subject': 'S2' })).toEqual(['series', 'page-number-offset']);
  });
  it('leaves the PDF of a reader out, which an update keeps', () => {
    const { update } = readers;
    const item = { title: 'R', subject: { id: 'S1' }, pdfDownloadable: null, settings: null };
    expect(merged(flagsFor('body', update.body), update.body, {}, item).unseen).toEqual([]);
  });
});

describe('lists in an update', () => {
  const LICENCE_FLAGS = flagsFor('body', licenses.update.body);
  const booksAfter = (values: Values, shown: object) =>
    merged(LICENCE_FLAGS, licenses.update.body, values, shown).body.books;

  it('refuses to remove what is added or given', () => {
    const shown = { type: 'Books', books: [{ id: 'a' }] };
    expect(() => booksAfter({ 'add-books': ['b'], 'remove-books': ['b'] }, shown)).toThrow('contradicts --add-books b');
    expect(() => booksAfter({ books: ['a', 'b'], 'remove-books': ['a'] }, shown)).toThrow('contradicts --books a');
  });

  it('replaces, adds and removes, in order and without duplicates', () => {
    const shown = { type: 'Books', books: [{ id: 'a' }, { id: 'b' }] };
    expect(booksAfter({ 'add-books': ['c', 'a'], 'remove-books': ['b'] }, shown)).toEqual(['a', 'c']);
    expect(booksAfter({ books: ['x'] }, shown)).toEqual(['x']);
    expect(booksAfter({ books: [] }, shown)).toEqual([]);
  });
  it('omits a blank list unless the item needs one', () => {
    expect(booksAfter({}, { type: 'Teacher', books: [] })).toBeUndefined();
    expect(booksAfter({}, { type: 'Books', books: [] })).toEqual([]);
  });
  it('names a list that the service does not return, if the item needs one', () => {
    const problemsWith = (shown: object) => merged(LICENCE_FLAGS, licenses.update.body, {}, shown).problems;
    expect(problemsWith({ type: 'Books', books: null })).toContainEqual(expect.objectContaining({ where: '--books' }));
    expect(problemsWith({ type: 'Teacher' })).not.toContainEqual(expect.objectContaining({ where: '--books' }));
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
});
