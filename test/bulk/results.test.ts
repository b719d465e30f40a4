/** The results of a bulk create: codes that can be written later, and files for Excel that can be read again. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/core/table/open-table.js';
import { offline } from '../support/offline.js';
import { home, run } from '../support/run.js';
import { workbookOf } from '../support/workbook.js';

type Offline = ReturnType<typeof offline>;

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1'];

/** The rows of a workbook, by column. */
async function rowsIn(file: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { columns, batches } = await openFile(file, { name: file });
  const found: Readonly<Record<string, unknown>>[] = [];
  for await (const { rows } of batches)
    for (const { cells } of rows) found.push(Object.fromEntries(columns.map((name, at) => [name, cells[at]])));
  return found;
}

/** The codes of all licences of a name. */
const codesOf = async ({ edu }: Offline, name: string): Promise<string> =>
  (await edu('licenses', 'list', '--sort', 'code', '--query', `[?name=='${name}'].code`)).stdout;

const sorted = (lines: string): string => `${lines.trim().split('\n').sort().join('\n')}\n`;

describe('a bulk create without --results', () => {
  test.each([
    ['--count', (): readonly string[] => ['--count', '3', '--name', 'Autumn']],
    [
      '--from',
      ({ path }: Offline): readonly string[] => {
        writeFileSync(path('rows.csv'), 'name\nAutumn\nAutumn\n');
        return ['--from', path('rows.csv')];
      },
    ],
  ])('with %s prints the command that writes the codes', async (_, more) => {
    const one = offline();
    const { stdout, stderr } = await one.edu(...CREATE, ...more(one));
    expect(stdout).toBe('');
    const line = /^Codes and IDs of all rows: edu (jobs show \w+ --results) results\.csv$/m.exec(stderr)?.[1] ?? '';
    expect(line).not.toBe('');
    const file = one.path('codes.csv');
    expect(await one.edu(...line.split(' '), file)).toEqual({ code: 0, stdout: '', stderr: '' });
    const [header = [], ...rows] = readFileSync(file, 'utf8')
      .split('\n')
      .map((row) => row.split(','));
    const codes = rows.slice(0, -1).map((row) => row[header.indexOf('edu_code')]);
    expect(sorted(codes.join('\n'))).toBe(await codesOf(one, 'Autumn'));
    expect((await one.edu(...line.split(' '), '-')).stdout).toBe(readFileSync(file, 'utf8'));
  });

  test('prints it for programs, too', async () => {
    const { edu } = offline();
    const { stdout, stderr } = await edu(...CREATE, '--name', 'Autumn', '--count', '2', '--json');
    expect(stderr).toBe('');
    const { job, results } = JSON.parse(stdout);
    expect(results).toBe(`edu jobs show ${job} --results results.csv`);
    const rows = (await edu('jobs', 'show', job, '--results', '-')).stdout;
    const printed = await edu('jobs', 'show', job, '--results', '-', '--json');
    expect(JSON.parse(printed.stdout)).toHaveLength(rows.trim().split('\n').length - 1);
    expect((await edu('jobs', 'show', job, '--results', '-', '-o', 'tsv')).stdout).toBe(rows.replaceAll(',', '\t'));
    expect(await edu('jobs', 'show', job, '--results', '-', '-o', 'yaml')).toMatchObject({ code: 2, stdout: '' });
    expect(await edu('jobs', 'show', job, '--results', '-', '--fields', 'edu_code')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: --fields does not apply to results, which are whole rows.\n',
    });
    expect(await edu(...CREATE, '--name', 'B', '--count', '2', '--results', '-', '--no-header')).toMatchObject({
      code: 2,
      stderr: 'Error: --no-header does not apply to results, which are whole rows.\n',
    });
    expect(await edu(...CREATE, '--name', 'B', '--count', '2', '-o', 'csv', '--no-header')).toMatchObject({ code: 2 });
    const headed = await edu(...CREATE, '--name', 'B', '--count', '2', '--header');
    expect(headed.stdout).toMatch(/^edu_row\tedu_status\tedu_id\t.*\n1\tcreated\t/);
    const file = `${home().EDU_STATE_DIR}.csv`;
    const shown = await edu('jobs', 'show', job, '--results', file, '--query', '{job: id}', '--json');
    expect([JSON.parse(shown.stdout), readFileSync(file, 'utf8')]).toEqual([{ job }, rows]);
    expect(rows).toMatch(/^edu_row,edu_status,edu_id,edu_code,edu_error\n1,created,\w+,[a-z0-9]+,\n2,created,/);
  });
});

test.each([
  ['--fields', 'code', 'there is no field "code"'],
  ['--query', 'rows=1', 'is not a JMESPath expression'],
])('a summary with %s %s is refused before anything is sent', async (flag, text, why) => {
  const { edu } = offline();
  const refused = await edu(...CREATE, '--count', '2', '--name', 'Autumn', flag, text);
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([2, '', expect.stringContaining(why)]);
  expect((await edu('jobs', 'list')).stdout).toBe('');
});

describe('with --offline, prints commands that can be pasted', () => {
  const CREATE_TWO = [...CREATE, '--count', '2', '--name', 'Autumn', '--offline', '--limit', '1'];
  const COMMAND = /(?<=: )edu (jobs \w+ \w+.*)$/gm;

  test('in notes', async () => {
    const env = home();
    const { stderr } = await run(CREATE_TWO, { env, randomBytes });
    const commands = [...stderr.matchAll(COMMAND)].map(([, line = '']) => line);
    expect(commands.map((line) => line.replace(/(?<=jobs \w+ )\w+/, 'JOB'))).toEqual([
      'jobs show JOB --results results.csv --offline',
      'jobs resume JOB --offline',
    ]);
    const elsewhere = { ...env, EDU_BASE_URL: 'http://127.0.0.1:9', EDU_TOKEN: 'token-of-the-tests' };
    const refused = await run((commands[1] ?? '').replace(' --offline', '').split(' '), { env: elsewhere });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('Nothing was sent.\nHint: Add --offline.'),
    ]);
    const resumed = await run([...(commands[1] ?? '').split(' '), '--json'], { env, randomBytes });
    expect(JSON.parse(resumed.stdout)).toMatchObject({ done: true, resume: null, retry: null });
  });
});

test('--excel writes results that Excel opens, in German as well, and --from reads them', async () => {
  const one = offline();
  const { edu, path } = one;
  writeFileSync(path('rows.csv'), `name\n=1+1\n"Grün; rot"\n"5 ""a"", b"\n`);
  const file = path('results.csv');
  expect(
    await edu(...CREATE, '--from', path('rows.csv'), '--results', file, '--excel', '--language', 'DE'),
  ).toMatchObject({ stdout: '' });
  const text = readFileSync(file, 'utf8');
  const [header, first, second, third] = text.split('\r\n');
  expect(header).toBe('\ufeffname;edu_row;edu_status;edu_id;edu_code;edu_error');
  expect(first).toMatch(/^"=""=1\+1""";1;created;/);
  expect(second).toMatch(/^"Grün; rot";2;created;/);
  expect(third).toMatch(/^"=""5 """"a"""", b""";3;created;/);
  expect(text.endsWith('\r\n')).toBe(true);
  // As if all had been rejected: rows that were created are done.
  writeFileSync(path('refused.csv'), text.replace(/;created;[^;]+;[^;]+;/g, ';rejected;;;'));
  const again = await edu(
    ...[...CREATE, '--from', path('refused.csv'), '--dry-run', '-o', 'ndjson', '--batch', 'second'],
  );
  expect(
    again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).body.name),
  ).toEqual(['=1+1', 'Grün; rot', '5 "a", b']);
  const json = await edu(...CREATE, '--from', path('rows.csv'), '--results', path('results.json'), '--excel');
  expect(json).toMatchObject({ code: 2, stderr: expect.stringContaining('--excel writes csv') });
  const stdout = await edu(
    'jobs',
    'show',
    (await edu('jobs', 'list', '-o', 'ids')).stdout.trim(),
    '--results',
    '-',
    '--excel',
    '--language',
    'DE',
  );
  expect(stdout.stdout).toBe(text);
});

describe('workbooks', () => {
  test('--results writes one that --from reads again, with the texts of the input', async () => {
    const { edu, path } = offline();
    writeFileSync(path('rows.csv'), 'name,code\n007,\n=1+1,\n12e5,0012345a\n');
    const file = path('results.xlsx');
    expect((await edu(...CREATE, '--from', path('rows.csv'), '--results', file)).code).toBe(0);
    const [first, second, third] = await rowsIn(file);
    expect([first, second, third].map((row) => [row?.name, row?.edu_row, row?.edu_status])).toEqual([
      ['007', '1', 'created'],
      ['=1+1', '2', 'created'],
      ['12e5', '3', 'created'],
    ]);
    expect(third).toMatchObject({ code: '0012345a', edu_code: '0012345a' });
    // As a create, it is done; as a delete, it names what was created.
    const again = await edu(...CREATE, '--from', file, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 3, created: 0, done: true });
    const deleted = await edu('licenses', 'delete', '--from', file, '--yes', '--json');
    expect(JSON.parse(deleted.stdout)).toMatchObject({ rows: 3, done: true });
  });

  test('--failed writes one, whatever the input is, which the same flags read again', async () => {
    const { edu, path } = offline();
    const list = path('list.xlsx');
    const sheets = [
      {
        name: 'Lizenzen',
        rows: [['Licences of 2026'], [], ['name', 'code'], ['007', 'taken1'], ['12e5', 'free1']],
      },
    ];
    writeFileSync(list, workbookOf({ sheets: [...sheets, { name: 'Notes', rows: [['x']] }] }));
    await edu(...CREATE, '--name', 'Other', '--code', 'taken1');
    const flags = [...CREATE, '--sheet', 'Lizenzen', '--header-row', '3'];
    const failed = path('failed.xlsx');
    expect((await edu(...flags, '--from', list, '--failed', failed)).code).toBe(3);
    expect(await rowsIn(failed)).toMatchObject([{ name: '007', code: 'taken1', edu_status: 'conflict' }]);
    const update = ['--on-existing', 'update', '--license-category', '01'];
    expect((await edu(...flags, '--from', failed, ...update)).code).toBe(0);
  });

  test('a job prints its results as one, and jobs show writes the same', async () => {
    const { edu, path } = offline();
    const [printed, shown] = [path('printed.xlsx'), path('shown.xlsx')];
    const job = [...CREATE, '--count', '2', '--name', 'Autumn'];
    expect(await edu(...job, '--to', printed)).toMatchObject({ code: 0, stdout: '' });
    const id = (await edu('jobs', 'list', '-o', 'ids')).stdout.trim();
    expect((await edu('jobs', 'show', id, '--results', shown)).code).toBe(0);
    expect(readFileSync(shown).equals(readFileSync(printed))).toBe(true);
    expect(await rowsIn(shown)).toHaveLength(2);
  });

  test('a cell that is too long for one is an error after the rows, which names another way', async () => {
    const { edu, path } = offline();
    writeFileSync(path('rows.csv'), `name,Note\nA,${'x'.repeat(40_000)}\n`);
    const ran = await edu(...CREATE, '--from', path('rows.csv'), '--ignore', 'none', '--results', path('r.xlsx'));
    expect(ran.code).toBe(2);
    const long = `name\n${'x'.repeat(33_000)}\n`;
    writeFileSync(path('rows.csv'), long);
    const created = await edu(...CREATE, '--from', path('rows.csv'), '--results', path('r.xlsx'));
    expect(created.stderr).toContain(
      'has 33000 characters, more than 32767. The outcome of each row is still recorded.',
    );
    expect(created.stderr).toMatch(/edu jobs resume \w+ --results FILE/);
    expect(existsSync(path('r.xlsx'))).toBe(false);
  });

  test.each(['xls', 'yaml'])('.%s is refused before rows are sent', async (ending) => {
    const { edu } = offline();
    const ran = await edu(...CREATE, '--count', '2', '--name', 'A', '--results', `a.${ending}`);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('rows are written as csv, tsv, json, ndjson or xlsx'),
    });
  });
});

test('--on-existing update changes items that an earlier run left unchanged', async () => {
  const one = offline();
  const { edu, path } = one;
  await edu(...CREATE, '--name', 'Before', '--code', 'autumn1');
  writeFileSync(path('rows.csv'), 'name,code\nAfter,autumn1\n');
  const line = [...CREATE, '--from', path('rows.csv'), '--license-category', '01', '--json'];
  const first = await edu(...line);
  expect(first.code).toBe(3);
  expect(JSON.parse(first.stdout)).toMatchObject({ conflict: 1 });
  const second = await edu(...line, '--on-existing', 'update');
  expect(second.code).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({ updated: 1, conflict: 0, done: true });
  expect(await codesOf(one, 'After')).toBe('autumn1\n');
});

test('--on-existing update resets no category that a licence shows', async () => {
  const one = offline();
  const { edu, path } = one;
  await edu(...CREATE, '--name', 'Before', '--code', 'autumn1');
  writeFileSync(path('rows.csv'), 'name,code\nAfter,autumn1\n');
  const line = [...CREATE, '--from', path('rows.csv'), '--on-existing', 'update', '--results', path('results.csv')];
  const refused = {
    code: 3,
    stderr: expect.stringContaining(
      'it shows the licence category "01", which an update without --license-category may',
    ),
  };
  expect(await edu(...line, '--dry-run')).toMatchObject(refused);
  expect(await edu(...line)).toMatchObject(refused);
  expect(await codesOf(one, 'After')).toBe('');
  const update = ['licenses', 'update', '--from', path('results.csv'), '--reset-license-category'];
  expect((await edu(...update)).code).toBe(0);
  expect(await codesOf(one, 'After')).toBe('autumn1\n');
});
