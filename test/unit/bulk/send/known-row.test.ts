/** Which codes of a plan are looked up one by one. */
import { expect, test } from 'vitest';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import { codeProbe } from '../../../../src/bulk/send/known-row.js';
import type { Client } from '../../../../src/client/request/client.js';
import { licenses } from '../../../../src/contract/licenses.js';

const write = (code: string, hasOwnKey = false): RowWrite => ({
  endpoint: licenses.create,
  input: { body: { type: 'Teacher', code } },
  hasOwnKey,
});

/** A client whose lists show some codes. */
const showing = (listed: readonly string[]): Client =>
  ({
    async *pages() {
      yield listed.map((code) => ({ code }));
    },
  }) as unknown as Client;

test.each([
  ['a code of 51 rows that a user gave', 51, write('a'), true],
  ['a derived code of 50 rows', 50, write('a', true), true],
  ['a listed derived code of 51 rows', 51, write('c7', true), true],
  ['another derived code of 51 rows', 51, write('a', true), false],
])('%s may be taken or not', async (_, rows, one, mayBeTaken) => {
  expect(await codeProbe(showing(['c7']), rows)(one)).toBe(mayBeTaken);
});
