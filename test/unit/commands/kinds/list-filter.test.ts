import { expect, test } from 'vitest';
import { searchFilter } from '../../../../src/commands/kinds/list-filter.js';

test.each(['978-3-060 4', '9783060', 'TITLE 4'])('finds a book by %s', async (text) => {
  const book = { ean: '97830604', title: 'Title 4' };
  expect(await searchFilter(text, ['title', 'ean']).keep([book, { ean: '978', title: 'x' }])).toEqual([book]);
});

test('finds a number with and without hyphens, and keeps its leading zeros', async () => {
  const books = [{ ean: '978-3-0604' }, { ean: '97830604' }, { ean: '4', title: '978 x' }];
  for (const text of ['97830604', '978\u20113\u20110604'])
    expect(await searchFilter(text, ['ean']).keep(books)).toEqual(books.slice(0, 2));
  expect(await searchFilter('04', ['ean', 'title']).keep([...books, { ean: '40' }])).toEqual(books.slice(0, 2));
});

test('finds a hyphen only where one is', async () => {
  const book = { title: 'Title 4-5' };
  expect(await searchFilter('-', ['title']).keep([book, { title: 'x' }])).toEqual([book]);
});

test('finds nothing by an accent alone', () => {
  expect(() => searchFilter('´', ['title'])).toThrow('--search: "´" is nothing to look for');
});
