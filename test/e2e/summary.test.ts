/** `licenses summary`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';

const licence = (id: string, more: Record<string, unknown>): Record<string, unknown> => ({
  id,
  name: `Licence ${id}`,
  code: `code${id}`,
  type: 'Books',
  books: [{ id: 'b1', ean: '1', title: 'Algebra' }],
  expiration: { type: 'Date', days: null, date: '2026-12-31' },
  maximumActivations: 10,
  numberOfActivations: 0,
  organization: { id: 's1', type: 'School' },
  licenseCategory: '01',
  endUsers: [],
  ...more,
});

const HOSTILE = '</style><script>alert(1)</script>"\u202e\u001b[31m<img src=x onerror=alert(1)>';
const BOTH = [
  { id: 'b1', ean: '1', title: 'Algebra' },
  { id: 'b2', ean: '2', title: HOSTILE },
];
const LISTED = {
  BOOKS: [
    licence('1', { numberOfActivations: 10, endUsers: [{ id: 'u1', firstName: 'A', lastName: 'B', email: null }] }),
    licence('2', { books: [...BOTH, ...BOTH], numberOfActivations: 5 }),
    licence('3', {
      expiration: { type: 'Days', days: 365, date: null },
      organization: { id: 'd1', type: 'Distributor' },
    }),
    licence('4', { expiration: { type: 'Date', days: null, date: '2026-11-01' }, maximumActivations: 0 }),
    licence('5', { expiration: { type: 'Date', days: null, date: '2027-06-30' }, licenseCategory: null }),
  ],
  TEACHER: [licence('6', { type: 'Teacher', books: null, expiration: null, numberOfActivations: 1 })],
};
const ANSWERS: Answers = {
  'GET /v1/licenses': ({ query }) => ({
    body: { licenses: LISTED[query.type as 'BOOKS' | 'TEACHER'], paging: { nextCursor: null } },
  }),
  'GET /v1/publishers': { status: 403, body: {} },
  'GET /v1/account': { body: { id: 'u9' } },
  'GET /v1/schools/s1': { body: { id: 's1', name: 'Lakeside' } },
  'GET /v1/books/b2': { body: { id: 'b2', title: 'Geometry' } },
  'GET /v1/schools': { body: { schools: [{ id: 's1', name: 'Lakeside' }], paging: { nextCursor: null } } },
};
const NOON = Date.UTC(2026, 10, 22, 12);

async function edu(argv: readonly string[], terminal?: number, answers: Answers = {}) {
  const service = await scriptedService({ ...ANSWERS, ...answers });
  const env = { EDU_BASE_URL: service.baseUrl, EDU_TOKEN: 'token' };
  return { ...(await run(argv, { env, now: () => NOON, ...(terminal === undefined ? {} : { terminal }) })), service };
}

const lines = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

test('counts licences, seats, activations, full, unused and expiring ones by book', async () => {
  const { code, stdout, stderr } = await edu([
    'licenses',
    'summary',
    '--fields',
    'id,licences,seats,activated,full,unused,expiring',
  ]);
  expect(code).toBe(0);
  // Licence 4 ended, licence 5 ends later than in 60 days; licence 4 has no seats, so it is not full.
  expect(lines(stdout)).toEqual([
    ['b1', '5', '40', '15', '1', '3', '2'],
    ['', '1', '10', '1', '0', '0', '0'],
    ['b2', '1', '10', '5', '0', '0', '1'],
  ]);
  expect(stderr).toBe(
    'Warning: 1 licence without an end date: a term that starts with each activation does not count as expiring\n',
  );
});

test.each([
  [
    'organization',
    [
      ['s1', 'Lakeside', '5'],
      ['d1', '', '1'],
    ],
  ],
  [
    'type',
    [
      ['Books', 'Books', '5'],
      ['Teacher', 'Teacher', '1'],
    ],
  ],
  [
    'category',
    [
      ['01', '01', '5'],
      ['', 'No category shown', '1'],
    ],
  ],
])('groups by %s', async (by, expected) => {
  const { stdout } = await edu(['licenses', 'summary', '--by', by, '--fields', 'id,name,licences']);
  expect(lines(stdout)).toEqual(expected);
});

test('shows the ID of an organization whose list cannot be read, and says so', async () => {
  const answers: Answers = {
    'GET /v1/publishers': { status: 404, body: {} },
    'GET /v1/schools': { status: 400, body: {} },
  };
  const ran = await edu(['licenses', 'summary', '--by', 'organization', '--fields', 'id,name'], undefined, answers);
  const stderr = 'Warning: Organizations without a name: publishers and schools cannot be listed.\n';
  expect(ran).toMatchObject({ code: 0, stdout: 's1\t\nd1\t\n', stderr: expect.stringContaining(stderr) });
});

test.each([
  [['--book', 'b2'], [['b2', '1', '10', '5']]],
  [
    ['--organization', 's1', '--used', '50%'],
    [
      ['b1', '2', '20', '15'],
      ['b2', '1', '10', '5'],
    ],
  ],
  [['--free', '10', '--by', 'type'], [['Books', '2', '20', '0']]],
])('counts the licences that %j keeps', async (flags, expected) => {
  const { stdout } = await edu(['licenses', 'summary', ...flags, '--fields', 'id,licences,seats,activated']);
  expect(lines(stdout)).toEqual(expected);
});

test('says how many licences count without seats or activations, which the service does not show', async () => {
  const shown = [licence('1', { numberOfActivations: 3 }), licence('2', { maximumActivations: null })];
  const hidden = licence('3', { numberOfActivations: null });
  const answers: Answers = {
    'GET /v1/licenses': ({ query }) => ({ body: { licenses: query.type === 'BOOKS' ? [...shown, hidden] : [] } }),
  };
  const { stdout, stderr } = await edu(['licenses', 'summary', '--fields', 'seats,activated'], undefined, answers);
  expect(stdout).toBe('20\t3\n');
  expect(stderr).toBe('Warning: 2 licences whose seats or activations the service does not show count as 0\n');
});

test('a table ends with a total, in which a licence counts once; data does not', async () => {
  const { stdout, stderr } = await edu(['licenses', 'summary', '--limit', '2', '--no-color'], 200);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .slice(-3)
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['b1', 'Algebra', '███▊░░░░░░', '38%', '40', '15', '5', '1', '3', '2'],
    ['–', 'Teacher licences', '█░░░░░░░░░', '10%', '10', '1', '1', '0', '0', '0'],
    ['–', 'Total', '███▎░░░░░░', '32%', '50', '16', '6', '1', '3', '2'],
  ]);
  expect(stderr).toContain('cut by --limit after 2 groups');
  expect((await edu(['licenses', 'summary', '-o', 'csv', '--fields', 'name'])).stdout).not.toContain('Total');
});

test('a licence of type Books that shows no book is no Teacher licence', async () => {
  const listed = { BOOKS: [licence('7', { books: null }), licence('8', { books: [] })], TEACHER: LISTED.TEACHER };
  const { stdout } = await edu(['licenses', 'summary', '--fields', 'name,licences'], undefined, {
    'GET /v1/licenses': ({ query }) => ({ body: { licenses: listed[query.type as 'BOOKS' | 'TEACHER'] } }),
  });
  expect(lines(stdout)).toEqual([
    ['No book shown', '2'],
    ['Teacher licences', '1'],
  ]);
});

test('a licence that a service lists under both types counts once', async () => {
  const all = { 'GET /v1/licenses': { body: { licenses: [...LISTED.BOOKS, ...LISTED.TEACHER] } } };
  const { stdout } = await edu(['licenses', 'summary', '--by', 'type', '--fields', 'licences'], undefined, all);
  expect(lines(stdout)).toEqual([['5'], ['1']]);
  for (const flags of [[], ['--sort', 'id']])
    expect((await edu(['licenses', 'list', '-o', 'ids', ...flags], undefined, all)).stdout).toBe('1\n2\n3\n4\n5\n6\n');
});

test('--expiring accepts durations only', async () => {
  const { stdout } = await edu(['licenses', 'summary', '--by', 'type', '--expiring', '1y', '--fields', 'expiring']);
  expect(lines(stdout)).toEqual([['3'], ['0']]);
  const refused = await edu(['licenses', 'summary', '--expiring', '60']);
  expect([refused.code, refused.service.requests]).toEqual([2, []]);
  expect(refused.stderr).toContain('--expiring must be a length of time such as 60d, 8w, 6m or 1y, not "60"');
});

test('--html writes one page that loads and runs nothing, with every name as text', async () => {
  const file = join(temporaryFolder(), 'page.html');
  const { code, stdout, service } = await edu(['licenses', 'summary', '--html', file]);
  expect(code).toBe(0);
  expect(lines(stdout)).toHaveLength(3);
  const page = readFileSync(file, 'utf8');
  expect(page).not.toMatch(/<script|<img|<link rel="stylesheet"|url\(|[\u001b\u202e]/i);
  expect(page).toContain('&lt;/style&gt;&lt;script&gt;');
  expect(page).toContain("default-src 'none'");
  for (const title of ['Expiring licences by month', 'Use by book', 'Use by organization', 'Use by type']) {
    expect(page).toContain(`<h2>${title}</h2>`);
  }
  expect(page).toContain('<bdi>Lakeside</bdi>');
  expect(page).toContain(`<h1>Licences on 2026-11-22</h1>
<p>${service.baseUrl}</p>`);
  expect(page).toMatch(/December 2026<\/th>.*<td>2<\/td><td>0<\/td>/);
});

test('the page names the organization, the service and the day', async () => {
  const file = join(temporaryFolder(), 'page.html');
  const argv = ['licenses', 'summary', '--offline', '--as', 'school', '--html', file];
  expect((await run(argv, { now: () => NOON })).code).toBe(0);
  const place = '<bdi>School s1</bdi> · bundled service (--offline)';
  expect(readFileSync(file, 'utf8')).toContain(`<h1>Licences on 2026-11-22</h1>
<p>${place}</p>`);
});

test('summary -o ids prints the IDs of the groups that have one', async () => {
  const { env } = await scriptedService({
    'GET /v1/licenses': { body: { licenses: [licence('1', {}), licence('2', { books: [] })] } },
  });
  for (const flags of [['-o', 'ids'], ['-q'], ['--query', '[?licences>`0`]', '-o', 'ids']]) {
    expect(await run(['licenses', 'summary', ...flags], { env })).toMatchObject({ code: 0, stdout: 'b1\n' });
  }
  const named = await run(['licenses', 'summary', '--query', '[].{n: name}', '-o', 'ids'], { env });
  expect(named).toMatchObject({ code: 2, stdout: '' });
});
