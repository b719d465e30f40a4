import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createService } from '../../src/service/index.js';
import { offline } from '../support/offline.js';
import { home, run, sharedFolder, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';

skipWaits();

const USERS = `email,firstName,lastName,organization,roles
noor@s1.example,Noor,Azmi,Gymnasium am Kirchplatz,Teacher
user.157.157@s1.example.org,Игорь,Brandt,s1,
`;

describe('edu plan', () => {
  test('prints a tree, writes the plan and exits 10', async () => {
    const { edu, write, path: file } = offline();
    const planned = await edu('plan', write('users.csv', USERS), '--out', file('a.plan'));
    const { hash } = JSON.parse(readFileSync(file('a.plan'), 'utf8').split('\n')[0] ?? '') as { hash: string };
    expect(planned.stderr).toBe('');
    expect(planned.stdout).toBe(
      's1 Gymnasium am Kirchplatz\n' +
        '  + user    noor@s1.example               Teacher                      e-mail with a password\n' +
        '  ~ user    user.157.157@s1.example.org   lastName Мельник → Brandt\n' +
        `1 to add, 1 to change, 1 e-mail. Plan ${hash.slice(0, 8)}\n`,
    );
    expect(planned.code).toBe(10);
  });
  test('refuses --output ids, because created items have no ID, unless a query selects them', async () => {
    const { edu, write, path: file } = offline();
    const path = write('users.csv', USERS);
    expect(await edu('plan', path, '--out', file('a.plan'), '-o', 'ids')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Cannot print a plan as IDs: its steps create items, which have no ID yet'),
    });
    expect(existsSync(file('a.plan'))).toBe(false);
    const { code, stdout } = await edu('plan', path, '-o', 'ids', '--query', '[].id');
    expect([code, stdout.trim().split('\n').length]).toEqual([10, 1]);
  });
  test('--fields and --query select from the document that --json prints', async () => {
    const { edu, path: file, write } = offline();
    const path = write('users.csv', USERS);
    const whole = JSON.parse((await edu('plan', path, '--json')).stdout) as Record<string, unknown>;
    const some = await edu('plan', path, '--json', '--fields', 'hash,summary.add,steps.verb');
    expect([some.code, some.stderr]).toEqual([10, '']);
    expect(JSON.parse(some.stdout)).toMatchObject({ hash: whole.hash });
    expect(await edu('plan', path, '--json', '--query', 'steps[].verb')).toMatchObject({ code: 10, stderr: '' });
    // The format of the profile and that of the ending of --to are as good as --json.
    expect((await edu('plan', path, '--to', file('a.json'))).code).toBe(10);
    expect(JSON.parse(readFileSync(file('a.json'), 'utf8'))).toMatchObject({ hash: whole.hash });
    expect((await edu('config', 'set', 'output', 'json')).code).toBe(0);
    expect(JSON.parse((await edu('plan', path)).stdout)).toMatchObject({ hash: whole.hash });
    const unknown = await edu('plan', path, '--json', '--fields', 'nosuch', '--out', file('a.plan'));
    expect([unknown.code, existsSync(file('a.plan'))]).toEqual([2, false]);
  });
  test.each(['ndjson', 'csv', 'json', 'xlsx'])('has no steps after export --as-plan, as %s', async (format) => {
    const { edu, path: file } = offline();
    expect((await edu('export', '--as-plan', '--to', file(format), '--format', format)).code).toBe(0);
    const { code, stdout, stderr } = await edu('plan', file(format));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Nothing to do\. Plan [0-9a-f]{8}\n$/);
    expect((await edu('export', '--as-plan', '--to', file(format))).code).toBe(2);
    const plain = ['export', 'schools', '--format', format, '--to', file(format)];
    expect((await edu(...plain)).code).toBe(format === 'xlsx' ? 0 : 2);
  });
  test('export --as-plan names the lists that it cannot read, and fails for those that were asked for', async () => {
    const own = { id: 'd1', type: 'Distributor' };
    const service = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [] } },
      'GET /v1/users/u1': { body: { id: 'u1', email: 'a@b.example', organization: own, roles: [] } },
      'GET /v1/publishers': { body: { publishers: [{ id: 'p1', name: ' Verlag' }], paging: {} } },
      '*': { status: 403, body: {} },
    });
    const env = { ...home(), ...service.env };
    const write = (resource: string) =>
      run(['export', resource, '--as-plan', '--to', join(temporaryFolder(), 'want')], { env });
    const skipped = 'Warning: skipped schools: you may not list them\n';
    const left = 'Warning: left out, because a plan could not read it back: name of publishers (1 row)\n';
    expect(await write('publishers')).toMatchObject({ code: 0, stderr: skipped + left });
    for (const [resource, message] of [
      ['schools', 'Cannot export schools: no list of schools can be read.'],
      ['readers', 'Cannot export readers: no list of readers can be read.'],
      ['licenses', 'Cannot export licenses: no list of licenses can be read.'],
      ['users', 'Cannot export users: no list of users can be read.'],
    ] as const)
      expect(await write(resource)).toMatchObject({ code: 6, stderr: expect.stringContaining(message) });
  });
  test('has no steps for an export with IDs', async () => {
    const { edu, path: file } = offline();
    await edu('export', '--to', file('x'), '--format', 'xlsx');
    const { code, stderr } = await edu('plan', file('x'));
    expect(code).toBe(0);
    expect(stderr).toContain('not managed by a plan: account.ndjson');
    expect(stderr).not.toContain('classCode');
    const classes = readFileSync(file('x/classes.ndjson'), 'utf8');
    writeFileSync(file('x/classes.ndjson'), classes.replace('"classCode":"', '"classCode":"9'));
    const edited = await edu('plan', file('x'));
    expect(edited.stderr).toContain(
      'types.ndjson\nWarning: not managed by a plan: classCode, creationDate in classes.ndjson\n',
    );
    const flags = ['--ignore', 'classCode', '--ignore', 'creationDate'];
    expect(await edu('plan', file('x/classes.ndjson'), ...flags)).toMatchObject({ code: 0, stderr: '' });
  });
  test('has no steps for an export with empty lists, and refuses other empty files', async () => {
    const { edu, path: file } = offline();
    await edu('export', '--to', file('x'), '--as', 'publisher');
    expect(readFileSync(file('x/schools.ndjson'), 'utf8')).toBe('');
    expect(await edu('plan', file('x'), '--as', 'publisher')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to do\./),
    });
    writeFileSync(file('x/books.ndjson'), '');
    const { code, stderr } = await edu('plan', file('x'), '--as', 'publisher');
    expect([code, stderr]).toEqual([2, expect.stringContaining('books.ndjson is empty')]);
  });
  test('refuses a row of an export whose ID and name or address mean two things', async () => {
    const { edu, write } = offline();
    for (const [resource, to, was, is] of [
      ['licenses', 'book', '9783100000040', '9783100000019'],
      ['licenses', 'user', 'user.255.255@s1.example.org', 'femke.coordes.155@s1.example.org'],
      ['licenses', 'user', 'user.255.255@s1.example.org', 'max.jager.238@s1.example.org'],
      ['licenses', 'user', 'user.255.255@s1.example.org', 'nobody@s1.example.org'],
      ['users', 'role', ',s1-administrator,Administrator', ',s1-administrator,Teacher'],
      ['books', 'subject', ',Mathematics,', ',Physics,'],
    ] as const) {
      const of = resource === 'licenses' ? [] : resource === 'books' ? ['--limit', '1'] : ['--organization', 's1'];
      const { stdout } = await edu(resource, 'list', ...of, '-o', 'csv');
      const { code, stderr } = await edu('plan', write(`${resource}.csv`, stdout.replace(was, is)));
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(`line \\d+: ".*"( and ".*" .* are not the same ${to}|: no user has this .*)\n`),
      ]);
    }
  });
  test.each([
    ['an empty file', 'users.csv', '', 'is empty'],
    ['a header without rows', 'users.csv', 'email,lastName\n', 'has no rows'],
    [
      'rows without a header',
      'users.csv',
      'a@b.example,Brandt\nc@d.example,Meyer\n',
      'there is no column "a@b.example"',
    ],
    ['another file', 'teachers.csv', USERS, 'its name is not that of a resource'],
    ['one school twice', 'schools.csv', 'name,country,city\nA,DE,B\na,DE,B\n', 'the key of schools.csv line 2: a'],
    ['other spelling', 'schools.csv', 'name,country,city\nÉ A,DE,B\nE\u0301  A,DE,B\n', 'key of schools.csv line 2'],
    ['two rows of one user', 'users.csv', 'email,lastName\na@b.c,X\nA@B.C,Y\n', 'the key of users.csv line 2'],
  ])('refuses %s', async (_, name, text, message) => {
    const { edu, write } = offline();
    const { code, stderr } = await edu('plan', write(name, text));
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
  test('--skip-invalid leaves out rows with problems, but prunes nothing', async () => {
    const { edu, write } = offline();
    const path = write('users.csv', `${USERS}mia@s1.example,#N/A,Brandt,s1,\n,Tom,Vos,s1,\n`);
    expect((await edu('plan', path)).code).toBe(2);
    const { code, stdout, stderr } = await edu('plan', path, '--skip-invalid');
    expect(code).toBe(3);
    expect(stdout).toContain('1 to add, 1 to change, 1 e-mail.');
    expect(stderr).toContain('Left out: users.csv line 4, column 2 "firstName": is #N/A');
    expect(stderr).toContain('Left out: users.csv line 5: has neither email nor id');
    expect((await edu('plan', path, '--skip-invalid', '--prune', 'users')).stderr).toContain(
      '--prune cannot be given together with --skip-invalid',
    );
  });
  test('shows an unsafe plan and refuses it', async () => {
    const { edu, write, path: file } = offline();
    const path = write('classes.csv', 'school,class,subject,users\ns1,5a,0021,antonia.paixao.160@s1.example.org\n');
    const { code, stdout, stderr } = await edu('plan', path, '--out', file('a.plan'));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('21 of 22 would be removed in s1');
    expect(stderr).toContain('--allow-removals 96%');
    const forPrograms = await edu('plan', path, '--json');
    expect(JSON.parse(forPrograms.stderr)).toMatchObject({ error: { kind: 'usage', details: [{ where: 'members' }] } });
    expect((await edu('plan', path, '--allow-removals', '96%')).code).toBe(10);
    write('classes.csv', 'classId,users\nc1,antonia.paixao.160@s1.example.org\n');
    expect((await edu('plan', path)).stderr).toContain('21 of 22 would be removed in classes of an unknown school\n');
  });
});

describe('edu apply and edu undo', () => {
  const CLASSES = `school,class,subject,users
s1,9z,Biology,antonia.paixao.160@s1.example.org;noor@s1.example
`;
  const hashOf = (file: string): string =>
    (JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as { hash: string }).hash;

  const shared = sharedFolder();
  beforeAll(async () => {
    const {
      edu,
      path: file,
      write,
    } = offline({
      EDU_CONFIG_DIR: join(shared, 'config'),
      EDU_STATE_DIR: join(shared, 'state'),
    });
    await edu('export', '--as-plan', '--to', file('before'));
    mkdirSync(file('want'));
    write('want/users.csv', USERS);
    write('want/classes.csv', CLASSES);
    expect((await edu('plan', file('want'), '--out', file('a.plan'))).code).toBe(10);
  });

  /** A service, and copies of the files with the plan. */
  function planned() {
    const one = offline();
    for (const name of ['before', 'want', 'a.plan']) cpSync(join(shared, name), one.path(name), { recursive: true });
    const plan = one.path('a.plan');
    return { ...one, plan, hash: hashOf(plan) };
  }

  test('a second plan is empty after apply, and undo restores everything but the new user', async () => {
    const { edu, plan, hash, path: file } = planned();
    const applied = await edu('apply', plan, '--confirm', hash.slice(0, 8), '--json');
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect(JSON.parse(applied.stdout)).toMatchObject({ steps: 5, done: 5, receipt: `${plan}.receipt` });
    expect((await edu('plan', file('want'))).stdout).toMatch(/^Nothing to do\. /);
    const done = await edu('apply', plan, '--confirm', hash, '-o', 'csv', '--fields', 'steps,done');
    expect([done.code, done.stdout]).toEqual([0, 'steps,done\n5,5\n']);
    expect(await edu('apply', plan, '--confirm', hash)).toMatchObject({
      code: 0,
      stderr: 'Nothing to do: all 5 steps were done before.\n',
    });
    const undo = file('u.plan');
    const undone = await edu('undo', `${plan}.receipt`, '--out', undo);
    expect(undone.stdout).toContain('! user    noor@s1.example  the service cannot remove a user');
    expect(undone.code).toBe(3);
    expect((await edu('apply', undo, '--confirm', hashOf(undo))).code).toBe(0);
    expect((await edu('plan', file('before'))).code).toBe(0);
  });
  test('checks the limits of a plan by what the service has, and takes the flags that allow it', async () => {
    const { env, edu, write, path: file } = offline();
    const path = write('classes.csv', 'school,class,subject,users\ns1,5a,0021,antonia.paixao.160@s1.example.org\n');
    const planned = await run(['plan', path, '--allow-removals', '96%', '--out', file('a.plan')], {
      env,
      terminal: 200,
    });
    expect(planned.stderr).toMatch(/--confirm [0-9a-f]{8} --allow-removals 96%/);
    const apply = ['apply', file('a.plan'), '--confirm', hashOf(file('a.plan'))];
    const { code, stderr } = await edu(...apply);
    expect([code, stderr]).toEqual([2, expect.stringContaining('21 of 22 would be removed in s1')]);
    expect(stderr).toContain('To allow it, add: --allow-removals 96%');
    expect((await edu(...apply, '--allow-removals', '96%')).code).toBe(0);
  });
  test('warns of a licence that ends in the past, and of a receipt that a dry run does not write', async () => {
    const { edu, path: file, write } = offline();
    const rows = 'code,name,type,maximumActivations,books,until\nold1,Old,Books,5,9783100000040,2020-01-01\n';
    const { stderr } = await edu('plan', write('licenses.csv', rows), '--out', file('old.plan'));
    expect(stderr).toBe('Warning: The licence old1 ends in the past, on 2020-01-01.\n');
    const warning = 'Warning: --receipt is not written: a dry run has no outcomes.\n';
    expect((await edu('apply', file('old.plan'), '--dry-run', '--receipt', file('r'))).stderr).toContain(warning);
    const sync = ['classes', 'sync', 'c1', '--from', write('list.txt', 'u3\n'), '--add-only'];
    expect((await edu(...sync, '--dry-run', '--receipt', file('r'))).stderr).toBe(warning);
  });
  test('skips a step whose item has changed since the plan, and does the rest', async () => {
    const { edu, plan, hash } = planned();
    await edu('users', 'update', 'user.157.157@s1.example.org', '--last-name', 'Other');
    const { code, stderr } = await edu('apply', plan, '--confirm', hash);
    expect(code).toBe(3);
    expect(stderr).toContain('5 steps: 4 done, 1 stale.');
    expect(stderr).toContain('step 2, user.157.157@s1.example.org: stale: lastName has changed since the plan');
  });
  test('does the other steps if the only licence of a plan is gone', async () => {
    const { edu, write, path: file } = offline();
    mkdirSync(file('want'));
    write('want/users.csv', 'email,lastName\nuser.157.157@s1.example.org,Brandt\n');
    write('want/licenses.csv', 'code,endUsers\nh5dkwbz8eqm,user.157.157@s1.example.org\n');
    const plan = file('a.plan');
    await edu('plan', file('want'), '--out', plan);
    await edu('licenses', 'delete', 'code:h5dkwbz8eqm', '--yes');
    const { code, stderr } = await edu('apply', plan, '--confirm', hashOf(plan));
    expect([code, stderr]).toEqual([3, expect.stringContaining('stale: the licence no longer exists')]);
    expect((await edu('users', 'get', 'user.157.157@s1.example.org')).stdout).toContain('Brandt');
  });
  test('undo has nothing to do where everything was undone, and reports what has changed since', async () => {
    const { edu, write, path: file } = offline();
    const rows = write('users.csv', 'email,lastName\nuser.157.157@s1.example.org,Brandt\n');
    const [plan, undo] = [file('a.plan'), file('u.plan')];
    await edu('plan', rows, '--out', plan);
    await edu('apply', plan, '--confirm', hashOf(plan));
    expect((await edu('undo', `${plan}.receipt`, '--out', undo)).code).toBe(10);
    await edu('apply', undo, '--confirm', hashOf(undo));
    expect(await edu('undo', `${plan}.receipt`, '--out', undo)).toMatchObject({ code: 0, stderr: '' });
    await edu('users', 'update', 'user.157.157@s1.example.org', '--last-name', 'Other');
    expect((await edu('undo', `${plan}.receipt`)).code).toBe(3);
  });
  test('undo leaves a change that another user made before apply', async () => {
    const { edu, plan, hash } = planned();
    await edu('users', 'update', 'user.157.157@s1.example.org', '--last-name', 'Brandt');
    expect((await edu('apply', plan, '--confirm', hash, '--json')).stdout).toContain('"exists": 1');
    expect((await edu('undo', `${plan}.receipt`)).stdout).not.toContain('user.157');
  });
  test('sends nothing without the hash, with --yes alone, or for an edited plan', async () => {
    const { edu, plan, hash, path: file } = planned();
    for (const argv of [[], ['--yes'], ['--confirm', 'deadbeef'], ['--confirm', hash.slice(0, 4)]])
      expect((await edu('apply', plan, ...argv)).code).toBe(2);
    for (const argv of [
      ['-o', 'ids'],
      ['--fields', 'nosuch'],
    ])
      expect((await edu('apply', plan, '--confirm', hash, ...argv)).code).toBe(2);
    expect(existsSync(`${plan}.receipt`)).toBe(false);
    expect(JSON.parse((await edu('apply', plan, '--json')).stderr)).toMatchObject({ error: { kind: 'usage' } });
    writeFileSync(plan, readFileSync(plan, 'utf8').replace('Brandt', 'Meyer'));
    const { code, stderr } = await edu('apply', plan, '--confirm', hash);
    expect(stderr).toContain('it was changed after it was written');
    expect(code).toBe(2);
    expect((await edu('plan', file('before'))).code).toBe(0);
  });
  test('reads a plan and a receipt that an editor saved with a byte order mark and CRLF', async () => {
    const { edu, plan, hash } = planned();
    const save = (path: string): void =>
      writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}`);
    save(plan);
    expect((await edu('apply', plan, '--confirm', hash)).code).toBe(0);
    save(`${plan}.receipt`);
    expect((await edu('undo', `${plan}.receipt`)).stdout).toContain('user.157');
  });
  test('ends after the steps during which the service failed, and does the rest the next time', async () => {
    const { plan, path: file } = planned();
    const service = await createService();
    onTestFinished(() => service.close());
    const { baseUrl } = await service.listen();
    const env = { ...home(), EDU_BASE_URL: baseUrl, EDU_TOKEN: service.personas.distributor };
    const apply = () => run(['apply', plan, '--confirm', hashOf(plan), '--max-wait', '100ms'], { env });
    expect((await run(['plan', file('want'), '--out', plan], { env })).code).toBe(10);
    service.addFaults('POST 503', 'PUT 503');
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([7, expect.stringContaining('5 steps: 5 left.')]);
    const written = service.requests().filter(({ method }) => method !== 'GET');
    expect(new Set(written.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(['POST /v1/users']));
    service.clearFaults();
    expect((await apply()).code).toBe(0);
  });
  test('refuses the plan of another organization', async () => {
    const { edu, plan, hash } = planned();
    const { code, stderr } = await edu('apply', plan, '--confirm', hash, '--as', 'school');
    expect(stderr).toContain('it was made by the organization d1, and you belong to s1');
    expect(code).toBe(2);
  });
});
