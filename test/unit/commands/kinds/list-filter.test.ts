import { expect, test } from 'vitest';
import { searchFilter } from '../../../../src/commands/kinds/list-filter.js';

test.each(['978-3-060 4', '9783060', 'TITLE 4'])('finds a book by %s', async (text) => {
  const book = { ean: '97830604', title: 'Title 4' };
  expect(await searchFilter(text, ['title', 'ean']).keep([book, { ean: '978', title: 'x' }])).toEqual([book]);
});
