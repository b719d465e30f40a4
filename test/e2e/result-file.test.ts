/** `--to FILE`: the result in a file, in the format of its ending, or no file. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';
import { ANSWERS, CREATE, edu, GET, LIST } from './output-answers.js';

const fileIn = (name: string): string => join(temporaryFolder(), name);

describe('the file', () => {
  test.each([
    ['licences.csv', 'csv'],
    ['licences.JSON', 'json'],
    ['licences.ndjson', 'ndjson'],
    ['licences.md', 'markdown'],
    ['licences', 'tsv'],
    ['a.b/licences.txt', 'tsv'],
  ])('%s has the bytes that -o %s prints', async (name, format) => {
    const file = fileIn(name.replace('/', '-'));
    expect(await edu([...LIST, '--to', file])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe((await edu([...LIST, '-o', format])).stdout);
  });

  test.runIf(process.platform !== 'win32')('is private, and keeps the mode of the one that it replaces', async () => {
    const file = fileIn('a.csv');
    await edu([...LIST, '--to', file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const shared = fileIn('b.csv');
    writeFileSync(shared, 'old', { mode: 0o644 });
    await edu([...GET, '--to', shared]);
    expect(statSync(shared).mode & 0o777).toBe(0o644);
  });

  test('is what a terminal gets instead of a table, and --to - is stdout', async () => {
    const file = fileIn('a.json');
    expect((await edu([...LIST, '--to', file], 80)).stdout).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(3);
    expect((await edu([...LIST, '--to', '-', '-o', 'ids'])).stdout).toBe('0001\n00020000000000000002\n3\n');
  });

  test('of a write has what it created', async () => {
    const file = fileIn('a.json');
    expect(await edu([...CREATE, '--to', file])).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ code: 'autumn001' });
  });
});

describe('no file', () => {
  test.each([
    ['plan W --out W', '--out cannot be'],
    ['licenses create --from W --results W', '--results cannot be'],
    ['licenses create --from W --failed W', '--failed cannot be'],
    ['roster plan W --out other --failed W', '--failed cannot be'],
    ['roster check W --failed W', '--failed cannot be'],
    ['apply W --confirm 3f9a --receipt W', '--receipt cannot be'],
    ['undo W --out W', '--out cannot be'],
    ['classes sync c1 --from W --receipt W', '--receipt cannot be'],
    ['diff other W --to W', '--to cannot be'],
    ['licenses summary --html W --to W', '--html and --to cannot both be'],
    ['licenses create --count 2 --results W --failed W', '--results and --failed cannot both be'],
    ['plan want --out=', '--out must not be empty'],
    ['licenses create --count 2 --job=', '--job must not be empty'],
    ['export publishers --to W', 'Error: Cannot write'],
    ['licenses list --to a.xlsx -o csv', 'Use one output format, not csv and xlsx.'],
    ['completion bash --to W', 'prints no records'],
  ])('where it would overwrite the input or another output, or cannot be written: %s', async (line, message) => {
    const file = fileIn('W');
    writeFileSync(file, 'kept');
    const ran = await run(`${line} --offline`.split(' ').map((word) => (word === 'W' ? file : word)));
    expect(ran).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  test.each([
    ['a list', LIST],
    ['a summary', ['licenses', 'summary']],
  ])('of %s that broke off: the former one stays', async (_, argv) => {
    const answers: Answers = {
      ...ANSWERS,
      'GET /v1/licenses': ({ query }) =>
        query.type === 'BOOKS' && query.cursor === undefined
          ? { body: { licenses: [{ id: '1' }], paging: { nextCursor: 'x' } } }
          : { status: 400, body: {} },
    };
    const service = await scriptedService(answers);
    const file = fileIn('a.csv');
    writeFileSync(file, 'former');
    expect((await run([...argv, '--to', file], { env: service.env })).code).toBe(3);
    expect(readFileSync(file, 'utf8')).toBe('former');
    expect(readdirSync(join(file, '..'))).toEqual(['a.csv']);
  });

  test.each([
    [...CREATE, '--to'],
    [...CREATE, '--count', '2', '--results'],
    [...CREATE, '--count', '2', '--failed'],
    ['plan', 'want', '--out'],
    ['apply', 'a.plan', '--receipt'],
    ['classes', 'sync', 'c1', '--from', 'users.csv', '--receipt'],
    ['licenses', 'summary', '--html'],
  ])('in a folder that does not exist: refused before anything is sent or noted: %s %s', async (...line) => {
    const service = await scriptedService(ANSWERS);
    const [env, file] = [{ ...home(), ...service.env }, fileIn(join('none', 'a.csv'))];
    const { code, stderr } = await run([...line, file], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Cannot write ${file}: the folder`)]);
    expect([service.sent, existsSync(env.EDU_STATE_DIR)]).toEqual([[], false]);
  });

  test('where the folder of an export as plan or the map of a roster cannot be written', async () => {
    const service = await scriptedService(ANSWERS);
    const env = { ...home(), ...service.env };
    const [file, list, made] = [fileIn('W'), fileIn('list.csv'), fileIn('made')];
    writeFileSync(file, '');
    writeFileSync(list, 'school,class,first name,last name,e-mail\nA,1,B,C,d@s1.example\n');
    for (const line of [
      ['export', '--as-plan', '--to', join(file, 'x')],
      ['roster', 'match', list, '--roster-map', join(file, 'x'), '--yes'],
    ])
      expect(await run(line, { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('Cannot write') });
    expect(service.sent).toEqual([]);
    expect((await run(['export', 'readers', '--as-plan', '--to', made], { env })).code).not.toBe(0);
    expect(existsSync(made)).toBe(false);
  });
});

test('a job of which some rows failed has its file', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const [input, file] = [fileIn('in.csv'), fileIn('out.csv')];
  writeFileSync(input, 'name,code\nAutumn,autumn1\nWinter,taken1\n');
  const create = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1'];
  await run([...create, '--name', 'Other', '--code', 'taken1'], { env, randomBytes });
  const line = [...create, '--from', input, '--to', file, '--results', devNull, '--failed', devNull];
  expect(await run(line, { env, randomBytes })).toMatchObject({ code: 3, stdout: '' });
  expect(readFileSync(file, 'utf8')).toMatch(
    /^name,code,edu_row,.*\nAutumn,autumn1,1,created,.*\nWinter,taken1,2,conflict,/,
  );
});

describe('a workbook', () => {
  test('is refused on a terminal before a request is sent', async () => {
    const service = await scriptedService(ANSWERS);
    const ran = await run([...LIST, '-o', 'xlsx'], { env: service.env, terminal: 80 });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain('Cannot print xlsx on a terminal.');
    expect(ran.stderr).toContain('Write it to a file: --to FILE.xlsx');
    expect(service.sent).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ['a list', LIST],
    ['an item', GET],
    ['a write', CREATE],
    ['an empty list', ['schools', 'list']],
    ['a query of objects', [...LIST, '--query', '[].{a: id, b: maximumActivations}']],
    ['a plain value', [...LIST, '--query', 'length(@)']],
    ['nothing', [...GET, '--query', 'none']],
  ])('of %s goes to stdout and to a file, the same', async (_, argv) => {
    const file = fileIn('a.xlsx');
    expect(await edu([...argv, '--to', file, '--quiet'])).toMatchObject({ code: 0, stdout: '' });
    const bytes = readFileSync(file);
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    expect((await edu([...argv, '-o', 'xlsx'])).stdout).toBe(bytes.toString());
  });
});
