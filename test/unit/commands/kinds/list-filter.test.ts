import { expect, test } from 'vitest';
import { searchFilter } from '../../../../src/commands/kinds/list-filter.js';

test.each(['978-3-060 4', '9783060', 'TITLE 4'])('finds a book by %s', async (text) => {
  const book = { ean: '97830604', title: 'Title 4' };
  expect(await searchFilter(text, ['title', 'ean']).keep([book, { ean: '978', title: 'x' }])).toEqual([book]);
});

test('finds a hyphen only where one is', async () => {
  const book = { title: 'Title 4-5' };
  expect(await searchFilter('-', ['title']).keep([book, { title: 'x' }])).toEqual([book]);
});

test('finds nothing by an accent alone', () => {
  expect(() => searchFilter('´', ['title'])).toThrow('--search: "´" is nothing to look for');
});
