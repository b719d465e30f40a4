/** `edu jobs show JOB --failed`: failed rows with their position in the input and the reason. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { home, type Ran, run, temporaryFolder } from '../support/run.js';

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1'];
const TAKEN = 'a licence with the code "welcome1" exists already with other values: name is "Welcome", not ';

let env: Record<string, string>;
const edu = (...argv: readonly string[]): Promise<Ran> => run(argv, { env, randomBytes });
const failed = (...argv: readonly string[]): Promise<Ran> => edu('jobs', 'show', 'lic', '--failed', ...argv);

/** A job of licences with these names and codes. @returns its exit code */
async function job(text: string): Promise<number> {
  const file = join(temporaryFolder(), 'licences.csv');
  writeFileSync(file, text);
  return (await edu(...CREATE, '--from', file, '--job', 'lic')).code;
}

beforeEach(() => {
  env = { ...home(), EDU_OFFLINE: '1' };
});

test('lists failed rows in the order of the input, with their line numbers', async () => {
  // One code exists in the sample data, the others are new.
  expect(await job('name,code\nA,new1\nB,welcome1\n\n"C\nc",new2\n')).toBe(3);
  const { code, stdout, stderr } = await failed('--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual([
    { row: 2, line: 3, status: 'conflict', code: 'welcome1', error: expect.stringContaining(`${TAKEN}"B"`) },
  ]);
});

test('lists failed rows in all formats, with --fields, --limit and --sort', async () => {
  expect(await job('name,code\nB,welcome1\nA,new1\n')).toBe(3);
  const folder = join(env.EDU_STATE_DIR ?? '', 'jobs');
  const id = (await edu('jobs', 'show', 'lic', '--query', 'id')).stdout.trim();
  // The other row now fails as well, as after a retry.
  appendFileSync(join(folder, id, 'journal.ndjson'), '{"row":2,"state":"rejected","error":"no, not\\tthis"}\n');
  const fields = ['--fields', 'row,status,error'];
  const csv = (await failed('-o', 'csv', ...fields)).stdout.split('\n');
  expect([csv[0], csv[2]]).toEqual(['row,status,error', '2,rejected,"no, not\tthis"']);
  expect(
    (await failed('-o', 'ndjson', ...fields)).stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toEqual([
    { row: 1, status: 'conflict', error: expect.stringContaining(TAKEN) },
    { row: 2, status: 'rejected', error: 'no, not\tthis' },
  ]);
  expect((await failed('-o', 'tsv', '--sort', 'row:desc', '--fields', 'row')).stdout).toBe('2\n1\n');
  expect((await failed('-o', 'table', '--fields', 'row,line')).stdout).toMatch(/ROW\s+LINE\n.*\n\s*1\s+2\n\s*2\s+3\n/);
  const cut = await failed('--limit', '1', '--fields', 'row');
  expect(cut.stdout).toBe('1\n');
  expect(cut.stderr).toContain('cut by --limit after 1 failed row; there are more');
  expect((await failed('--limit', '2')).stderr).toBe('');
});

test('leaves the journal of a running job unchanged', async () => {
  expect(await job('name,code\nB,welcome1\n')).toBe(3);
  const id = (await edu('jobs', 'show', 'lic', '--query', 'id')).stdout.trim();
  const file = join(env.EDU_STATE_DIR ?? '', 'jobs', id, 'journal.ndjson');
  appendFileSync(file, '{"row":1,"sta');
  const before = readFileSync(file, 'utf8');
  expect((await failed('--fields', 'row')).stdout).toBe('1\n');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('has no line numbers without an input file, and no rows when none failed', async () => {
  expect((await edu(...CREATE, '--name', 'A', '--count', '2', '--job', 'lic')).code).toBe(0);
  expect(await failed('--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  const id = (await edu('jobs', 'show', 'lic', '--query', 'id')).stdout.trim();
  appendFileSync(
    join(env.EDU_STATE_DIR ?? '', 'jobs', id, 'journal.ndjson'),
    '{"row":2,"state":"unknown","error":"cut off"}\n',
  );
  expect(JSON.parse((await failed('--json')).stdout)).toEqual([
    { row: 2, line: null, status: 'unknown', code: null, error: 'cut off' },
  ]);
});
