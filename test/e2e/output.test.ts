/** The exact output on a terminal and in a pipe. */
import { describe, expect, test } from 'vitest';
import { CREATE, edu, FAIL, FAILURE, GET, HINT, LIST, lines } from './output-answers.js';

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
      stderr: '3 licences that your organization created · 4 columns not shown (--wide)\n',
    });
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

  test('an error is red', async () => {
    expect(await edu(FAIL, 80)).toEqual({
      code: 5,
      stdout: '',
      stderr: `\x1b[31m\x1b[1mError:\x1b[22m\x1b[39m ${FAILURE.replace(' (', '\n       (')}\n\x1b[36mHint:\x1b[39m ${HINT}\n`,
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
        '  "expiration": {',
        '    "type": "Days",',
        '    "days": 365',
        '  },',
        '  "code": "autumn001"',
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

  test('one item, and a create, are one record', async () => {
    const record =
      '0001\tAutumn\tautumn001\tBooks\tb1\t0000000000123\tAlgebra 7\tDays\t365\t\t30\t7\td1\tDistributor\t';
    // Users by ID have no language: one column less.
    expect(await edu(GET)).toEqual({ code: 0, stdout: `${record}\t\t\t\t\n`, stderr: '' });
    expect(await edu(CREATE)).toEqual({ code: 0, stdout: `${record}\t\t\t\t\t\n`, stderr: '' });
  });
});
