/**
 * Truncated, empty or overwritten files of a job: each error names the file and the next step, and other jobs are
 * unaffected.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownerOf } from '../support/lock.js';
import { home, type Ran, run, sharedFolder } from '../support/run.js';

const template = sharedFolder();
const folder = sharedFolder();
let env: Record<string, string>;
/** The job that is damaged. */
let bad: string;
let id: string;
let line: readonly string[];

const edu = (...argv: readonly string[]): Promise<Ran> => run(argv, { env, randomBytes });
const inJob = (name: string): string => join(env.EDU_STATE_DIR ?? '', 'jobs', id, name);

beforeAll(async () => {
  env = { EDU_CONFIG_DIR: join(template, 'config'), EDU_STATE_DIR: join(template, 'state'), EDU_OFFLINE: '1' };
  for (const name of ['good', 'bad']) {
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, `name\n${name} 1\n${name} 2\n`);
    line = ['publishers', 'create', '--from', file, '--job', name];
    expect((await edu(...line)).code).toBe(0);
  }
  bad = (await edu('jobs', 'show', 'bad', '--query', 'id')).stdout.trim();
});

beforeEach(() => {
  id = bad;
  env = { ...home(), EDU_OFFLINE: '1' };
  cpSync(join(template, 'state'), env.EDU_STATE_DIR ?? '', { recursive: true });
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

const DAMAGED = 'is missing, or not as this version of edu wrote it';

const MANIFESTS: readonly (readonly [string, (text: string) => string])[] = [
  ['empty', () => ''],
  ['of a later edu', changed('version', 3)],
  ['with another value', changed('values', { country: 'BE' })],
];

test.each(MANIFESTS)('a manifest %s is reported by every command that needs it', async (_, damage) => {
  const file = inJob('manifest.json');
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  const why = `${file} ${DAMAGED}`;
  for (const argv of [['jobs', 'show', id], ['jobs', 'resume', id.slice(0, 6)], ['jobs', 'retry', id], line]) {
    const { code, stdout, stderr } = await edu(...argv);
    expect({ code, stdout }, argv.join(' ')).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Cannot use the job ${id}: ${why}`);
    expect(stderr).toContain(`use the version of edu that wrote it. To remove the job: edu jobs remove ${id} --yes`);
  }
  const { code, stderr } = await edu('jobs', 'show', 'bad');
  expect(code).toBe(5);
  expect(stderr).toContain('There is no job "bad"');
  expect(stderr).toContain(id);
  const jobs = await listed();
  expect(jobs.bad).toMatchObject({ id, name: null, state: 'damaged', rows: null, left: null });
  expect(jobs.good).toMatchObject({ state: 'done', rows: 2, done: 2 });
  expect(jobs.stderr).toContain(`The job ${id} is damaged: ${why}`);
});

test('rows of a job with a damaged manifest are refused in other files, too', async () => {
  writeFileSync(inJob('manifest.json'), '');
  const grown = join(folder, 'grown.csv');
  const create = ['publishers', 'create', '--from', grown];
  for (const [name, code] of [
    ['bad', 2],
    ['good', 0],
  ] as const) {
    writeFileSync(grown, `name\n${name} 1\n${name} 3\n`);
    for (const argv of [[...create, '--dry-run'], create]) {
      const ran = await edu(...argv);
      expect([ran.code, ran.stderr.includes(`Cannot use the job ${id}: `)], name).toEqual([code, code === 2]);
    }
  }
  rmSync(inJob('rows.bin'));
  mkdirSync(inJob('rows.bin'));
  const unread = await edu(...create, '--batch', 'again');
  expect([unread.code, unread.stderr]).toEqual([
    2,
    expect.stringMatching(/rows\.bin cannot be read: .*edu jobs remove/s),
  ]);
});

test('removes a job with a damaged manifest; its command then starts a new one', async () => {
  writeFileSync(inJob('manifest.json'), '');
  const asked = await edu('jobs', 'remove', id);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain(
    `Refusing to remove the job ${id} (it is unknown what was sent: ${inJob('manifest.json')} ${DAMAGED}`,
  );
  expect((await edu('jobs', 'remove', id, '--yes')).code).toBe(0);
  expect((await listed()).bad).toBeUndefined();
  const again = await edu(...line, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ exists: 2, created: 0 });
});

test('a damaged journal: jobs are still listed, and the job can be removed', async () => {
  writeFileSync(inJob('journal.ndjson'), 'garbage\n');
  const { bad: damaged, good, stderr } = await listed();
  expect(damaged).toMatchObject({ id, name: 'bad', state: 'damaged', rows: 2, done: null });
  expect(good).toMatchObject({ state: 'done' });
  expect(stderr).toContain(`${inJob('journal.ndjson')} is damaged at byte 0`);
  const shown = await edu('jobs', 'show', 'bad');
  expect(shown.code).toBe(2);
  expect(shown.stderr).toContain('Hint: Nothing was sent.');
  expect((await edu('jobs', 'remove', 'bad')).stderr).toContain('(it is unknown what was sent: ');
  expect((await edu('jobs', 'remove', 'bad', '--yes')).code).toBe(0);
  expect((await listed()).bad).toBeUndefined();
});

const oneByte = (bytes: Buffer): Buffer => {
  const changedBytes = Buffer.from(bytes);
  const at = changedBytes.length - 2;
  changedBytes[at] = (changedBytes[at] ?? 0) ^ 1;
  return changedBytes;
};

describe.each(['input', 'rows.bin', 'references.ndjson'])('a file of an unfinished job that is damaged: %s', (name) => {
  test.each([['one byte', oneByte]])('sends nothing: %s', async (_, damage) => {
    const file = join(folder, 'more.csv');
    writeFileSync(file, 'name\nmore 1\nmore 2\nmore 3\n');
    const more = ['publishers', 'create', '--from', file, '--job', 'more'];
    expect((await edu(...more, '--limit', '1')).code).toBe(0);
    id = (await edu('jobs', 'show', 'more', '--query', 'id')).stdout.trim();
    const whole = readFileSync(inJob(name));
    const before = (await edu('publishers', 'list')).stdout;
    writeFileSync(inJob(name), damage(whole));
    for (const argv of [['jobs', 'resume', 'more'], more, [...more, '--dry-run']]) {
      const { code, stderr } = await edu(...argv);
      expect([code, stderr], argv.join(' ')).toEqual([2, expect.stringContaining(`Cannot use the job ${id}: `)]);
      expect(stderr).toContain(inJob(name));
      expect(stderr).toContain(`edu jobs remove ${id} --yes`);
    }
    expect((await edu('publishers', 'list')).stdout).toBe(before);
    writeFileSync(inJob(name), whole);
    expect((await edu('jobs', 'resume', 'more')).code).toBe(0);
  });
});

test('rows that another job, which is being run, is about to send are refused', async () => {
  writeFileSync(join(folder, 'ran.csv'), 'name\nran 1\nran 2\n');
  const ran = ['publishers', 'create', '--from', join(folder, 'ran.csv'), '--job', 'ran', '--limit', '1'];
  expect((await edu(...ran)).code).toBe(0);
  id = (await edu('jobs', 'show', 'ran', '--query', 'id')).stdout.trim();
  writeFileSync(inJob('lock'), JSON.stringify(ownerOf(process.ppid, 'other')));
  const create = ['publishers', 'create', '--from', join(folder, 'other.csv')];
  writeFileSync(join(folder, 'other.csv'), 'name\nran 2\nran 3\n');
  expect(await edu(...create)).toMatchObject({
    ...{
      code: 2,
      stderr: expect.stringContaining(`belong to the job ran, which is being run by process ${process.ppid} on`),
    },
  });
  writeFileSync(join(folder, 'other.csv'), 'name\nran 1\nran 3\n');
  expect(await edu(...create)).toMatchObject({ code: 0 });
});

test('a copy of the input that is missing', async () => {
  rmSync(inJob('input'));
  const { code, stderr } = await edu('jobs', 'resume', 'bad');
  expect(code).toBe(2);
  expect(stderr).toContain(`Cannot use the job ${id}: ${inJob('input')} is missing`);
});
