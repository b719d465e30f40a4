/** What Tab offers: words, IDs, and other names of items. The shells themselves: test/shells. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordingServer } from '../support/recording-server.js';
import { run, sharedFolder } from '../support/run.js';

const folder = sharedFolder();
const env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state'), EDU_OFFLINE: '1' };
const edu = (...argv: readonly string[]) => run(argv, { env, randomBytes });

// A Tab has 1.5 s, which the first line of a process needs to load the sources and to create the state.
beforeAll(() => edu('schools', 'list'));

/** The candidates for a line whose last word is the unfinished one. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await edu('__complete', ...line);
  return stdout
    .split('\n')
    .slice(1, -1)
    .map((row) => row.split('\t')[0] ?? '');
}

describe('a reference', () => {
  test.each([
    [
      ['schools', 'get', ''],
      ['s1', 's2', 's3', 's4', 's5'],
    ],
    [['schools', 'get', 'gymn'], ['Gymnasium am Kirchplatz']],
    [['mcp', '--organization', 'gymn'], ['Gymnasium am Kirchplatz']],
    [['books', 'get', '97831000000'], expect.arrayContaining(['9783100000019', '9783100000026'])],
    [['licenses', 'get', 'code:welc'], ['code:welcome1']],
    [['licenses', 'get', 'name:Welc'], ['name:Welcome']],
    [['books', 'get', 'code:978'], []],
    [['users', 'list', '--organization', 'Éd'], ['Éditions du Canal']],
    [['users', 'list', '--organization', 's1', '--role', 'Adm'], ['Administrator']],
    [['users', 'update', 'Femke Coördes', '--in', 's1', '--add-role', 's1-t'], ['s1-teacher']],
    [
      ['classes', 'assign', '--school', 'Gymnasium am Kirchplatz', '5'],
      ['5a', '5b'],
    ],
    [['classes', 'assign', '--in', 's1', '5a', 'femke.c'], ['femke.coordes.155@s1.example.org']],
    [['licenses', 'get', 'h5'], ['h5dkwbz8eqm']],
    [['licenses', 'create', '--book', 'B1,B7'], ['B1,B7']],
    [['licenses', 'list', '--fields', 'id,code,i'], []],
    [['licenses', 'list', '--fields', 'id,na'], ['id,name']],
    [['schools', 'get', '--', '--y'], []],
    [['schools', 'get', '--', '--output=j'], []],
    [['licenses', 'assign', '--', 'welcome1', 'viewer@'], ['viewer@example.org']],
    [['licenses', 'create', '--book', 'B1,zahlenwelt 6'], ['B1,Zahlenwelt 6']],
  ])('%j', async (line, expected) => expect(await offered(...line)).toEqual(expected));

  test('offers no ambiguous name, and none with invisible characters', async () => {
    const create = async (name: string) =>
      edu('classes', 'create', '--name', name, '--school-id', 's1', '--subject-id', 'Mathematics');
    for (const name of ['Zwilling', 'Zwei', 'Zo\u202ee']) expect((await create(name)).code).toBe(0);
    const other = ['classes', 'create', '--name', 'Zwilling', '--school-id', 's2', '--subject-id', 'Mathematics'];
    expect((await edu(...other)).code).toBe(0);
    // Codes of classes are random, and are offered, too, in lower case.
    expect((await offered('classes', 'get', 'Zw')).filter((word) => word.startsWith('Z'))).toEqual(['Zwei']);
  });
});

test('waits only shortly for the lists that may have the item, however many there are', async () => {
  const schools = Array.from({ length: 100 }, (_, at) => ({ id: `s${at}`, name: `School ${at}` }));
  const own = { id: 'u1', organization: { id: 'd1', type: 'Distributor' }, schools };
  const server = await recordingServer(({ url }) =>
    url.endsWith('/classes') ? setTimeout(300, { body: [] }) : { body: own },
  );
  const online = { ...env, EDU_OFFLINE: '0', EDU_BASE_URL: server.origin, EDU_TOKEN: 'token' };
  const { code, stdout, stderr } = await run(['__complete', 'classes', 'get', ''], { env: online });
  expect([code, stdout, stderr]).toEqual([0, 'words\n', '']);
  expect(server.requests.length).toBeLessThan(60);
  await server.close();
});

test.each(['export sub', 'diff a b licenses sub'])('%s: resources are offered', async (line) => {
  expect(await offered(...line.split(' '))).toEqual(['subjects', 'subscriptions']);
});

test.each([
  ['licences c', ['create', 'cancel']],
  ['licenses create l', []],
  ['export lic', []],
])('help %s: commands of the group are offered', async (line, expected) => {
  expect(await offered('help', ...line.split(' '))).toEqual(expected);
});

test('settings and profiles are offered as arguments', async () => {
  expect(await offered('config', 'get', 'base')).toEqual(['base-url']);
  expect(await offered('config', 'set', 'output', 't')).toEqual(['table', 'tsv']);
  await edu('config', 'set', 'language', 'EN', '--profile', 'work');
  expect(await offered('profiles', 'use', 'wo')).toEqual(['work']);
});

test.each([
  'licenses create --from',
  'licenses create --results',
  'classes sync c1 --from',
  'licenses summary --html',
  'export --to',
  'export --since',
  'plan',
  'apply',
  'undo',
  'roster check',
])('the shell completes paths after %s', async (line) => {
  expect((await edu('__complete', ...line.split(' '), '')).stdout).toBe('files\n');
});

describe('an alias', () => {
  test('stands for its line, with further arguments appended', async () => {
    const set = await edu('alias', 'set', 'ours', "edu classes list --school 'Gymnasium am Kirchplatz'");
    expect([set.code, set.stdout]).toEqual([0, '']);
    const named = await edu('ours', '--query', "[?className=='5a']", '-o', 'ids');
    expect([named.code, named.stdout]).toEqual([0, 'c1\n']);
    expect((await edu('--limit', '2', 'ours', '-o', 'ids')).stdout).toBe('c1\nc2\n');
    expect((await edu('ours', '--help')).stdout).toMatch(/^edu classes list$|edu classes list/m);
    expect(await offered('ou')).toEqual(['ours']);
    expect(await offered('ours', '--sea')).toEqual(['--search']);
  });

  test('may also be the value of a flag before it', async () => {
    await edu('alias', 'set', 'ids', 'classes list --school s1 --limit 1');
    expect((await edu('-o', 'ids', 'ids')).stdout).toBe('c1\n');
    expect(await offered('-o', 'ids', 'ids', '--sea')).toEqual(['--search']);
    await edu('alias', 'remove', 'ids');
  });

  test('is listed, replaced and removed', async () => {
    await edu('alias', 'set', 'mine', 'users list');
    const again = await run(['alias', 'set', 'mine', 'books list'], { env, terminal: 80 });
    expect(again.stderr).toBe('edu mine now stands for: edu books list\nBefore: edu users list\n');
    const listed = JSON.parse((await edu('alias', 'list', '--json')).stdout);
    expect(listed.slice(0, 2)).toEqual([
      { name: 'mine', line: 'books list' },
      { name: 'ours', line: expect.any(String) },
    ]);
    expect((await edu('config', 'set', 'language', 'DE')).code).toBe(0);
    const removed = await run(['alias', 'remove', 'mine'], { env, terminal: 80 });
    expect([removed.code, removed.stderr]).toEqual([0, 'Removed mine.\n']);
    expect((await edu('alias', 'list', '-o', 'csv')).stdout).toMatch(/^name,line\nours,[^\n]*\n$/);
    expect((await edu('config', 'get', 'language')).stdout).toBe('DE\n');
    expect((await edu('mine')).code).toBe(2);
    expect(await edu('alias', 'remove', 'mine')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('edu alias list'),
    });
  });

  test.each([
    [['licenses', 'users list'], 'Cannot use licenses as an alias: it is a command.'],
    [['Two words', 'users list'], 'Cannot use "Two words" as an alias.'],
    [['one', 'userz list'], 'There is no command "edu userz".'],
    [['one', 'users lst'], 'There is no command "edu users lst".'],
    [['one', "users list 'open"], "A quotation mark is not closed: users list 'open"],
    [['one', 'edu'], 'There is no command "edu edu".'],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await edu('alias', 'set', ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
