/** DuckDB reads 200,000 exported licences as one table of two shards: types, nulls, nested values, odd texts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onLoopback } from '../support/loopback.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { duckdb } from './duckdb.js';

const EACH = 100_000;
const PAGE = 10_000;
const ODD = 'a\u0000b\u009f"\n😀';

/** A licence of one of the two lists, which a shard each reads. */
const licence = (type: string, index: number) => ({
  id: `${type[0]}${String(index).padStart(7, '0')}`,
  name: index === 7 ? ODD : `Licence ${index}`,
  code: String(index).padStart(9, '0'),
  type,
  books: type === 'Books' ? [{ id: 'B1', ean: '0123456789012', title: 'Eins' }] : [],
  expiration: type === 'Books' ? { type: 'Date', days: null, date: '2027-07-31' } : null,
  maximumActivations: 30,
  numberOfActivations: index % 3,
  organization: { id: 'd1', type: 'Distributor' },
  licenseCategory: null,
  endUsers: Array.from({ length: index % 3 }, (_, at) => ({
    id: `u${at}`,
    email: null,
    firstName: 'Ä',
    lastName: 'B',
    language: 'DE',
  })),
});

/** The same pages for both lists, with another type. */
const pages = Array.from({ length: EACH / PAGE }, (_, page) =>
  JSON.stringify({
    licenses: Array.from({ length: PAGE }, (__, index) => licence('Books', page * PAGE + index)),
    paging: { nextCursor: (page + 1) * PAGE < EACH ? String(page + 1) : null },
  }),
);

const teachers = (text: string): string =>
  text
    .replaceAll('"id":"B0', '"id":"T0')
    .replaceAll('"type":"Books"', '"type":"Teacher"')
    .replaceAll('[{"id":"B1","ean":"0123456789012","title":"Eins"}]', '[]')
    .replaceAll('{"type":"Date","days":null,"date":"2027-07-31"}', 'null');

test('one table of two shards has every licence as the service sent it', async () => {
  const server = await onLoopback(
    createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://service');
      const page = pages[Number(searchParams.get('cursor') ?? 0)] ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(searchParams.get('type') === 'TEACHER' ? teachers(page) : page);
    }),
  );
  const to = temporaryFolder();
  const exported = async (shard: string): Promise<void> => {
    const line = ['export', 'licenses', '--to', join(to, shard), '--shard', `${shard}/2`, '--format', 'parquet', '-q'];
    const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'token', PATH: process.env.PATH };
    const edu = spawn(process.execPath, [resolve('bin/edu.js'), ...line], { env, stdio: 'inherit' });
    expect(await once(edu, 'exit')).toEqual([0, null]);
  };
  await Promise.all([exported('1'), exported('2')]);
  await server.close();
  const { rows } = await duckdb();
  const table = `read_parquet('${to}/*/licenses/**/*.parquet', hive_partitioning = true)`;
  expect(
    await rows(`SELECT type, count(*)::INTEGER AS n, count(DISTINCT id)::INTEGER AS ids, count(DISTINCT shard)::INTEGER AS shards,
      sum(maximumActivations)::INTEGER AS seats, sum(len(endUsers))::INTEGER AS users, sum(len(books))::INTEGER AS books,
      count(expiration)::INTEGER AS ends, max(expiration.date)::VARCHAR AS last, count(licenseCategory)::INTEGER AS categories,
      count(*) FILTER (endUsers[2].firstName = 'Ä')::INTEGER AS named, min(code) AS code FROM ${table} GROUP BY type ORDER BY type`),
  ).toEqual(
    ['Books', 'Teacher'].map((type) => {
      const [books, ends, last] = type === 'Books' ? [EACH, EACH, '2027-07-31'] : [0, 0, null];
      const seats = 30 * EACH;
      const users = Array.from({ length: EACH }, (_, index) => index % 3).reduce((sum, few) => sum + few, 0);
      const named = Math.floor(EACH / 3);
      const facts = { type, n: EACH, ids: EACH, shards: 1, seats, users, books, ends, last, categories: 0, named };
      return { ...facts, code: '000000000' };
    }),
  );
  const one = await rows(`SELECT * EXCLUDE shard FROM ${table} WHERE id = 'B0000007'`);
  expect(one).toEqual([licence('Books', 7)]);
  expect(
    (await rows(`DESCRIBE FROM ${table}`)).map(({ column_name, column_type }) => `${column_name} ${column_type}`),
  ).toEqual([
    'id VARCHAR',
    'name VARCHAR',
    'code VARCHAR',
    'type VARCHAR',
    'books STRUCT(id VARCHAR, ean VARCHAR, title VARCHAR)[]',
    'expiration STRUCT("type" VARCHAR, "days" DOUBLE, date DATE)',
    'maximumActivations DOUBLE',
    'numberOfActivations DOUBLE',
    'organization STRUCT(id VARCHAR, "type" VARCHAR)',
    'licenseCategory VARCHAR',
    'endUsers STRUCT(id VARCHAR, email VARCHAR, firstName VARCHAR, lastName VARCHAR, "language" VARCHAR)[]',
    'shard BIGINT',
  ]);
});

/** A service with these licences of type Books, and no others. @returns the environment of a command that uses it */
async function serviceOf(licences: readonly unknown[]) {
  const server = await onLoopback(
    createServer((request, response) => {
      const isOther = request.url?.includes('TEACHER') || !request.url?.startsWith('/v1/licenses');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ licenses: isOther ? [] : licences, paging: { nextCursor: null } }));
    }),
  );
  onTestFinished(() => server.close());
  return { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'token' };
}

test('texts, lists, nulls and days at their limits arrive as they are', async () => {
  const empty = { ...licence('Books', 0), books: [], endUsers: [], name: null, code: '', organization: null };
  const texts = [
    '\u0000',
    'é'.repeat(300_000),
    "'; DROP TABLE licences; --",
    '=1+1',
    '\u202egnp',
    '"\n,;\t',
    '\ufeff',
    '😀',
  ];
  const odd = [
    ...texts.map((name) => ({ ...empty, name })),
    { ...empty, books: [{ id: null, ean: null, title: null }] },
    { ...empty, books: null, endUsers: null, expiration: { type: null, days: null, date: null } },
    ...['0001-01-01', '1969-12-31', '9999-12-31'].map((date) => ({
      ...empty,
      expiration: { type: 'Date', days: null, date },
    })),
    ...[0, -0.5, 1e308, 2 ** 53].map((maximumActivations) => ({ ...empty, maximumActivations })),
  ].map((one, index) => ({ ...one, id: String(index) }));
  const file = join(temporaryFolder(), 'odd.parquet');
  const env = await serviceOf(odd);
  expect(await run(['licenses', 'list', '--to', file], { env })).toMatchObject({ code: 0, stderr: '' });
  const { rows } = await duckdb();
  // Its package for Node drops a byte order mark at the start of a text.
  expect(await rows(`SELECT * REPLACE (concat('x', name) AS name) FROM '${file}'`)).toEqual(
    odd.map((one) => ({ ...one, name: `x${one.name ?? ''}` })),
  );
  // A column without any value, and lists in lists, which a query types as JSON.
  const query = '[].{none: licenseCategory, lists: [[id], books[].id, [name, code]]}';
  expect(await run(['licenses', 'list', '--query', query, '--limit', '2', '--to', file], { env })).toMatchObject({
    code: 0,
  });
  expect(await rows(`FROM '${file}'`)).toEqual(
    odd.slice(0, 2).map(({ id, name, code }) => ({ none: null, lists: JSON.stringify([[id], [], [name, code]]) })),
  );
});

test.each([
  ['a whole number that a double cannot hold', '9007199254740993'],
  ['a number that a double cannot hold', '1e400'],
])('%s is an error, and leaves no file', async (_, number) => {
  const env = await serviceOf([]);
  const text = JSON.stringify({ licenses: [licence('Books', 0)], paging: { nextCursor: null } });
  const server = await onLoopback(
    createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(text.replace('"maximumActivations":30', `"maximumActivations":${number}`));
    }),
  );
  onTestFinished(() => server.close());
  const file = join(temporaryFolder(), 'x.parquet');
  const ran = await run(['licenses', 'list', '--to', file], { env: { ...env, EDU_BASE_URL: server.origin } });
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`is "${number}", which does not fit its column (number)`),
  });
  expect(existsSync(file)).toBe(false);
});
