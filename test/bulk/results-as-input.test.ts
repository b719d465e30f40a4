/** Results files and plain IDs as input of writes by ID. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { offline } from './on-the-bundled-service.js';

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1'];

/** Creates licences from a file and returns their results. */
async function created(names: readonly string[]) {
  const one = offline();
  const file = one.write('rows.csv', `name\n${names.join('\n')}\n`);
  const results = one.path('results.csv');
  expect((await one.edu([...CREATE, '--from', file, '--results', results])).code).toBe(0);
  const named = async (): Promise<readonly Record<string, unknown>[]> =>
    (await one.json('licenses', 'list')).filter(({ name }: { name: string }) => names.includes(name));
  return { ...one, results, named };
}

describe('a results file', () => {
  test('is read by update, assign, cancel and delete', async () => {
    const { edu, results, named, json } = await created(['Ash', 'Oak']);
    expect(await edu(['licenses', 'assign', '--from', results, '-q'])).toMatchObject({ code: 2 });
    const users = readFileSync(results, 'utf8')
      .replace('name,', 'email,')
      .replace(/^(Ash|Oak),/gm, 'school@example.org,');
    expect((await edu(['licenses', 'assign', '--from', '-'], users)).code).toBe(0);
    for (const { id } of await named()) {
      expect(await json('licenses', 'activations', String(id))).toMatchObject([{ user: 'u3' }]);
    }
    const update = ['licenses', 'update', '--maximum-activations', '7', '--reset-license-category', '--from', results];
    expect((await edu(update)).code).toBe(0);
    expect((await named()).map(({ maximumActivations }) => maximumActivations)).toEqual([7, 7]);
    expect((await edu(['licenses', 'cancel', '--yes', '--from', results])).code).toBe(0);
  });

  test('of a create with other headers is compared, and an update names the columns that it does not read', async () => {
    const { edu, path, write, json } = offline();
    const rows = 'name,organization,organization-type,Plätze\nAsh,Gymnasium am Kirchplatz,School,5\n';
    const seats = ['--map', 'Plätze=maximum-activations'];
    const line = [...CREATE.slice(0, 4), ...seats, '--from', write('rows.csv', rows), '--results', path('results.csv')];
    expect((await edu(line)).code).toBe(0);
    const edited = readFileSync(path('results.csv'), 'utf8').replace('School,5', 'School,9');
    const update = ['licenses', 'update', '--reset-license-category', '--from', '-'];
    const unread = 'Warning: Ignored columns: "Plätze".\nNothing to do: the row is unchanged.\n';
    expect(await edu(update, edited)).toMatchObject({ code: 0, stderr: unread });
    const other = await edu(update, edited.replace('name,organization,organization-type,', 'Titel,Schule,Art,'));
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching('not read .*: "Titel", "Schule", "Art", "Plätze"'),
    ]);
    expect((await edu([...update, ...seats], edited)).code).toBe(0);
    expect(await json('licenses', 'list', '--search', 'Ash')).toMatchObject([{ maximumActivations: 9 }]);
  });

  test('of an assignment, whose edu_id is that of the user, names licences by their own column', async () => {
    const { edu, write, path, json } = offline();
    const users = ['0000000154', '0000000155'];
    const file = write('assign.csv', `licence,user\n00000002,${users[0]}\n00000004,${users[1]}\n`);
    const results = path('results.csv');
    expect((await edu(['licenses', 'assign', '--from', file, '--results', results])).code).toBe(0);
    expect(readFileSync(results, 'utf8')).toContain(`00000002,${users[0]},1,updated,${users[0]},`);
    const again = await edu(['licenses', 'assign', '--from', results, '--dry-run', '-o', 'ndjson']);
    expect(
      again.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).body),
    ).toEqual([
      { userId: users[0], licenseId: '00000002' },
      { userId: users[1], licenseId: '00000004' },
    ]);
    for (const [command, paths] of [
      ['licenses cancel', ['/licenses/00000002/cancel', '/licenses/00000004/cancel']],
      ['users anonymize', users.map((id) => `/users/${id}/anonymize`)],
    ] as const) {
      const plan = await json(...command.split(' '), '--from', results, '--dry-run');
      expect(plan.requests.map(({ url }: { url: string }) => url.split('/v1')[1])).toEqual(paths);
    }
  });

  test('identifies licences to delete by edu_id, or by edu_code if that is blank', async () => {
    const { edu, results, named } = await created(['Ash', 'Oak']);
    const [, ash = '', oak = ''] = readFileSync(results, 'utf8').trim().split('\n');
    const id = oak.split(',').at(-3);
    const rows = `name,edu_row,edu_status,edu_id,edu_code,edu_error\n${ash}\n${oak.replace(`${id},`, ',')}\n`;
    // The item of a conflict is one that the create found, and not the row's.
    const refused = await edu(['licenses', 'delete', '--yes', '--from', '-'], rows.replace('created', 'conflict'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 2: has the edu_status conflict')]);
    expect((await edu(['licenses', 'delete', '--yes', '--from', '-'], rows)).code).toBe(0);
    expect(await named()).toEqual([]);
  });

  test('deletes nothing for a row without edu_id and edu_code, whatever its other columns contain', async () => {
    const { edu, json } = offline();
    const rows = 'first-name,email,edu_status,edu_id\nFemke,femke.coordes.155@s1.example.org,rejected,\n';
    const refused = await edu(['users', 'anonymize', '--yes', '--from', '-'], rows);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 2: user is missing')]);
    expect(await json('users', 'get', 'femke.coordes.155@s1.example.org')).toMatchObject({ id: '0000000155' });
  });

  test('names end users by edu_id, because the service does not show their addresses', async () => {
    const { edu, path, write, json } = offline();
    const results = path('results.csv');
    const file = write('rows.csv', 'email,firstName,lastName\nx1@x.example,A,B\nx2@x.example,C,D\n');
    expect((await edu(['end-users', 'create', '--from', file, '--results', results])).code).toBe(0);
    const assigned = path('assigned.csv');
    const assign = ['licenses', 'assign', '00000002', '--from'];
    const [one, two] = readFileSync(results, 'utf8').match(/[0-9a-f]{24}/g) ?? [];
    expect((await edu([...assign, results, '--results', assigned])).code).toBe(0);
    expect((await edu([...assign, assigned])).code).toBe(0);
    const holders = await json('licenses', 'activations', '00000002', '--query', '[].user');
    expect(holders.sort()).toEqual([one, two].sort());
    const anonymize = ['users', 'anonymize', '--yes', '--from'];
    const other = readFileSync(results, 'utf8').replace('x2@x.example', 'school@example.org');
    for (const line of [anonymize, assign]) {
      const refused = await edu([...line, write('other.csv', other)]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('are not the same user')]);
    }
    // A resumed job takes the references that it stored.
    expect((await edu([...anonymize, results, '--limit', '1'])).code).toBe(0);
    expect(await edu([...anonymize, results])).toMatchObject({ code: 0, stderr: expect.stringContaining('2 done') });
  });

  test('of failed rows is read again by the same command', async () => {
    const { edu, path } = offline();
    const failed = path('failed.csv');
    const line = ['licenses', 'delete', '--yes', '--failed', failed, '--from'];
    expect((await edu([...line, '-'], 'licence\n00000006\n00000001\n')).code).toBe(3);
    expect((await edu([...line.slice(0, 3), '--json', '--from', failed])).stdout).toContain('"rows": 1,');
  });
});

test('the results and failed rows of an assignment keep the edu_id that names the licence', async () => {
  const { edu, results, path, write, named } = await created(['Ash', 'Oak']);
  const [full] = await named();
  expect((await edu(['licenses', 'assign', String(full?.id), '0000000154'])).code).toBe(0);
  const lines = readFileSync(results, 'utf8')
    .replace(/^/gm, 'school@example.org,')
    .replace(/^[^,]*,name/, 'user,name')
    .replace(/school@example.org,$/, '');
  const input = write('users.csv', lines);
  const [all, failed] = [path('all.csv'), path('failed.csv')];
  const assign = (file: string) => ['licenses', 'assign', '--from', file];
  expect((await edu([...assign(input), '--results', all, '--failed', failed])).code).toBe(3);
  for (const { id } of await named()) expect(readFileSync(all, 'utf8')).toContain(`,${id},`);
  const again = await edu([...assign(failed), '--dry-run']);
  expect(again, again.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`"licenseId": "${full?.id}"`) });
  const oak = lines.replace(/^.*Ash.*\n/m, '').replace(/created,\w+,/, 'created,,');
  const byCode = await edu(['licenses', 'assign', '--from', '-', '--results', '-'], oak);
  expect(byCode.stdout, byCode.stderr).toMatch(/updated,,\w+,\n$/);
});

test('a failed row that equals an earlier one is created when it is read again', async () => {
  const { edu, path, write, json } = offline();
  const line = ['subscriptions', 'create', '--expiration-date', '2031-07-31', '--json'];
  const results = path('results.csv');
  const count = async (): Promise<number> => (await json('subscriptions', 'list')).length;
  const before = await count();
  const three = write('rows.csv', 'maximum-activations\n5\n5\n5\n');
  await edu([...line, '--from', three, '--limit', '2', '--results', results]);
  const [header = '', ...rows] = readFileSync(results, 'utf8').trim().split('\n');
  expect(header).toMatch(/,edu_error,edu_equal$/);
  expect(rows[2]).toMatch(/^5,3,planned,.*,2$/);
  // Only the remaining row: without its count it would be treated as the first one.
  const ran = await edu([...line, '--from', write('left.csv', `${header}\n${rows[2]}\n`)]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ created: 1, exists: 0 });
  expect(await count()).toBe(before + 3);
});

test('an update does not warn of equal rows that a create had', async () => {
  const { edu, path, json } = offline();
  const create = ['subscriptions', 'create', '--expiration-date', '2031-07-31', '--maximum-activations', '5'];
  await edu([...create, '--count', '2', '--results', path('results.csv')]);
  const update = ['subscriptions', 'update', '--maximum-activations', '7', '--from', path('results.csv')];
  const updated = await edu(update);
  expect(updated).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Warning') });
  expect(await json('subscriptions', 'list', '--query', '[?maximumActivations==`7`]')).toHaveLength(2);
});

describe('plain IDs', () => {
  test('identify the items of a write by ID', async () => {
    const { edu, named } = await created(['Ash', 'Oak']);
    const ids = (await named()).map(({ id }) => id);
    expect((await edu(['licenses', 'delete', '--yes', '--from', '-'], `${ids.join('\r\n')}\r\n`)).code).toBe(0);
    expect(await named()).toEqual([]);
  });

  test('are refused by create, which needs a header', async () => {
    const { edu } = offline();
    const refused = await edu(['schools', 'create', '--from', '-', '--country', 'NL'], 'school1\nschool2\n');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 1: there is no header')]);
  });
});
