/**
 * Truncated, empty or overwritten files of a job: each error names the file and the next step, and other jobs are
 * unaffected.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { home, type Ran, run, temporaryFolder } from '../support/run.js';

let env: Record<string, string>;
let folder: string;
let id: string;
let line: readonly string[];

const edu = (...argv: readonly string[]): Promise<Ran> => run(argv, { env, randomBytes });
const inJob = (name: string): string => join(env.EDU_STATE_DIR ?? '', 'jobs', id, name);

beforeEach(async () => {
  env = { ...home(), EDU_OFFLINE: '1' };
  folder = temporaryFolder();
  for (const name of ['good', 'bad']) {
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, `name\n${name} 1\n${name} 2\n`);
    line = ['publishers', 'create', '--from', file, '--job', name];
    expect((await edu(...line)).code).toBe(0);
  }
  id = (await edu('jobs', 'show', 'bad', '--query', 'id')).stdout.trim();
});

/**
 * The listed line of the job.
 * @returns also the line of the other job
 */
async function listed() {
  const { code, stdout, stderr } = await edu('jobs', 'list', '-o', 'ndjson');
  expect(code).toBe(0);
  const jobs = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  return { stderr, bad: jobs.find((job) => job.id === id), good: jobs.find(({ name }) => name === 'good') };
}

const changed = (field: string, value: unknown) => (text: string) =>
  JSON.stringify({ ...JSON.parse(text), [field]: value });

const MANIFESTS: readonly (readonly [string, (text: string) => string, string])[] = [
  ['empty', () => '', 'is empty'],
  ['of blanks', () => ' \n', 'is empty'],
  ['cut', (text) => text.slice(0, 100), 'is not valid JSON'],
  ['zeros', () => '\0'.repeat(500), 'is not valid JSON'],
  ['a list', () => '[]', 'is not a JSON object'],
  ['without a field', changed('path', undefined), 'has no "path"'],
  ['with a text for a number', changed('rows', 'two'), 'has the invalid "rows" "two"'],
  ['with a number for a text', changed('baseUrl', 7), 'has the invalid "baseUrl" 7'],
  ['with values of no kind', changed('values', { name: {} }), 'has the invalid "values" {"name":{}}'],
  ['of another job', changed('id', 'other'), 'belongs to another job'],
  ['of a later edu', changed('version', 3), 'was written by a later version of edu (format 3)'],
];

describe.each(MANIFESTS)('a manifest %s', (_, damage, says) => {
  let why: string;
  beforeEach(() => {
    const file = inJob('manifest.json');
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    why = `${file} ${says}`;
  });

  test('is reported by every command that needs it', async () => {
    for (const argv of [['jobs', 'show', id], ['jobs', 'resume', id.slice(0, 6)], ['jobs', 'retry', id], line]) {
      const { code, stdout, stderr } = await edu(...argv);
      expect({ code, stdout }, argv.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`Cannot use the job ${id}: ${why}`);
      expect(stderr).toContain(`edu jobs remove ${id} --yes`);
    }
    const { code, stderr } = await edu('jobs', 'show', 'bad');
    expect(code).toBe(5);
    expect(stderr).toContain('There is no job "bad"');
    expect(stderr).toContain(id);
  });

  test('leaves other jobs in the list', async () => {
    const { bad, good, stderr } = await listed();
    expect(bad).toMatchObject({ id, name: null, state: 'damaged', rows: null, left: null });
    expect(good).toMatchObject({ state: 'done', rows: 2, done: 2 });
    expect(stderr).toContain(`The job ${id} is damaged: ${why}`);
  });
});

test('reports a manifest that is missing or a folder', async () => {
  rmSync(inJob('manifest.json'));
  expect((await edu('jobs', 'show', id)).stderr).toContain(`${inJob('manifest.json')} is missing`);
  mkdirSync(inJob('manifest.json'));
  expect((await edu('jobs', 'show', id)).stderr).toContain(
    `${inJob('manifest.json')} can't be read: it is not a regular file`,
  );
});

test('removes a job with a damaged manifest; its command then starts a new one', async () => {
  writeFileSync(inJob('manifest.json'), '');
  const asked = await edu('jobs', 'remove', id);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain(
    `Remove the job ${id}? It is unknown what was sent: ${inJob('manifest.json')} is empty`,
  );
  expect((await edu('jobs', 'remove', id, '--yes')).code).toBe(0);
  expect((await listed()).bad).toBeUndefined();
  const again = await edu(...line, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ exists: 2, created: 0 });
});

test('a damaged journal: jobs are still listed, and the job can be removed', async () => {
  writeFileSync(inJob('journal.ndjson'), 'garbage\n');
  const { bad, good, stderr } = await listed();
  expect(bad).toMatchObject({ id, name: 'bad', state: 'damaged', rows: 2, done: null });
  expect(good).toMatchObject({ state: 'done' });
  expect(stderr).toContain(`${inJob('journal.ndjson')} is damaged at byte 0`);
  const shown = await edu('jobs', 'show', 'bad');
  expect(shown.code).toBe(2);
  expect(shown.stderr).toContain('Hint: Nothing was sent.');
  expect((await edu('jobs', 'remove', 'bad')).stderr).toContain('It is unknown what was sent');
  expect((await edu('jobs', 'remove', 'bad', '--yes')).code).toBe(0);
  expect((await listed()).bad).toBeUndefined();
});

test.each(['{', 'null', '[1,2]'])('damaged references of a job: %s', async (content) => {
  writeFileSync(inJob('references.ndjson'), `${content}\n`);
  for (const argv of [['jobs', 'resume', 'bad'], line]) {
    const { code, stderr } = await edu(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot use the job ${id}: ${inJob('references.ndjson')} is damaged`);
  }
});

test('a copy of the input that is missing or cut', async () => {
  const whole = readFileSync(inJob('input'));
  rmSync(inJob('input'));
  const missing = await edu('jobs', 'resume', 'bad');
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain(`Cannot use the job ${id}: ${inJob('input')} is missing`);
  writeFileSync(inJob('input'), 'name\nbad 1\n');
  rmSync(inJob('journal.ndjson'));
  const cut = await edu('jobs', 'resume', 'bad');
  expect(cut.code).toBe(1);
  expect(cut.stderr).toContain("The job's copy of its input ends after row 1 of 2.");
  writeFileSync(inJob('input'), whole);
  expect((await edu('jobs', 'resume', 'bad')).code).toBe(0);
});
