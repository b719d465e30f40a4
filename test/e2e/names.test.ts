/** Names in place of IDs: arguments, flags and cells. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, sharedFolder } from '../support/run.js';
import { existing, scriptedService } from '../support/scripted-service.js';
import { CALLER } from './wire/case.js';

const folder = sharedFolder();
const env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state'), EDU_OFFLINE: '1' };
const edu = (argv: readonly string[], input = '') => run(argv, { env, input, randomBytes });
const SCHOOL = 'gymnasium am kirchplatz';

describe('an ID that only an end user can have', () => {
  const service = () =>
    scriptedService({
      ...CALLER,
      '*': { status: 404, body: {} },
      'GET /v1/users': { body: { users: [], paging: {} } },
      'GET /v1/classes/classesForUser/e9': { body: { classes: [] } },
      'GET /v1/classes/classesForUser/e7': { body: { classes: [{ classId: 'c1', className: '7b' }] } },
      ...existing('licenses/L1'),
      'PUT /v1/licenses/assignLicense': { body: { user: { id: 'e9' }, activatedLicensesIds: ['L1'] } },
      'PUT /v1/users/enduser/e8': { body: { id: 'e8' } },
    });
  const edu = async (...argv: readonly string[]) => run(argv, { env: (await service()).env });

  test.each(['e7', 'e9', 'id:e9'])('is assigned a licence: %s', async (id) => {
    expect(await edu('licenses', 'assign', 'L1', id)).toMatchObject({ code: 0, stderr: '' });
  });
  test('is sent if the service knows no classes of end users, and it is given as an ID', async () => {
    expect(await edu('licenses', 'assign', 'L1', 'id:e8')).toMatchObject({ code: 0, stderr: '' });
    const names = ['--first-name', 'Ada', '--last-name', 'Vos'];
    expect(await edu('end-users', 'update', 'e8', ...names)).toMatchObject({ code: 0, stderr: '' });
  });
  test('is reported for a list if nothing proves it', async () => {
    expect(await edu('classes', 'list', '--user', 'e7', '-o', 'ids')).toEqual({ code: 0, stdout: 'c1\n', stderr: '' });
    const ran = await edu('classes', 'list', '--user', 'e9', '-o', 'ids');
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    const shown = await edu('licenses', 'assign', 'L1', 'e9', '--dry-run');
    for (const { stderr } of [ran, shown])
      expect(stderr).toContain('No user that you may see is "e9"; it is used as the ID of an end user.');
  });
});

test.each([
  ['classes get 9z', 5, 'no class has the ID, code or name "9z"'],
  ['classes update 9z --name 8a', 5, 'no class has the ID, code or name "9z"'],
  ['classes get 9y', 0, ''],
  ['licenses get autumn', 0, ''],
  ['licenses get code:autumn', 5, 'no licence has the code "autumn"'],
])('%s exits with %d at a service that returns 400 for an unknown item', async (line, code, message) => {
  const shown = { classId: 'c1', className: '9y', classCode: 'x', subjectId: '1', usersInClass: null, schoolId: 's1' };
  const service = await scriptedService({
    ...CALLER,
    '*': { status: 400, body: {} },
    'GET /v1/schools': { body: { schools: [{ id: 's1', name: 'S' }], paging: {} } },
    'GET /v1/schools/s1/classes': { body: [shown] },
    'GET /v1/classes/c1': { body: shown },
    'GET /v1/licenses': { body: { licenses: [{ id: 'l1', name: 'Autumn', code: 'x1' }], paging: {} } },
    'GET /v1/licenses/l1': { body: { id: 'l1', name: 'Autumn', code: 'x1' } },
  });
  const ran = await run(line.split(' '), { env: service.env });
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('names a licence that the caller may not see', async () => {
  const ran = await edu(['licenses', 'get', 'taken01']);
  expect([ran.code, ran.stdout]).toEqual([6, '']);
  expect(ran.stderr).toContain('Error: Cannot get licence taken01: you may not see the licence "taken01".\n');
});

test.each([
  ['own', 'with roles that permit this'],
  ['p1', 'It belongs to distributor p1; only that distributor can open it.'],
])('names the owner of a book that may not be read, if it is another organization: %s', async (id, hint) => {
  const organization = { id, type: 'Distributor' };
  const service = await scriptedService({
    'GET /v1/account': { body: { id: 'me' } },
    'GET /v1/users/me': { body: { id: 'me', organization: { id: 'own', type: 'Distributor' } } },
    'GET /v1/books/b1': { status: 403, body: {} },
    'GET /v1/books': { body: { books: [{ id: 'b1', title: 'Atlas', organization }], paging: {} } },
    '*': { status: 403, body: {} },
  });
  const ran = await run(['books', 'get', 'atlas'], { env: service.env });
  expect([ran.code, ran.stderr]).toEqual([6, expect.stringContaining(hint)]);
});

describe('names', () => {
  test.each([
    [['schools', 'get', SCHOOL], 's1'],
    [['classes', 'get', '5a'], 'c1'],
    [['classes', 'get', 'ag schach', '--school', SCHOOL], 'c6'],
    [['schools', 'classes', SCHOOL, '--search', 'füchse'], 'c4'],
    [['classes', 'list', '--school', 'name:Gymnasium am Kirchplatz', '--search', '6A'], 'c3'],
    [['books', 'list', '--organization', 'Éditions du Canal', '--search', 'taalreis groep 7'], 'B16'],
    [['users', 'list', '--organization', 's1', '--role', 'Administrator', '--limit', '1'], 'u3'],
    [['classes', 'update', '5b', '--school', 's1', '--name', '5c'], 'c2'],
    [['classes', 'assign', '5a', 'name:Femke Coördes', '--school', SCHOOL], 'c1'],
    [['classes', 'unassign', '5a', 'Femke Coördes', '--in', SCHOOL], 'c1'],
    [['users', 'get', ' school@example.org\u00a0'], 'u3'],
    [['users', 'get', 'femke  COÖRDES', '--in', 's1'], '0000000155'],
    [['licenses', 'get', 'WELCOME1'], '00000001'],
    [['licenses', 'get', 'code:Welcome1'], '00000001'],
    [['books', 'get', '978-3-1000-0001-9'], 'B1'],
    [['books', 'get', 'ean:0009783100000019'], 'B1'],
  ])('%j finds %s', async (argv, id) => {
    const ran = await edu([...argv, '-o', 'ids']);
    expect(ran.stdout.trim(), ran.stderr).toBe(id);
  });

  test('of an item that is given twice, as ID and as code, mean one request and one line', async () => {
    const shown = await edu(['licenses', 'delete', '00000008', 'code:82pufky95e8', '--dry-run', '--json']);
    expect(JSON.parse(shown.stdout)).toHaveLength(1);
    const deleted = await edu(['licenses', 'delete', '00000008', 'code:82pufky95e8', '--yes', '-o', 'ids']);
    expect(deleted).toEqual({ code: 0, stdout: '00000008\n', stderr: '' });
  });

  test.each([
    ['licenses', 'books', 'B1', ['--type', 'Books', '--days', '365', '--maximum-activations', '1', '--name', 'N']],
    ['users', 'roles', 'd1-viewer', ['--first-name', 'A', '--last-name', 'B', '--email', 'a@b.example']],
  ])('of a list of %s that name one item twice are sent once, in rows, too', async (resource, field, id, line) => {
    for (const twice of [`${id};${id}`, field === 'books' ? `${id};ean:9783100000019` : `viewer;${id}`]) {
      const shown = await edu([resource, 'create', ...line, '--from', '-', '--dry-run'], `${field}\n${twice}\n`);
      expect(shown.stdout, shown.stderr).toContain(`"${field}": [\n    "${id}"\n  ]`);
    }
  });

  test('of a list of a row that name one item twice are no change of an item that has it once', async () => {
    const list = await edu(['users', 'list', '--query', "[?id=='u4'].{id: id, roles: roles[].id}", '-o', 'json']);
    const [{ roles }] = JSON.parse(list.stdout);
    const shown = await edu(
      ['users', 'update', '--from', '-', '--dry-run'],
      `user,role\nu4,${[...roles, 'viewer'].join(';')}\n`,
    );
    expect(shown, shown.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('1 unchanged') });
  });

  test('may be used for the organization in environment and profile', async () => {
    const named = { ...env, EDU_ORGANIZATION: SCHOOL };
    const user = ['users', 'create', '--first-name', 'A', '--last-name', 'B', '--email', 'named@example.org'];
    const made = await run([...user, '--json'], { env: named, randomBytes });
    expect(JSON.parse(made.stdout)).toMatchObject({ organization: { id: 's1', type: 'School' } });
    const licence = 'licenses create --name A --type Teacher --maximum-activations 1 --dry-run'.split(' ');
    expect((await run(licence, { env: named, randomBytes })).stdout).toContain(
      '"organization":{"id":"s1","type":"School"}',
    );
    const reader = 'readers create --title F --subject 0001 --content-language EN --file-id file-d1-pdf'.split(' ');
    const rows = [...reader.slice(0, 2), '--from', '-'];
    const input = 'title,subject,content-language,file-id\nF,0001,EN,file-d1-pdf\n';
    for (const line of [reader, rows]) {
      expect(await run(line, { env: named, randomBytes, input })).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/EDU_ORGANIZATION ".+" cannot be used with --file-id/),
      });
      const own = { env: { ...env, EDU_ORGANIZATION: 'd1' }, randomBytes, input };
      expect((await run(line, own)).code).toBe(0);
      const other = await run([...line, '--organization', 's1'], own);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--organization "s1" cannot be used')]);
    }
    const type = await run([...reader, '--organization-type', 'Distributor'], { env, randomBytes });
    expect([type.code, type.stderr]).toEqual([2, expect.stringContaining('needs --organization as well')]);
    const none = await run(['users', 'list'], { env: { ...env, EDU_ORGANIZATION: 'Nowhere' } });
    expect([none.code, none.stderr]).toEqual([
      5,
      expect.stringContaining('EDU_ORGANIZATION: no organization has the ID or name "Nowhere" (looked among'),
    ]);
    const typed = await run([...licence, '--organization-type', 'Publisher'], { env: named, randomBytes });
    expect([typed.code, typed.stdout, typed.stderr]).toEqual([
      5,
      '',
      expect.stringMatching(/EDU_ORGANIZATION: no publisher has the ID or name ".+\nHint: See: edu publishers list\n/),
    ]);
    const school = (id: string, city: string) => ({ id, name: 'Nord', country: 'DE', city, roles: [] });
    const service = await scriptedService({
      ...CALLER,
      'GET /v1/schools': { body: { schools: [school('s1', 'Kiel'), school('s2', 'Ulm')] } },
      'GET /v1/publishers': { body: { publishers: [] } },
    });
    const several = await run(['users', 'list'], { env: { ...service.env, EDU_ORGANIZATION: 'nord' } });
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringContaining(
        'EDU_ORGANIZATION: "nord" matches 2 organizations.\n  - id:s1: Nord, Kiel\n  - id:s2: Nord, Ulm\nHint: Set EDU_ORGANIZATION',
      ),
    ]);
  });

  test.each([
    ['classes create --school s1 --name x --subject Mathematik9', 'subject'],
    ['classes create --school Nowhere --name x --subject 0001', 'school'],
    ['classes assign c99 u1', 'class'],
    ['licenses create --name x --type Books --days 30 --maximum-activations 1 --book B99', 'book'],
    ['users update u1 --add-role Nope', 'role'],
    ['users list --organization Nowhere', 'organization'],
    ['users list --organization s1 --organization-type Publisher', 'publisher'],
  ])('exit 5 without a match in a write: %s', async (line, noun) => {
    const ran = await edu([...line.split(' '), '--json']);
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      kind: 'not_found',
      message: expect.stringMatching(new RegExp(`no ${noun} has the ID[^"]* or (name|title) "`)),
    });
  });

  test.each([
    ['licenses delete Eimal 00000006 --yes', 'licence', 'edu licenses delete 00000006 --yes --debug'],
    ['licenses cancel math7trail --dry-run', 'licence', undefined],
    ['licenses assign 00000002 0000000155 no~body', 'user', 'edu licenses assign 00000002 0000000155 --debug'],
    ['classes create --school Gym9 --name x --subject 0001', 'school', undefined],
  ])('are resolved before anything is sent, also in a dry run: %s', async (line, noun, others) => {
    const ran = await edu([...line.split(' ').map((word) => word.replace('~', ' ')), '--debug']);
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toContain(`no ${noun} has the ID`);
    expect(/Nothing was sent\. For the others: (.*)/.exec(ran.stderr)?.[1]).toBe(others);
    expect(ran.stderr).not.toMatch(/(POST|PUT|DELETE) http/);
  });

  test('are printed with their id: prefix in the command to repeat', async () => {
    const ran = await edu(['classes', 'delete', 'id:5a']);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('edu classes delete id:5a --yes')]);
  });

  test('exit 2 with several matches, and list them', async () => {
    for (const school of ['s1', 's2'])
      await edu(['classes', 'create', '--name', 'Zwilling', '--school-id', school, '--subject-id', 'Mathematics']);
    const ran = await edu(['classes', 'delete', 'Zwilling', '--yes']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('CLASS "Zwilling" matches 2 classes'.replace('CLASS', 'ID'));
    expect((await edu(['classes', 'delete', 'Zwilling', '--yes', '--school', 's2'])).code).toBe(0);
    await edu(['classes', 'create', '--name', 'Zwilling', '--school-id', 's1', '--subject-id', 'Physics']);
    const { stderr } = await edu(['classes', 'get', 'Zwilling']);
    expect(stderr.match(/Zwilling, .*\(s1\) {2}\w+$/gm)).toHaveLength(2);
  });

  test.each(['get 5a', 'assign 5a school@example.org', 'update 5a --name x'])(
    'of classes are not found by staff of a school, who cannot list its classes: classes %s',
    async (line) => {
      const ran = await edu(['classes', ...line.split(' '), '--as', 'school']);
      expect([ran.code, ran.stdout]).toEqual([5, '']);
      expect(ran.stderr).toContain('no class has the ID, code or name "5a", and names cannot be looked up');
      expect(ran.stderr).toContain('Only the owner of a school can list its classes. Give the class by ID');
    },
  );

  // The API document knows 400 only for an unknown class.
  test.each(['get 7b', 'assign 7b id:u1'])('of classes are reported as not looked up after a 400: %s', async (line) => {
    const service = await scriptedService({
      ...CALLER,
      'GET /v1/schools': { status: 403, body: {} },
      '*': { status: 400, body: {} },
    });
    const ran = await run(['classes', ...line.split(' ')], { env: service.env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('names cannot be looked up')]);
  });

  test('are accepted in cells: school, subject, class and user', async () => {
    const made = await edu(['classes', 'create', '--from', '-'], `name,school,subject\n9z,${SCHOOL},mathematics\n`);
    expect(made.code, made.stderr).toBe(0);
    const line = ['classes', 'assign', '--from', '-'];
    const put = await edu(line, `class,user,school\n9z,Femke Coördes,${SCHOOL}\n`);
    expect(put.code, put.stderr).toBe(0);
    expect((await edu(['classes', 'get', '9z', '--school', 's1', '--query', 'length(usersInClass)'])).stdout).toBe(
      '1\n',
    );
    const wrong = await edu(line, 'class,user,school\n9z,Femke Nobody,s1\n');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain(
      'no user has the ID, e-mail address or name "Femke Nobody" (looked in school s1 only)',
    );
  });
});
