/** Invalid and rejected rows: skipped, counted, grouped, and the end of a job because of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/bulk/job/job-manifest.js';
import { Journal } from '../../src/bulk/job/journal.js';
import { failuresIn } from '../../src/bulk/results/failures.js';
import { errorLimit, maxErrorsOf } from '../../src/bulk/send/error-limit.js';
import { offline } from '../support/offline.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { existing, scriptedService } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';

skipWaits();

function machine() {
  const { write, ...one } = offline();
  return { ...one, from: (name: string, text: string): readonly string[] => ['--from', write(name, text)] };
}

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--concurrency', '1'];

describe('--skip-invalid', () => {
  const rows = 'name,maximum-activations\nAsh,1\nOak,many\nElm,1,2\n,3\nFir,2\n';

  test('sends the valid rows and writes a result for each invalid one', async () => {
    const { edu, path, from } = machine();
    const line = [...CREATE, ...from('a.csv', rows)];
    expect((await edu(...line)).code).toBe(2);
    const files = ['--results', path('results.csv'), '--failed', path('failed.csv')];
    const sent = await edu(...line, '--skip-invalid', ...files, '--json');
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([3, { created: 2, invalid: 3, left: 0, retry: null }]);
    const [, ...results] = readFileSync(path('results.csv'), 'utf8').trim().split('\n');
    expect(results.map((row) => row.split(',')[3])).toEqual(['created', 'invalid', 'invalid', 'invalid', 'created']);
    expect(results[1]).toContain('must be a whole number');
    expect(results[2]).toContain('has 3 cells, but the header has 2 columns');
    expect(results[3]).toContain('name is missing');
    // The corrected failed rows are created, and nothing else.
    const failed = readFileSync(path('failed.csv'), 'utf8').replace('many', '5').replace(/^,3/m, 'Yew,3');
    const again = await edu(...CREATE, ...from('b.csv', failed), '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { created: 3 }]);
    const corrected = rows.replace('many', '5').replace('Elm,1,2', 'Elm,1').replace(/^,3/m, 'Yew,3');
    expect(JSON.parse((await edu(...CREATE, ...from('a.csv', corrected), '--json')).stdout)).toMatchObject({
      exists: 5,
    });
  });

  test('reports equal problems once, by rows and column', async () => {
    const { edu, from } = machine();
    const sent = await edu(
      ...CREATE,
      ...from('a.csv', 'name,maximum-activations\nAsh,1\nOak,many\nElm,many\n'),
      '--skip-invalid',
    );
    expect(sent.stderr).toContain(
      '  - rows 2, 3: invalid: column 2 "maximum-activations" must be a whole number, not "many"\n',
    );
  });

  test('skips rows whose references do not exist, also on resume and retry', async () => {
    const { edu, from } = machine();
    const users = from('u.csv', 'email\nschool@example.org\nnobody@nowhere.example\n');
    const sent = await edu('classes', 'assign', 'c2', ...users, '--skip-invalid', '--job', 'pupils', '--json');
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([3, { updated: 1, invalid: 1 }]);
    expect(sent.stderr).toContain('no user has the ID, e-mail address or name');
    const again = await edu('jobs', 'retry', 'pupils', '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([3, { updated: 1, invalid: 1 }]);
    const shown = await edu('jobs', 'list', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject([{ state: 'failed rows', rows: 2, done: 1, failed: 1, left: 0 }]);
    await edu('jobs', 'prune', '--older-than', '0s');
    expect((await edu('jobs', 'show', 'pupils')).code).toBe(0);
  });
});

test.each([
  ['a 409', { status: 409, body: { message: 'is being moved' } }],
  ['a page of a proxy', { body: '<html>', headers: { 'content-type': 'text/html' } }],
])('a reference that is answered with %s is a problem of its row, unless no other can be read', async (_, reply) => {
  const many = Array.from({ length: 24 }, (_, at) => `v${at}`);
  const service = await scriptedService({
    ...existing('account', 'classes/c1', 'users/u1', ...many.map((id) => `users/${id}`)),
    'GET /v1/users': { body: { users: [] } },
    'GET /v1/users/account': { body: { id: 'account', organization: { id: 's1', type: 'School' } } },
    'GET /v1/users/u2': reply,
    'PUT /v1/assignClass/assignClassToUser': { body: { classId: 'c1', usersInClass: ['u1'] } },
  });
  const { from } = machine();
  const env = { ...home(), ...service.env };
  const assign = (users: readonly string[], ...flags: readonly string[]) => {
    const rows = from('u.csv', `user\n${users.join('\n')}\n`);
    return run(['classes', 'assign', 'c1', ...rows, '--skip-invalid', '--json', ...flags], { env });
  };
  const sent = await assign(['u1', 'u2']);
  expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([3, { updated: 1, invalid: 1 }]);
  expect(sent.stderr).toContain('"row 2","message":"invalid: \\"u2\\" cannot be read: the service re');
  const whole = await run(['classes', 'assign', 'c1', ...from('u.csv', 'user\nu1\nu2\n'), '--json'], { env });
  expect([whole.code, JSON.parse(whole.stderr).error.details]).toMatchObject([
    1,
    [{ where: 'line 3, column 1 "user"' }],
  ]);
  expect(await assign(['u2'])).toMatchObject({ code: 1, stdout: '' });
  // So many are looked for in lists first.
  const planned = await assign(['u2', ...many], '--dry-run');
  expect([planned.code, JSON.parse(planned.stdout)]).toMatchObject([3, { rows: 25, update: 24 }]);
});

describe('--skip-invalid and rows that cannot be read', () => {
  test('skips a row with a quote inside a cell, and writes it to the failed rows', async () => {
    const { edu, path, from } = machine();
    const rows = 'name,maximum-activations\nAsh,1\n"The "old" oak",2\nElm,3\n';
    const line = [...CREATE, ...from('a.csv', rows)];
    const refused = await edu(...line, '--json');
    expect([refused.code, JSON.parse(refused.stderr).error.details]).toMatchObject([
      2,
      [{ where: 'line 3, column 1' }],
    ]);
    const sent = await edu(...line, '--skip-invalid', '--failed', path('failed.csv'), '--json');
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([3, { rows: 3, created: 2, invalid: 1 }]);
    expect(readFileSync(path('failed.csv'), 'utf8').split('\n')[1]).toMatch(/oak",2,.*,2,invalid,.*closing quote/);
    expect(JSON.parse((await edu(...line, '--skip-invalid', '--json')).stdout)).toMatchObject({
      created: 2,
      invalid: 1,
    });
  });

  test.each([
    ['a member twice', '{"name":"Ash","name":"Asp","maximum-activations":1}', 'has the member'],
    ['a cell that cannot be read', '{"name":"Ash","maximum-activations":[{"x":[1]}]}', 'is a list with values'],
  ])('skips a row of an array with %s, and none that is on the same line', async (_, bad, problem) => {
    const { edu, path, from } = machine();
    const rows = `[${bad},{"name":"Oak","maximum-activations":2},{"name":"Elm","maximum-activations":3}]`;
    const line = [...CREATE, ...from('a.json', rows), '--json'];
    // A row that --where keeps has its problem, too.
    expect((await edu(...line, '--where', 'name!=Elm')).stderr).toContain(problem);
    expect(JSON.parse((await edu(...line, '--skip-invalid', '--results', path('r.csv'))).stdout)).toMatchObject({
      created: 2,
      invalid: 1,
    });
    expect(readFileSync(path('r.csv'), 'utf8')).toContain(`,1,invalid,,,`);
  });

  test('writes the text of a line that is not JSON to the failed rows', async () => {
    const { edu, path, from } = machine();
    const broken = '{"name":"Oak","maximum-activations":}';
    const rows = `{"name":"Ash","maximum-activations":1}\n${broken}\n7\n{"name":"Elm","maximum-activations":3}\n`;
    const line = [...CREATE, ...from('a.ndjson', rows)];
    expect((await edu(...line)).code).toBe(2);
    const files = ['--results', path('results.ndjson'), '--failed', path('failed.ndjson')];
    const sent = await edu(...line, '--skip-invalid', ...files, '--json');
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([3, { rows: 4, created: 2, invalid: 2 }]);
    const failed = readFileSync(path('failed.ndjson'), 'utf8').trim().split('\n');
    expect(failed.map((one) => JSON.parse(one))).toEqual([
      expect.objectContaining({ edu_input: broken, edu_row: 2, edu_error: expect.stringContaining('is not JSON') }),
      expect.objectContaining({ edu_input: '7', edu_row: 3 }),
    ]);
    const results = readFileSync(path('results.ndjson'), 'utf8').trim().split('\n');
    expect(results.map((one) => JSON.parse(one).edu_row)).toEqual([1, 2, 3, 4]);
  });

  test.each([
    ['a quote that is never closed', 'a.csv', 'name,maximum-activations\nAsh,1\n"Oak,2\nElm,3\n'],
    ['an array that is broken', 'a.json', '[{"name":"Ash","maximum-activations":1},{"name":}]'],
  ])('%s: sends nothing, because the end of the row is unknown', async (_, name, text) => {
    const { edu, from } = machine();
    expect((await edu(...CREATE, ...from(name, text), '--skip-invalid')).code).toBe(2);
  });
});

test('a shard counts, compares and confirms its own rows only', async () => {
  const { edu, from } = machine();
  const shard = async (index: number, ...line: readonly string[]) => {
    const { code, stdout, stderr } = await edu(...line, '--shard', `${index}/2`, '--json');
    return [code, stdout === '' ? JSON.parse(stderr).error.message : JSON.parse(stdout)];
  };
  const rows = from('rows.csv', 'name,maximum-activations,code\nA,x,part1\nB,1,part2\nC,1,part3\nD,1,part4\n');
  const create = [...CREATE, ...rows, '--skip-invalid'];
  expect(await shard(2, ...create)).toMatchObject([0, { rows: 2, created: 2, invalid: 0, left: 0, done: true }]);
  expect(await shard(1, ...create)).toMatchObject([3, { rows: 2, created: 1, invalid: 1, left: 0 }]);
  const names = from('names.csv', 'license,name\ncode:part2,B\ncode:part3,Changed\n');
  const update = ['licenses', 'update', ...names, '--reset-license-category'];
  expect(await shard(2, ...update)).toMatchObject([0, { rows: 1, updated: 1, unchanged: 0, left: 0, done: true }]);
  expect(await shard(2, 'licenses', 'delete', ...from('ids.csv', 'license\ncode:part2\ncode:part3\n'))).toEqual([
    2,
    expect.stringContaining('Refusing to delete 1 licence '),
  ]);
});

test('equal problems of an input are one line, with the first rows and their count', async () => {
  const { edu, from } = machine();
  const rows = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? `Row ${n},many` : `,${n + 1}`));
  const { code, stderr } = await edu(
    ...CREATE,
    ...from('a.csv', `name,maximum-activations\n${rows.join('\n')}\n`),
    '--json',
  );
  const { message, details } = JSON.parse(stderr).error;
  expect([code, message]).toEqual([
    2,
    expect.stringMatching(/^Cannot use .*a\.csv: 40 problems\. Nothing was sent\.$/),
  ]);
  expect(details).toEqual([
    {
      where: 'lines 2, 4, 6, 8, 10 and 15 more, column 2 "maximum-activations"',
      message: 'must be a whole number, not "many"',
    },
    { where: 'lines 3, 5, 7, 9, 11 and 15 more', message: 'name is missing' },
  ]);
});

/** A line whose 50 rows the service refuses: it assigns users to a deleted class. */
async function refusedRows({ edu, from }: Pick<ReturnType<typeof machine>, 'edu' | 'from'>) {
  const create = ['classes', 'create', '--name', 'Gone', '--school', 's1', '--subject', '0001', '-o', 'ids'];
  const id = (await edu(...create)).stdout.trim();
  await edu('classes', 'delete', id, '--yes');
  const { stdout } = await edu('users', 'list', '--organization', 's1', '--limit', '50', '-o', 'ids');
  return ['classes', 'assign', id, '--concurrency', '1', ...from('users.csv', `user\n${stdout}`)];
}

describe('a job whose first rows are all rejected for the same reason', () => {
  test('stops after 20 of them with the reason, and resumes with --max-errors none', async () => {
    const { edu, from } = machine();
    const line = await refusedRows({ edu, from });
    const stopped = await edu(...line, '--json');
    expect([stopped.code, JSON.parse(stopped.stdout)]).toMatchObject([3, { rejected: 20, left: 30 }]);
    const { message, hint } = JSON.parse(stopped.stderr).error;
    expect(message).toContain(
      '20 of 50 rows failed. The job was stopped: its first 20 rows were all rejected with the same error:',
    );
    const [, job = ''] = /edu jobs resume (\w+) --max-errors none/.exec(hint) ?? [];
    const all = await edu('jobs', 'resume', job, '--max-errors', 'none', '--json');
    expect([all.code, JSON.parse(all.stdout)]).toMatchObject([3, { rejected: 50, left: 0 }]);
  });

  test('stops when 10 % of all rows have failed, with --max-errors 10%', async () => {
    const { edu, from } = machine();
    const line = await refusedRows({ edu, from });
    const { code, stderr } = await edu(...line, '--max-errors', '10%');
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('5 of 50 rows failed. The job was stopped by --max-errors.'),
    ]);
  });
});

describe('the default of --max-errors', () => {
  const alike = { state: 'rejected', error: 'licence "a1" is unknown' } as const;
  const stopsAfter = (
    limit: Parameters<typeof errorLimit>[0],
    outcomes: readonly { state: 'rejected' | 'created' }[],
  ) => {
    const ends = errorLimit(limit, 1000);
    return outcomes.findIndex((outcome) => ends(outcome) !== undefined) + 1;
  };
  const errors = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...alike, error: `licence "a${index}" is unknown` }));

  test('is 20 equal errors from the first row on, whatever values they contain', () => {
    expect(stopsAfter(undefined, errors(30))).toBe(20);
    expect(stopsAfter(undefined, [{ state: 'created' }, ...errors(30)])).toBe(0);
    expect(stopsAfter(undefined, [{ ...alike, error: 'other' } as never, ...errors(30)])).toBe(0);
    expect(stopsAfter(maxErrorsOf('none'), errors(1000))).toBe(0);
    expect(stopsAfter(maxErrorsOf('30'), errors(40))).toBe(30);
    expect(stopsAfter(maxErrorsOf('2.5%'), errors(40))).toBe(25);
  });

  test.each(['0', '0%', 'x', '101%', '1.5'])('refuses %j', (text) => {
    expect(() => maxErrorsOf(text)).toThrow('--max-errors');
  });

  test('takes rows from one, shares up to all, and none', () => {
    const limits = ['1', ' 7 ', '0.5%', '100%', 'none'].map((text) => maxErrorsOf(text)(1000));
    expect(limits).toEqual([1, 7, 5, 1000, Infinity]);
  });
});

test('equal errors of rows are one line with a count', async () => {
  const journal = await Journal.open(join(temporaryFolder(), 'journal.ndjson'), 30);
  for (let row = 1; row <= 30; row++)
    journal.settled(row, { state: row < 28 ? 'rejected' : 'created', error: row < 3 ? 'a' : 'b' });
  await journal.flush();
  expect(failuresIn(journal, { rows: 30 } as Manifest)).toEqual([
    { where: 'rows 1, 2', message: 'rejected: a' },
    { where: 'rows 3, 4, 5, 6, 7 and 20 more', message: 'rejected: b' },
  ]);
  await journal.close();
});
