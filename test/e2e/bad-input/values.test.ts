/** Values that are of the wrong type, too long or blank, and how they are shown. */
import { expect, test } from 'vitest';
import { BOOK_LICENCE, DE_BOOK, LONG, refused, TEACHER, table, USER } from './refused.js';

table('numbers, days and texts of the wrong kind', [
  ['licenses list --limit ten', '--limit', '"ten"', 'whole number'],
  ['licenses list --limit 0', '--limit', '0', 'at least 1'],
  ['licenses list --limit 1.5', '--limit', '"1.5"'],
  ['licenses list --limit 99999999999999999999', '--limit', '99999999999999999999', 'too large'],
  ['licenses list --limit', '--limit'],
  ['licenses list --page-size 0', '--page-size', 'at least 1'],
  ['licenses list --retries -1', '--retries', '-1'],
  ['licenses list --timeout soon', '--timeout', '"soon"', '30s'],
  ['licenses list --timeout 0', '--timeout', '"0"'],
  ['licenses list --base-url nope', '--base-url', '"nope"'],
  ['licenses list --base-url ftp://files.example', '--base-url', 'ftp'],
  [`${BOOK_LICENCE} --days 31`, '--days', '"31"', '30, 90, 365, 455, 820, 1095, 1185, 1550 or 3650'],
  [`${BOOK_LICENCE} --days many`, '--days', '"many"'],
  [`${BOOK_LICENCE} --until 2030-02-30`, '--until', '"2030-02-30"'],
  [`${BOOK_LICENCE} --until 31-01-2030`, '--until', '"31-01-2030"', 'yyyy-MM-dd'],
  ['users modified --date monday', '--date', '"monday"', 'yyyy-MM-dd'],
  [`${TEACHER} --code ABC`, '--code', '"ABC"', 'lowercase'],
  [`${TEACHER} --code ''`, '--code', '""'],
  [`${TEACHER} --code 'a b'`, '--code', '"a b"'],
  [`${TEACHER} --name Winter`, '--name', '2 times'],
  ['licenses update l1 --maximum-activations x', '--maximum-activations', '"x"'],
  [
    'subscriptions create --maximum-activations 0 --expiration-date 2030-01-01',
    '--maximum-activations',
    'at least 1, not 0',
  ],
  ['schools create --name N --country NLD --city C', '--country', '"NLD"', 'ISO 3166-1'],
  ['users create --last-name Smit --email nobody --first-name A', '--email', '"nobody"'],
  [`${DE_BOOK} --index-page-number x`, '--index-page-number', '"x"'],
  ['api /v1/x -f novalue', '--raw-field must be KEY=VALUE', 'has no "="'],
  ['api /v1/x -H nocolon', '--request-header must be KEY:VALUE', 'has no ":"'],
  ["api /v1/x -H 'Authorization: Bearer x'", 'authorization', 'EDU_TOKEN'],
]);

table('texts that are blank or too long', [
  ["publishers create --name ''", '--name must not be empty'],
  ["publishers update p1 --name ' '", '--name must not be empty'],
  [`publishers create --name ${LONG}`, '--name', '50', '51', LONG],
  [`${USER} --first-name ${LONG}`, '--first-name', '50'],
  [`end-users update e1 --first-name A --last-name B --email ${'x'.repeat(45)}@b.example`, '--email', '50', '55'],
]);

test('shows a hostile value without control characters', async () => {
  const { stderr } = await refused(['licenses', 'list', '--type', '\x1b[2J\u202e\nBOOKS']);
  expect(stderr).toContain('"\\x1b[2J\\u202e\\nBOOKS"');
});

test('prints the error as one JSON object on stderr with --json', async () => {
  const { stderr } = await refused(['licenses', 'create', '--type', 'Books', '--days', '31', '--json']);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      kind: 'usage',
      message: expect.stringContaining('"31"'),
      status: null,
      method: null,
      path: null,
      requestId: null,
      hint: 'See: edu licenses create --help',
      details: [{ where: '--days', message: expect.stringContaining('must be 30, 90') }],
    },
  });
});
