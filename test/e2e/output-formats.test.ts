/** The exact output in each format. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, sharedFolder } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';
import {
  ANSWERS,
  AUTUMN,
  CREATE,
  CREATED,
  edu,
  FAIL,
  FAILURE,
  GET,
  HINT,
  LIST,
  STAFF,
  TOKYO,
} from './output-answers.js';

describe('json', () => {
  test('one item, and a create, are one object', async () => {
    expect((await edu([...GET, '--json'])).stdout).toBe(`${JSON.stringify(AUTUMN, null, 2)}\n`);
    expect((await edu([...CREATE, '-o', 'json'])).stdout).toBe(`${JSON.stringify(CREATED, null, 2)}\n`);
  });

  test('--query with a single = is a usage error, and sends nothing', async () => {
    const service = await scriptedService(ANSWERS);
    const ended = await run([...LIST, '-o', 'ids', '--query', "[?name='Autumn'].id"], { env: service.env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('Compare with "==": [?name==\'Autumn\'].id');
    expect(service.sent).toEqual([]);
  });

  test('an error is one object on stderr, and stdout stays empty', async () => {
    const { code, stdout, stderr } = await edu([...FAIL, '--json']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        kind: 'not_found',
        message: FAILURE,
        status: 404,
        method: 'GET',
        path: '/v1/licenses/nope',
        requestId: null,
        hint: HINT,
        details: [],
      },
    });
  });
});

describe('a list of two collections cut by --limit', () => {
  const first = (count: number, others: readonly object[]): Answers => ({
    'GET /v1/licenses': ({ query }) => ({
      body: {
        licenses:
          query.type === 'BOOKS'
            ? [AUTUMN, TOKYO, { ...AUTUMN, id: '4' }].slice(0, count)
            : others.map((one, index) => ({ ...one, id: `5${index}` })),
        paging: { nextCursor: null },
      },
    }),
  });

  test.each([
    ['ends with the first', 2, [], 'Note: cut by --limit after 2 licences; there may be more\n'],
    ['continues in the first', 3, [], 'Note: cut by --limit after 2 licences; there are more\n'],
    ['ends with the second', 1, [STAFF], ''],
    ['continues in the second', 1, [STAFF, STAFF], 'Note: cut by --limit after 2 licences; there are more\n'],
  ])('has a note whether there are more: it %s', async (_, count, others, says) => {
    const service = await scriptedService(first(count, others));
    const ran = await run([...LIST, '--limit', '2', '-o', 'ids'], { env: service.env });
    expect(ran.stdout.trim().split('\n')).toHaveLength(2);
    expect(ran.stderr).toBe(says);
  });
});

describe('undocumented values', () => {
  test.each<[string, string]>([
    ['numbers', '[1,22]'],
    ['numbers beyond 2^53', '{"ids":[12345678901234567890,9007199254740993]}'],
    ['objects with another key', '[{"userId":"u1"},{"userId":"u2"}]'],
    ['users within objects', '[{"user":{"id":"u1"}},{"user":"u2"}]'],
  ])('are printed for modified users as %s', async (_, body) => {
    const service = await scriptedService({
      'GET /v1/users/checkModified': { headers: { 'content-type': 'application/json' }, body },
    });
    const [one, two] = body.match(/\d{2,}|\bu\d|\d/g) ?? [];
    for (const format of ['tsv', 'ids']) {
      const { stdout } = await run(['users', 'modified', '-o', format], { env: service.env });
      expect(stdout).toBe(`${one}\n${two}\n`);
    }
  });

  test('keep the digits of an ID that came as a large number', async () => {
    const service = await scriptedService({
      'GET /v1/users/userId/a%40b.example': {
        headers: { 'content-type': 'application/json' },
        body: '{"id":12345678901234567890}',
      },
      '*': { status: 404, body: {} },
    });
    await run(['users', 'get', 'a@b.example'], { env: service.env });
    expect(service.sent.at(-1)?.line).toBe('GET /v1/users/12345678901234567890');
  });
});

test('a query that reads an unknown field warns', async () => {
  expect(await edu([...LIST, '--query', '[?maximumactivations > `5`]'])).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'Warning: --query: no documented field is named "maximumactivations". Did you mean maximumActivations?\nNote: 0 rows that your organization created\n',
  });
});

const FOLDER = sharedFolder();
writeFileSync(join(FOLDER, 'publishers.csv'), 'name\nLyceum\n');

test.each([
  ['doctor', ['--fields', 'nope']],
  ['doctor', ['--sort', 'nope']],
  ['doctor', ['--json', '-o', 'csv']],
  [`files download f1 --to ${join(FOLDER, 'saved')}`, ['--query', '[?']],
  [`files download f1 --to ${join(FOLDER, 'saved')}`, ['-o', 'ids']],
  [`plan ${FOLDER}`, ['--fields', 'nope']],
  [`export schools --to ${join(FOLDER, 'export')}`, ['-o', 'ids']],
])('%s with %j sends and writes nothing', async (line, flags) => {
  const service = await scriptedService(ANSWERS);
  const ended = await run([...line.split(' '), ...flags], { env: service.env });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(service.requests).toEqual([]);
  expect(readdirSync(FOLDER)).toEqual(['publishers.csv']);
});
