/**
 * The exact output for people and programs: a list, one item, a create and an error, on a terminal and in a pipe, in
 * every format.
 */
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';

const AUTUMN = {
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
const TOKYO = {
  ...AUTUMN,
  id: '00020000000000000002',
  name: 'Número dos 東京',
  code: '000123',
  books: [],
  expiration: { type: 'Date', days: null, date: '2030-07-31' },
};
/** Has a field that is not in the contract. */
const STAFF = {
  ...AUTUMN,
  id: '3',
  name: 'Staff',
  code: 'staff',
  type: 'Teacher',
  books: [],
  expiration: null,
  more: { a: [1, null] },
};
const CREATED = { ...AUTUMN, books: [{ id: 'b1', ean: '0000000000123', name: 'Algebra 7' }] };

const ANSWERS: Answers = {
  'GET /v1/licenses': ({ query }) => ({
    body: { licenses: query.type === 'BOOKS' ? [AUTUMN, TOKYO] : [STAFF], paging: { nextCursor: null } },
  }),
  'GET /v1/licenses/0001': { body: AUTUMN },
  'POST /v1/licenses': { body: CREATED },
  'GET /v1/licenses/nope': { status: 404, body: { message: 'no such licence' } },
  'GET /v1/schools': { body: { schools: [], paging: { nextCursor: null } } },
};

const LIST = ['licenses', 'list'];
const GET = ['licenses', 'get', '0001'];
const CREATE = [
  ...['licenses', 'create', '--name', 'Autumn', '--type', 'Books', '--book', 'b1', '--days', '365'],
  ...['--maximum-activations', '30', '--code', 'autumn001'],
];
const FAIL = ['licenses', 'get', 'nope'];
const HINT = 'IDs must match exactly: 007 is not 7. List licences with `edu licenses list`; write a code as code:CODE.';

async function edu(argv: readonly string[], terminal?: number, env: Record<string, string> = {}) {
  const service = await scriptedService(ANSWERS);
  return run(argv, { env: { ...service.env, ...env }, ...(terminal === undefined ? {} : { terminal }) });
}

const lines = (...text: string[]): string => text.map((line) => `${line}\n`).join('');
const bold = (text: string): string => `\x1b[1m${text}\x1b[22m`;
const dim = (text: string): string => `\x1b[2m${text}\x1b[22m`;

describe('on a terminal of 80 columns', () => {
  test('a list is a table that fits, with a note on hidden columns', async () => {
    expect(await edu(LIST, 80, { NO_COLOR: '1' })).toEqual({
      code: 0,
      stdout: lines(
        'ID                    NAME             CODE       BOOKS      USED  EXPIRES',
        '────────────────────  ───────────────  ─────────  ─────────  ────  ──────────',
        '0001                  Autumn           autumn001  Algebra 7  7/30  365 days',
        '00020000000000000002  Número dos 東京  000123     –          7/30  2030-07-31',
        '3                     Staff            staff      –          7/30  –',
      ),
      stderr: '3 licences · 4 columns not shown (--wide)\n',
    });
  });

  test('in colours, headings are bold and nothing is dim', async () => {
    const { stdout } = await edu([...LIST, '--fields', 'id,code,licenseCategory'], 80);
    expect(stdout).toBe(
      lines(
        `${bold('ID')}                    ${bold('CODE')}       ${bold('CATEGORY')}`,
        '────────────────────  ─────────  ────────',
        `0001                  autumn001  ${dim('–')}`,
        `00020000000000000002  000123     ${dim('–')}`,
        `3                     staff      ${dim('–')}`,
      ),
    );
  });

  test('--wide shows all columns', async () => {
    const { stdout, stderr } = await edu([...LIST, '--wide'], 80, { NO_COLOR: '1' });
    expect(stdout).toBe(
      lines(
        'ID                    NAME             CODE       TYPE     BOOKS      USED  EXPIRES     USERS  CATEGORY  ORGANIZATION',
        '────────────────────  ───────────────  ─────────  ───────  ─────────  ────  ──────────  ─────  ────────  ──────────────',
        '0001                  Autumn           autumn001  Books    Algebra 7  7/30  365 days        0  –         Distributor d1',
        '00020000000000000002  Número dos 東京  000123     Books    –          7/30  2030-07-31      0  –         Distributor d1',
        '3                     Staff            staff      Teacher  –          7/30  –               0  –         Distributor d1',
      ),
    );
    expect(stderr).toBe('3 licences\n');
  });

  const ITEM = lines(
    'ID            0001',
    'Name          Autumn',
    'Code          autumn001',
    'Type          Books',
    'Books         Algebra 7 (b1)',
    'Used          7 of 30',
    'Expires       365 days after activation',
    'Users         –',
    'Category      –',
    'Organization  Distributor d1',
  );

  test('one item is a table of two columns', async () => {
    expect(await edu(GET, 80, { NO_COLOR: '1' })).toEqual({ code: 0, stdout: ITEM, stderr: '' });
  });

  test('a create shows the new item with a message', async () => {
    expect(await edu(CREATE, 80, { NO_COLOR: '1' })).toEqual({
      code: 0,
      stdout: ITEM,
      stderr: 'Created licence autumn001.\n',
    });
  });

  test('--quiet prints only the ID', async () => {
    expect(await edu([...CREATE, '--quiet'], 80)).toEqual({ code: 0, stdout: '0001\n', stderr: '' });
  });

  test('an error is red', async () => {
    expect(await edu(FAIL, 80)).toEqual({
      code: 5,
      stdout: '',
      stderr: `\x1b[31m\x1b[1mError:\x1b[22m\x1b[39m Cannot get licence nope: not found (404): no such licence.\n\x1b[36mHint:\x1b[39m IDs must match exactly: 007 is not 7. List licences with\n      \`edu licenses list\`; write a code as code:CODE.\n`,
    });
  });

  test('an empty list has no table', async () => {
    expect(await edu(['schools', 'list'], 80, { NO_COLOR: '1' })).toEqual({
      code: 0,
      stdout: '',
      stderr: '0 schools\n',
    });
  });

  test('--dry-run shows the request, without the token', async () => {
    const { code, stdout, stderr } = await edu([...CREATE, '--dry-run'], 80, { NO_COLOR: '1' });
    const [request, ...rest] = stdout.split('\n');
    expect(code).toBe(0);
    expect(request).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/v1\/licenses$/);
    expect(rest.join('\n')).toBe(
      lines(
        'accept: application/json',
        'content-type: application/json',
        '',
        '{',
        '  "name": "Autumn",',
        '  "maximumActivations": 30,',
        '  "type": "Books",',
        '  "books": [',
        '    "b1"',
        '  ],',
        '  "code": "autumn001",',
        '  "expiration": {',
        '    "type": "Days",',
        '    "days": 365',
        '  }',
        '}',
      ),
    );
    expect(stderr).toBe('Nothing was sent.\n');
  });
});

describe('in a pipe', () => {
  const ROWS = lines(
    '0001\tAutumn\tautumn001\tBooks\tb1\t0000000000123\tAlgebra 7\tDays\t365\t\t30\t7\td1\tDistributor\t\t\t\t\t\t',
    '00020000000000000002\tNúmero dos 東京\t000123\tBooks\t\t\t\tDate\t\t2030-07-31\t30\t7\td1\tDistributor\t\t\t\t\t\t',
    '3\tStaff\tstaff\tTeacher\t\t\t\t\t\t\t30\t7\td1\tDistributor\t\t\t\t\t\t',
  );

  test('a list is one record per line, without a header or messages', async () => {
    expect(await edu(LIST)).toEqual({ code: 0, stdout: ROWS, stderr: '' });
  });

  test('--header begins with the names', async () => {
    const { stdout } = await edu([...LIST, '--header', '--fields', 'id,organization.id,books']);
    expect(stdout).toBe(
      lines(
        'id\torganization.id\tbooks.id\tbooks.ean\tbooks.title',
        '0001\td1\tb1\t0000000000123\tAlgebra 7',
        '00020000000000000002\td1\t\t\t',
        '3\td1\t\t\t',
      ),
    );
  });

  test('one item, and a create, are one record', async () => {
    const record =
      '0001\tAutumn\tautumn001\tBooks\tb1\t0000000000123\tAlgebra 7\tDays\t365\t\t30\t7\td1\tDistributor\t';
    // Users by ID have no language: one column less.
    expect(await edu(GET)).toEqual({ code: 0, stdout: `${record}\t\t\t\t\n`, stderr: '' });
    expect(await edu(CREATE)).toEqual({ code: 0, stdout: `${record}\t\t\t\t\t\n`, stderr: '' });
  });

  test('an error has no colours', async () => {
    expect(await edu(FAIL)).toEqual({
      code: 5,
      stdout: '',
      stderr: `Error: Cannot get licence nope: not found (404): no such licence.\nHint: ${HINT}\n`,
    });
  });

  test('an empty list prints nothing', async () => {
    expect(await edu(['schools', 'list'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('a list cut by --limit has a note', async () => {
    const { code, stdout, stderr } = await edu([...LIST, '--limit', '2', '-o', 'ids']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0001\n00020000000000000002\n' });
    expect(stderr).toMatch(/^Note: .*cut.*2 licences.*more.*\n$/);
  });
});

describe('json', () => {
  test('a list is one array, with unknown fields, numbers and nulls unchanged', async () => {
    const { code, stdout, stderr } = await edu([...LIST, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([AUTUMN, TOKYO, STAFF]);
    expect(stdout).toBe(`${JSON.stringify([AUTUMN, TOKYO, STAFF], null, 2)}\n`);
  });

  test('one item, and a create, are one object', async () => {
    expect((await edu([...GET, '--json'])).stdout).toBe(`${JSON.stringify(AUTUMN, null, 2)}\n`);
    expect((await edu([...CREATE, '-o', 'json'])).stdout).toBe(`${JSON.stringify(CREATED, null, 2)}\n`);
  });

  test('output is the same on a terminal, without colours', async () => {
    expect((await edu([...GET, '--json'], 80)).stdout).toBe(`${JSON.stringify(AUTUMN, null, 2)}\n`);
  });

  test('an empty list is []', async () => {
    expect(await edu(['schools', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('--fields selects fields', async () => {
    const { stdout } = await edu([...LIST, '--json', '--fields', 'code,organization.id']);
    expect(JSON.parse(stdout)).toEqual(
      ['autumn001', '000123', 'staff'].map((code) => ({ code, organization: { id: 'd1' } })),
    );
  });

  test('--query applies to the whole list', async () => {
    const { stdout } = await edu([...LIST, '--json', '--query', "[?type=='Books'].id"]);
    expect(JSON.parse(stdout)).toEqual(['0001', '00020000000000000002']);
  });

  test('--query compares dates as text', async () => {
    const { stdout } = await edu([...LIST, '--query', "[?expiration.date>='2030-01-01'].id"]);
    expect(stdout).toBe('00020000000000000002\n');
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
        message: 'Cannot get licence nope: not found (404): no such licence.',
        status: 404,
        method: 'GET',
        path: '/v1/licenses/nope',
        hint: HINT,
        details: [],
      },
    });
  });

  test('EDU_OUTPUT=json applies to errors as well', async () => {
    const { stderr } = await edu(FAIL, undefined, { EDU_OUTPUT: 'json' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'not_found', status: 404 } });
  });
});

test('ndjson has one object per line', async () => {
  const { stdout } = await edu([...LIST, '-o', 'ndjson']);
  expect(stdout).toBe(lines(...[AUTUMN, TOKYO, STAFF].map((licence) => JSON.stringify(licence))));
  expect((await edu([...GET, '-o', 'ndjson'])).stdout).toBe(lines(JSON.stringify(AUTUMN)));
  expect(JSON.parse((await edu([...FAIL, '-o', 'ndjson'])).stderr)).toMatchObject({ error: { status: 404 } });
});

describe('csv', () => {
  const HEAD =
    'id,name,code,type,books.id,books.ean,books.title,expiration.type,expiration.days,expiration.date,' +
    'maximumActivations,numberOfActivations,organization.id,organization.type,licenseCategory,' +
    'endUsers.id,endUsers.email,endUsers.firstName,endUsers.lastName';

  test('has a header and nested fields', async () => {
    expect((await edu([...LIST, '-o', 'csv'])).stdout).toBe(
      lines(
        `${HEAD},endUsers.language`,
        '0001,Autumn,autumn001,Books,b1,0000000000123,Algebra 7,Days,365,,30,7,d1,Distributor,,,,,,',
        '00020000000000000002,Número dos 東京,000123,Books,,,,Date,,2030-07-31,30,7,d1,Distributor,,,,,,',
        '3,Staff,staff,Teacher,,,,,,,30,7,d1,Distributor,,,,,,',
      ),
    );
  });

  test('--no-header leaves it out', async () => {
    expect((await edu([...GET, '-o', 'csv', '--no-header'])).stdout).toBe(
      lines('0001,Autumn,autumn001,Books,b1,0000000000123,Algebra 7,Days,365,,30,7,d1,Distributor,,,,,'),
    );
  });

  test('of an empty list is the header', async () => {
    expect((await edu(['schools', 'list', '-o', 'csv'])).stdout).toBe('id,name,country,city,roles.id,roles.name\n');
  });
});

test('ids has one ID per line', async () => {
  expect((await edu([...LIST, '-o', 'ids'])).stdout).toBe('0001\n00020000000000000002\n3\n');
  expect((await edu([...CREATE, '-o', 'ids'])).stdout).toBe('0001\n');
});

test('--sort sorts, also with null values', async () => {
  expect((await edu([...LIST, '-o', 'ids', '--sort', 'code'])).stdout).toBe('00020000000000000002\n0001\n3\n');
  expect((await edu([...LIST, '-o', 'ids', '--sort', 'code:desc'])).stdout).toBe('3\n0001\n00020000000000000002\n');
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
