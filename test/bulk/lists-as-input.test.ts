/** What edu writes, edu reads: a list, edited, is the input of update, delete, cancel and assign without --ignore. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { resources } from '../../src/contract/index.js';
import type { Resource } from '../../src/contract/resource.js';
import { offline } from '../support/offline.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

function world() {
  const one = offline();
  return {
    ...one,
    async listOf(format: readonly string[], ...argv: readonly string[]): Promise<string> {
      const { code, stdout } = await one.edu(...argv, ...format, '--limit', '2');
      expect(code).toBe(0);
      return stdout;
    },
  };
}

/** The flags that the list of a resource needs. */
const OF: Readonly<Record<string, readonly string[]>> = {
  classes: ['--school', 's1'],
  users: ['--organization', 's1'],
};

/** What an update needs that no list shows, or decides about. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  books: ['--content-language', 'DE'],
  readers: ['--content-language', 'DE'],
  licenses: ['--reset-license-category', '--yes'],
};

const UPDATED = (resources as readonly Resource[])
  .filter(({ endpoints: { list, update } }) => list !== undefined && update !== undefined)
  .map(({ name }) => name);

const FORMATS: readonly (readonly string[])[] = [['-o', 'csv'], ['--json'], ['--excel', '--language', 'DE']];

/** Another value of the same form. */
function edited(cell: string): string {
  if (cell === 'true' || cell === 'false') return String(cell !== 'true');
  if (/^\d{4}-\d\d-\d\d/.test(cell)) return `2031${cell.slice(4)}`;
  return /^\d{1,6}$/.test(cell) ? `${Number(cell) + 1}` : `${cell}x`;
}

test('lists of all resources that can be updated are tested', () => expect(UPDATED).toHaveLength(8));

describe.each(UPDATED)('a list of %s', (resource) => {
  test('changes nothing in any format', async () => {
    const { edu, listOf } = world();
    const file = join(temporaryFolder(), 'list');
    for (const format of FORMATS) {
      writeFileSync(file, await listOf(format, resource, 'list', ...(OF[resource] ?? [])));
      const line = [resource, 'update', '--from', file, ...(format.includes('DE') ? ['--language', 'DE'] : [])];
      const { code, stdout, stderr } = await edu(...line, '--dry-run');
      const plan = 'Plan for 2 rows: 2 unchanged. Nothing was sent.';
      expect([code, stdout, stderr], format.join(' ')).toEqual([0, '', expect.stringContaining(plan)]);
    }
    const book = join(temporaryFolder(), 'list.xlsx');
    const toBook = ['list', ...(OF[resource] ?? []), '--limit', '2', '-o', 'xlsx', '--to', book];
    expect((await edu(resource, ...toBook)).code).toBe(0);
    expect((await edu(resource, 'update', '--from', book, '--dry-run')).stderr).toContain('2 rows: 2 unchanged');
    const { code, stderr } = await edu(
      resource,
      'update',
      '--from',
      file,
      '--language',
      'DE',
      '--results',
      `${file}.csv`,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing to do: all 2 rows are unchanged.')]);
    expect(readFileSync(`${file}.csv`, 'utf8')).toMatch(
      resource === 'licenses' ? /2,unchanged,[^,]+,[^,]+,/ : /2,unchanged,[^,]+/,
    );
  });

  test('with an edited cell changes the item, or names the column', async () => {
    const { edu, listOf } = world();
    const text = await listOf(['-o', 'csv'], resource, 'list', ...(OF[resource] ?? []));
    const [header = [], first = [], second = []] = Papa.parse<string[]>(text.trim()).data;
    const file = join(temporaryFolder(), 'list.csv');
    for (const [place, name] of header.entries()) {
      const row = first.map((cell, at) => (at === place ? edited(cell) : cell));
      writeFileSync(file, Papa.unparse([header, row, second]));
      const { code, stderr } = await edu(resource, 'update', '--from', file, '--dry-run', ...(NEEDED[resource] ?? []));
      const isChanged = code === 0 && stderr.includes('1 would be changed, 1 unchanged');
      expect([isChanged || stderr.includes(`"${name}"`), `${name}: ${stderr}`]).toEqual([true, expect.anything()]);
    }
  });
});

test('only rows that change something are sent, and the summary counts the others', async () => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'schools.csv');
  writeFileSync(file, (await listOf(['-o', 'csv'], 'schools', 'list')).replace('Köln', 'Bonn'));
  const line = ['schools', 'update', '--from', file];
  const { code, stderr } = await edu(...line);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Job \w+, 2 rows: 1 done, 1 unchanged; /)]);
  expect((await edu('schools', 'get', 's1', '--fields', 'city')).stdout).toBe('Bonn\n');
  // The same file again: the job is over, and its rows are compared anew.
  for (let again = 0; again < 2; again++)
    expect((await edu(...line)).stderr).toBe('Nothing to do: all 2 rows are unchanged.\n');
});

test('a user stays in the organization of which a list shows the type alone', async () => {
  const { edu } = offline(home(), { EDU_ORGANIZATION: 's2' });
  const file = join(temporaryFolder(), 'users.csv');
  writeFileSync(file, 'id,lastName,organization.type\n0000000155,Neu,School\n');
  const line = ['users', 'update', '--from', file, '--dry-run', '--json', '--query', '[].body.organization'];
  expect(JSON.parse((await edu(...line)).stdout)).toEqual([{ id: 's1', type: 'School' }]);
  writeFileSync(file, 'id,lastName,organization.type\n0000000155,Neu,Publisher\n');
  expect((await edu(...line)).stderr).toContain('--organization-type Publisher needs --organization as well.');
});

test('one item, as get prints it, is one row, and a second one is named', async () => {
  const { edu } = world();
  const { stdout } = await edu('schools', 'get', 's1', '--json');
  const line = ['schools', 'update', '--from', join(temporaryFolder(), 'one.json')];
  writeFileSync(line[3] ?? '', stdout);
  expect((await edu(...line)).stderr).toContain('Nothing to do: the row is unchanged.');
  writeFileSync(line[3] ?? '', stdout + stdout);
  const place = `line ${stdout.split('\n').length}, column 1: is not JSON`;
  expect(await edu(...line)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`1 problem. Nothing was sent.\n  - ${place}`),
  });
});

test('one row is counted in the singular', async () => {
  const { edu } = world();
  const file = join(temporaryFolder(), 'schools.csv');
  writeFileSync(file, 'id,city\ns1,Köln\n');
  const line = ['schools', 'update', '--from', file];
  expect((await edu(...line, '--dry-run')).stderr).toBe('Plan for 1 row: 1 unchanged. Nothing was sent.\n');
  expect((await edu(...line)).stderr).toBe('Nothing to do: the row is unchanged.\n');
});

test('a cell that cannot be changed is an error with its place, the reason and the remedy', async () => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'classes.csv');
  const text = await listOf(['-o', 'csv'], 'classes', 'list', '--school', 's1');
  writeFileSync(file, text);
  // A finished job of the same rows has other cells to compare.
  expect((await edu('classes', 'update', '--from', file)).code).toBe(0);
  writeFileSync(file, text.replace(',SCQXZD,', ',MYCODE,'));
  const { code, stderr } = await edu('classes', 'update', '--from', file);
  expect(code).toBe(2);
  expect(stderr).toContain('line 2, column 3 "classCode": is "MYCODE", but the service shows "SCQXZD"');
  expect(stderr).toContain('this command cannot change it. Write that, or leave the column out: --ignore classCode');
  const ignored = await edu('classes', 'update', '--from', file, '--ignore', 'classCode');
  expect([ignored.code, ignored.stderr]).toEqual([0, expect.stringContaining('all 2 rows are unchanged')]);
});

test('an edited field of JSON is named with its place, also where its row is skipped', async () => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'classes.json');
  writeFileSync(file, (await listOf(['--json'], 'classes', 'list', '--school', 's1')).replace('"SCQXZD"', '"MYCODE"'));
  const { code, stderr } = await edu('classes', 'update', '--from', file);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/line \d+, column \d+ "classCode": is "MYCODE", but/)]);
  const skipped = await edu('classes', 'update', '--from', file, '--skip-invalid', '--dry-run');
  expect(skipped.stderr).toMatch(/row 1: column \d+ "classCode" is "MYCODE", but/);
});

test('a required value that the service does not return is wanted only for rows that change', async () => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'books.csv');
  writeFileSync(file, (await listOf(['-o', 'csv'], 'books', 'list')).replace('Zahlenwelt 6', 'Zahlenwelt VI'));
  const without = await edu('books', 'update', '--from', file);
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining('line 3: --content-language is missing, and the service does not return the present value'),
  ]);
  const { stdout, stderr } = await edu('books', 'update', '--from', file, '--content-language', 'DE', '--dry-run');
  expect(stdout.match(/^PUT .*$/gm)).toEqual(['PUT http://offline.invalid/v1/books/B2?language=EN']);
  expect(stderr).toContain('1 would be changed, 1 unchanged');
});

test('the category of a list decides nothing, and is wanted only for licences that change', async () => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'licences.csv');
  writeFileSync(file, (await listOf(['-o', 'csv'], 'licenses', 'list')).replace('Welcome,', 'Hello,'));
  const line = ['licenses', 'update', '--from', file];
  const without = await edu(...line);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('1 row shows a licence category')]);
  for (const flags of [['--license-category', '01'], ['--reset-license-category']]) {
    const { stdout, stderr } = await edu(...line, ...flags, '--dry-run');
    expect([stdout.includes('"licenseCategory": "01"'), stderr.includes('1 would be changed, 1 unchanged')]).toEqual([
      flags.length === 2,
      true,
    ]);
  }
});

test.each(['-o ids', '-o ndjson', '-o csv'])('an empty list is an input without rows: %s', async (format) => {
  const { edu, env } = world();
  const { stdout } = await edu('licenses', 'list', '--search', 'no such licence', ...format.split(' '));
  const { code, stderr } = await run(['licenses', 'delete', '--from', '-'], { env, input: stdout });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^(Warning: .*\n)?Nothing to do: the input has no rows\.\n$/),
  ]);
});

test.each([
  ['licenses', ['delete']],
  ['users', ['anonymize']],
  ['classes', ['delete']],
])('a list of %s names the items of %j', async (resource, argv) => {
  const { edu, listOf } = world();
  const flags = { classes: ['--school', 's1'], users: ['--organization', 's1'] }[resource] ?? [];
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, await listOf(['-o', 'csv'], resource, 'list', ...flags));
  const { code, stderr } = await edu(resource, ...argv, '--from', file, '--dry-run');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing was sent')]);
});

test.each([
  ['--extend', '1y', 'days, until or extend', 'expiration.date'],
  ['--name', 'Autumn', 'name', 'name'],
])('%s, which every row of a list has already, is a warning', async (flag, value, own, column) => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, await listOf(['-o', 'csv'], 'licenses', 'list', '--expires-after', 'today'));
  const line = ['licenses', 'update', '--from', file, flag, value, '--reset-license-category', '--dry-run'];
  const { code, stderr } = await edu(...line);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${flag} has no effect: every row has its own ${own}.`)]);
  const changed = await edu(...line, '--ignore', column);
  expect([changed.code, changed.stderr]).toEqual([0, expect.stringContaining('2 would be changed')]);
  expect(changed.stderr).not.toContain('no effect');
});

test.each([
  ['-o', 'csv'],
  ['-o', 'tsv', '--header'],
])('a cell that is not edited is sent as the service has it: %j %s', async (...format) => {
  const school = { id: 's1', name: '"A\\B\nC" ', city: 'Bonn', country: 'DE', roles: [{ id: 'r1', name: '"R\\1"' }] };
  const { env, sent } = await scriptedService({
    'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', roles: [] } },
    'GET /v1/users/u1': { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' } } },
    'GET /v1/schools': { body: { schools: [school] } },
    'GET /v1/schools/s1': { body: school },
    'PUT /v1/schools/s1': { body: school },
  });
  const options = { env: { ...home(), ...env } };
  const list = await run(['schools', 'list', ...format], options);
  const input = list.stdout.replace('Bonn', 'Ulm');
  const { code, stderr } = await run(['schools', 'update', '--from', '-'], { ...options, input });
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 done')]);
  expect(sent.find(({ line }) => line.startsWith('PUT'))?.json).toEqual({
    name: school.name,
    city: 'Ulm',
    country: 'DE',
  });
});

test.each([[400], [403, '--skip-invalid'], [404]])(
  'an item that cannot be read any more, with %i, fails alone',
  async (status, ...flags) => {
    const school = (id: string) => ({ id, name: id, city: 'Bonn', country: 'DE' });
    const { env } = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', roles: [] } },
      'GET /v1/users/u1': { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' } } },
      'GET /v1/schools': { body: { schools: [school('s1'), school('s2')] } },
      'GET /v1/schools/s1': { body: school('s1') },
      'GET /v1/schools/s2': { status, body: { message: 'no' } },
      'PUT /v1/schools/s1': { body: school('s1') },
    });
    const input = 'id,city\ns1,Ulm\ns2,Ulm\n';
    const line = ['schools', 'update', '--from', '-', '--json', ...flags.map(String)];
    const ran = await run(line, { env: { ...home(), ...env }, input });
    expect([ran.code, ran.stdout && JSON.parse(ran.stdout)]).toMatchObject([
      3,
      { updated: 1, rejected: 1, invalid: 0 },
    ]);
  },
);

describe('fields of the service that the API document does not name', () => {
  const EXTRA = { futureField: { a: 1 }, tags: ['x', 'y'] };
  const school = { id: 's1', name: 'A', city: 'Bonn', country: 'DE', ...EXTRA };
  const licence = { id: 'l1', name: 'L', code: 'abc', type: 'Teacher', maximumActivations: 1, ...EXTRA };

  async function service() {
    const scripted = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', roles: [] } },
      'GET /v1/users/u1': { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' } } },
      'GET /v1/schools': { body: { schools: [school] } },
      'GET /v1/schools/s1': { body: school },
      'PUT /v1/schools/s1': { body: school },
      'GET /v1/licenses/l1': { body: licence },
      'GET /v1/licenses': { body: { licenses: [licence] } },
    });
    const env = { ...home(), ...scripted.env };
    return {
      ...scripted,
      edu: (input: unknown, ...argv: readonly string[]) =>
        run([...argv, '--from', '-'], { env, input: JSON.stringify([input]) }),
    };
  }

  test('come back as they were shown, and are not sent', async () => {
    const { edu, sent } = await service();
    const updated = await edu({ ...school, city: 'Ulm' }, 'schools', 'update');
    expect([updated.code, updated.stderr]).toEqual([0, expect.stringContaining('1 done')]);
    expect(sent.find(({ line }) => line.startsWith('PUT'))?.json).toEqual({ name: 'A', city: 'Ulm', country: 'DE' });
    const deleted = await edu(licence, 'licenses', 'delete', '--dry-run');
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining('"futureField.a", "tags"')]);
  });

  test.each([
    [{ futureField: { a: 2 } }, '"futureField.a": is "2", but the service shows "1"'],
    [{ nmae: 'B' }, '"nmae": is neither a column of this command nor a field of the item. Did you mean name?'],
  ])('are an error if they differ, as unknown columns are: %j', async (changed, message) => {
    const { edu, sent } = await service();
    const ran = await edu({ ...school, ...changed }, 'schools', 'update');
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(sent.filter(({ line }) => line.startsWith('PUT'))).toEqual([]);
  });
});
