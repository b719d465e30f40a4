import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { offline } from '../support/offline.js';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { workbookOf } from '../support/workbook.js';

describe('edu classes sync and edu licenses sync', () => {
  test('makes the members equal to a list, and has nothing to do the second time', async () => {
    const { edu, write, path: file } = offline();
    const list = write('list.csv', 'First name;E-mail\nA;school@example.org\n');
    const line = ['classes', 'sync', '5a', '--school', 's1', '--from', list, '--add-only'];
    const refused = await edu(...line);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('+ member  5a  school@example.org');
    expect((await edu(...line, '--yes')).code).toBe(0);
    expect((await edu(...line, '--yes')).stderr).toMatch(/^Nothing to do\. /);
    const receipt = file('a.receipt');
    const again = await edu(...line, '--yes', '--json', '--receipt', receipt);
    expect(JSON.parse(again.stdout)).toMatchObject({ steps: 0, done: 0, receipt });
    expect((await edu('undo', receipt)).code).toBe(0);
    const whole = await edu(...line.slice(0, -1), '--yes');
    expect(whole.stderr).toContain('22 of 23 would be removed in s1');
    expect(whole.code).toBe(2);
    expect((await edu(...line.slice(0, -1), '--yes', '--allow-removals', '96%', '--json')).stdout).toContain(
      '"done": 22',
    );
    const { usersInClass } = JSON.parse((await edu('classes', 'get', 'c1', '--json')).stdout) as Record<
      string,
      unknown
    >;
    expect(usersInClass).toHaveLength(1);
  });
  test('names the users who leave a class that is given by its ID, also when it is undone', async () => {
    const { edu, write, path: file } = offline();
    const line = ['classes', 'sync', 'c1', '--from', write('list.csv', 'email\nschool@example.org\n')];
    const { code, stdout } = await edu(...line, '--dry-run', '--allow-removals', '100%');
    expect([code, stdout]).toEqual([0, expect.stringContaining('- member  5a  antonia.paixao.160@s1.example.org\n')]);
    expect((await edu(...line, '--add-only', '--yes', '--receipt', file('r'))).code).toBe(0);
    expect((await edu('undo', file('r'))).stdout).toContain('- member  5a  school@example.org\n');
  });
  test('shows the ID of a user who leaves a class if the service rejects a request for the user', async () => {
    const service = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example' } },
      'GET /v1/users/u1': { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' }, roles: [] } },
      'GET /v1/users/e1': { status: 400, body: {} },
      'GET /v1/classes/c1': { body: { classId: 'c1', className: '5a', subjectId: 'm', usersInClass: ['u1', 'e1'] } },
      '*': { status: 403, body: {} },
    });
    const list = offline().write('list.csv', 'id\nu1\n');
    const line = ['classes', 'sync', 'c1', '--from', list, '--dry-run'];
    const { code, stdout } = await run(line, { env: { ...home(), ...service.env } });
    expect([code, stdout]).toEqual([0, expect.stringContaining('- member  5a  e1\n')]);
  });
  test.each([[], ['--remove-only']])('sends nothing for a workbook whose IDs lost their zeros %s', async (...flags) => {
    const { edu, write } = offline();
    const rows = [['id'], ['0000000160'], [253], [240]];
    const list = write('ids.xlsx', '');
    writeFileSync(list, workbookOf({ sheets: [{ name: 'S', rows, hidden: [2] }] }));
    const { code, stderr } = await edu('classes', 'sync', 'c1', '--from', list, '--yes', ...flags);
    expect([code, stderr]).toEqual([3, expect.stringContaining('1 row of the sheet is hidden and is read too.')]);
    expect(stderr).toContain(
      '5a  253  no user has this ID, e-mail address or name; 253 is 0000000253 without its zeros',
    );
    expect(stderr).toContain('5a  keeps 21 users who would leave: its list has unknown users');
    const { stdout } = await edu('classes', 'get', 'c1', '--json', '--query', 'length(usersInClass)');
    expect(stdout).toBe('22\n');
  });
  test('warns if people may hold the licence already', async () => {
    const organization = { id: 's1', type: 'School' };
    const used = { maximumActivations: 9, numberOfActivations: 2, endUsers: null };
    const service = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example' } },
      'GET /v1/users/u1': { body: { id: 'u1', email: 'a@b.example', organization, roles: [] } },
      'GET /v1/licenses/l1': { body: { id: 'l1', code: 'a1', name: 'A', type: 'Teacher', organization, ...used } },
      '*': { status: 403, body: {} },
    });
    const { write } = offline();
    const line = ['licenses', 'sync', 'l1', '--from', write('list.csv', 'id\nu1\n'), '--dry-run'];
    expect(await run(line, { env: { ...home(), ...service.env } })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('+ holder  a1'),
      stderr: expect.stringContaining('fully known: you may not list the activations of licence l1.\n'),
    });
  });
  test('--skip-invalid leaves out rows, and then removes nobody', async () => {
    const { edu, write } = offline();
    const list = write('list.csv', 'email\nschool@example.org\n#N/A\n');
    const line = ['sync', 'c1', '--from', list, '--skip-invalid'];
    const { code, stdout, stderr } = await edu('classes', ...line, '--allow-removals', '100%', '--dry-run');
    expect([code, stdout]).toEqual([3, expect.not.stringContaining('- member')]);
    expect(stderr).toMatch(/Left out: .*line 3, column 1 "email": .*#N\/A/);
    expect(stderr).toContain('Cannot make all changes: 1 row left out.');
    const refused = await edu('classes', ...line, '--remove-only', '--dry-run');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--remove-only')]);
    const licence = await edu('licenses', 'sync', 'code:welcome1', ...line.slice(2), '--dry-run');
    expect([licence.code, licence.stderr]).toEqual([3, expect.stringContaining('1 row left out')]);
  });
  test('finds an end user by ID, who cannot be read by ID', async () => {
    const { edu, write } = offline();
    const name = ['--first-name', 'A', '--last-name', 'B', '--email', 'ab@x.example', '--language', 'DE'];
    const id = (await edu('end-users', 'create', ...name, '-q')).stdout.trim();
    const list = write('list.txt', `${id}\nnobody\n`);
    const { code, stdout } = await edu('classes', 'sync', 'c4', '--from', list, '--add-only', '--dry-run');
    expect(stdout).toContain(`+ member  7c „Füchse“  ${id}   no user that you may see has this ID\n`);
    const unknown = 'no user has this ID, e-mail address or name (looked in your organization only)';
    expect(stdout).toContain(`! member  7c „Füchse“  nobody  ${unknown}\n`);
    expect(code).toBe(3);
  });
  test('finds users by name in the school of the class, in your organization, or with --in', async () => {
    const { edu, write } = offline();
    const [there, here] = [
      '+ member  AG Schach  femke.coordes.155@s1.example.org',
      '+ member  AG Schach  f@d1.example',
    ];
    const name = ['--first-name', 'Femke', '--last-name', 'Coördes', '--email', 'f@d1.example', '--language', 'DE'];
    const list = write('list.csv', 'user\nFemke Coördes\n');
    const sync = async (...line: readonly string[]) => (await edu(...line, '--from', list, '--dry-run')).stdout;
    const c6 = ['classes', 'sync', 'c6'];
    const unknown = 'no user has this ID, e-mail address or name (looked in';
    expect(await sync(...c6)).toContain(`${unknown} your organization only)`);
    expect(await sync(...c6, '--in', 's2')).toContain(`${unknown} school s2 only)`);
    await edu('users', 'create', ...name);
    expect(await sync(...c6)).toContain(here);
    expect(await sync(...c6, '--school', 's1')).toContain(there);
    expect(await sync(...c6, '--in', 's1')).toContain(there);
    expect(await sync('licenses', 'sync', 'welcome1', '--in', 's1')).toContain('+ holder  welcome1  femke.coordes.155');
    const plan = async (header: string, row: string) =>
      (await edu('plan', write('classes.csv', `${header},usersInClass\n${row},Femke Coördes\n`))).stdout;
    expect(await plan('schoolId,className', 's1,AG Schach')).toContain(there);
    write('users.csv', 'email,organization\nschool@example.org,s1\n');
    await edu('users', 'create', ...name.with(5, 'g@d1.example'));
    expect(await plan('classId', 'c6')).toContain('2 users have this address or name: give one of the IDs');
    expect(await plan('schoolId,className', 's1,AG Schach')).toContain(there);
    write('list.csv', 'user\nfemke.coordes.155@s1.exmaple.org\n');
    const meant = '(looked in school s1 only). Did you mean femke.coordes.155@s1.example.org?';
    expect(await sync(...c6, '--in', 's1')).toContain(meant);
    const row = 'schoolId,className,usersInClass\ns1,AG Schach,femke.coordes.155@s1.exmaple.org\n';
    expect((await edu('plan', write('classes.csv', row))).stdout).toContain(meant);
  });
  test('assigns a licence to members of a class who lack it', async () => {
    const { edu, write } = offline();
    const line = ['licenses', 'sync', 'code:welcome1', '--class', '5a', '--school', 's1'];
    expect((await edu(...line, '--dry-run')).stdout).toMatch(/\n22 to add\. Plan [0-9a-f]{8}\n$/);
    expect((await edu(...line, '--yes')).code).toBe(0);
    expect((await edu(...line, '--yes')).stderr).toMatch(/^Nothing to do\. /);
    const list = write('list.csv', 'email\nantonia.paixao.160@s1.example.org\n');
    const school = await edu('licenses', 'sync', 'welcome1', '--from', list, '--school', 's1', '--dry-run');
    expect([school.code, school.stderr]).toEqual([2, expect.stringContaining('--school needs --class')]);
    const { stdout } = await edu('users', 'list', '--organization', 's1', '-o', 'csv', '--fields', 'id,email');
    const [header, first = '', second = ''] = stdout.split('\n');
    const mixed = write('mixed.csv', `${header}\n${first.split(',')[0]},${second.split(',')[1]}\n`);
    for (const to of [
      ['licenses', 'sync', 'welcome1'],
      ['classes', 'sync', 'c1'],
    ]) {
      const { code, stderr } = await edu(...to, '--from', mixed, '--dry-run');
      expect([code, stderr]).toEqual([2, expect.stringMatching(/mixed.csv line 2: .* are not the same user/)]);
      expect((await edu(...to, '--from', write('users.csv', stdout), '--dry-run')).stderr).not.toContain('same user');
    }
  });
});
