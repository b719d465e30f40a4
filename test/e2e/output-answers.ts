/** The responses whose output is tested. */
import { run } from '../support/run.js';
import { type Answers, existing, scriptedService } from '../support/scripted-service.js';

export const AUTUMN = {
  id: '0001',
  name: 'Autumn',
  code: 'autumn001',
  type: 'Books',
  books: [{ id: 'b1', ean: '0000000000123', title: 'Algebra 7' }],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 30,
  numberOfActivations: 7,
  organization: { id: 'd1', type: 'Distributor' },
  licenseCategory: null,
  endUsers: [],
};
export const TOKYO = {
  ...AUTUMN,
  id: '00020000000000000002',
  name: 'Número dos 東京',
  code: '000123',
  books: [],
  expiration: { type: 'Date', days: null, date: '2030-07-31' },
};
/** Has a field that is not in the contract. */
export const STAFF = {
  ...AUTUMN,
  id: '3',
  name: 'Staff',
  code: 'staff',
  type: 'Teacher',
  books: [],
  expiration: null,
  more: { a: [1, null] },
};
export const CREATED = { ...AUTUMN, books: [{ id: 'b1', ean: '0000000000123', name: 'Algebra 7' }] };

export const ANSWERS: Answers = {
  'GET /v1/licenses': ({ query }) => ({
    body: { licenses: query.type === 'BOOKS' ? [AUTUMN, TOKYO] : [STAFF], paging: { nextCursor: null } },
  }),
  'GET /v1/licenses/0001': { body: AUTUMN },
  'POST /v1/licenses': { body: CREATED },
  ...existing('books/b1'),
  'GET /v1/licenses/nope': { status: 404, body: { message: 'no such licence' } },
  'GET /v1/schools': { body: { schools: [], paging: { nextCursor: null } } },
};

export const LIST = ['licenses', 'list'];
export const GET = ['licenses', 'get', '0001'];
export const CREATE = [
  ...['licenses', 'create', '--name', 'Autumn', '--type', 'Books', '--book', 'b1', '--days', '365'],
  ...['--maximum-activations', '30', '--code', 'autumn001'],
];
export const FAIL = ['licenses', 'get', 'nope'];
export const FAILURE =
  'Cannot get licence nope: no licence has the ID, code or name "nope" (looked in your organization only).';
export const HINT = 'See: edu licenses list';

export async function edu(argv: readonly string[], terminal?: number, env: Record<string, string> = {}) {
  const service = await scriptedService(ANSWERS);
  return run(argv, { env: { ...service.env, ...env }, ...(terminal === undefined ? {} : { terminal }) });
}

export const lines = (...text: string[]): string => text.map((line) => `${line}\n`).join('');
