/** Which codes of a plan are looked up one by one. */
import { expect, test } from 'vitest';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import { codeProbe } from '../../../../src/bulk/send/known-row.js';
import type { Client } from '../../../../src/client/request/client.js';
import { licenses } from '../../../../src/contract/licenses.js';

const write = (code: string, hasOwnKey = false, type = 'Teacher'): RowWrite => ({
  endpoint: licenses.create,
  input: { body: { type, code } },
  hasOwnKey,
});

/** A client whose lists of each type show a code. */
const client = {
  async *pages(_: unknown, { query }: { query: { type: string; language: unknown } }) {
    yield [{ code: `${query.type} ${query.language}` }];
  },
} as unknown as Client;

test.each([
  ['a code of 51 rows that a user gave', 51, write('a'), true],
  ['a derived code of 50 rows', 50, write('a', true), true],
  ['a listed derived code of 51 rows', 51, write('TEACHER undefined', true), true],
  ['a derived code of 51 rows that is listed for another type', 51, write('BOOKS undefined', true), false],
  ['a listed derived code of books', 51, write('BOOKS undefined', true, 'Books'), true],
  ['another derived code of 51 rows', 51, write('a', true), false],
])('%s may be taken or not', async (_, rows, one, mayBeTaken) => {
  expect(await codeProbe(client, rows)(one)).toBe(mayBeTaken);
});
