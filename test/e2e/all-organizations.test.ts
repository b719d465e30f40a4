/** `--all-organizations` and `users list --duplicates`. */
import { describe, expect, test } from 'vitest';
import { home, run } from '../support/run.js';
import { type Answer, type Answers, scriptedService } from '../support/scripted-service.js';

const user = (id: string, name: string, email: string | null, organization: string) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  const type = organization === 'd1' ? 'Distributor' : 'School';
  return { id, email, firstName, lastName, organization: { id: organization, type }, roles: [] };
};

const USERS: Readonly<Record<string, readonly unknown[]>> = {
  d1: [user('u1', 'Ada Brandt', 'ada@d.example', 'd1'), user('u2', 'Mario Rossi', 'm.rossi@mail.example', 'd1')],
  s1: [user('u3', 'Mario Rossi', 'mrossi@Mail.example', 's1'), user('u4', 'José Vos', 'jose@s.example', 's1')],
  s2: [
    user('u4', 'José Vos', 'jose@s.example', 's1'),
    user('u5', 'jose VOS', null, 's1'),
    user('u6', 'Jose Vos', null, 's2'),
    user('u7', 'J Vos', 'jo.se@s.example', 's2'),
    user('u8', 'Jan Vos', 'jose@ss.example', 's2'),
  ],
};

const list = (key: string, items: readonly unknown[]) => ({ body: { [key]: items, paging: {} } });
const answers = (users: Answer): Answers => ({
  'GET /v1/account': { body: { id: 'u1', email: 'ada@d.example', roles: [] } },
  'GET /v1/users/u1': { body: USERS.d1?.[0] },
  'GET /v1/schools': list('schools', [
    { id: 's1', name: 'Lakeside' },
    { id: 's2', name: 'Hilltop' },
  ]),
  'GET /v1/publishers': { status: 200, body: { publishers: [], paging: {} } },
  'GET /v1/users': users,
});
const usersOf: Answer = ({ query }) => list('users', USERS[query.organization ?? ''] ?? []);

async function edu(argv: readonly string[], given: Answers = answers(usersOf), terminal?: number) {
  const service = await scriptedService(given);
  const ran = await run(['users', 'list', '--all-organizations', ...argv], {
    env: { ...service.env, NO_COLOR: '1' },
    ...(terminal === undefined ? {} : { terminal }),
  });
  return { ...ran, sent: service.sent };
}

describe('--all-organizations', () => {
  test('lists each user once, in the order of the organizations', async () => {
    const { code, stdout, stderr, sent } = await edu(['-o', 'ids']);
    expect([code, stdout, stderr]).toEqual([0, 'u1\nu2\nu3\nu4\nu5\nu6\nu7\nu8\n', '']);
    expect(sent.flatMap(({ line, query }) => (line === 'GET /v1/users' ? [query.organization] : []))).toEqual([
      'd1',
      's1',
      's2',
    ]);
  });

  test('shows the names of the organizations beside those of the users', async () => {
    const { stdout, stderr } = await edu(['--search', 'rossi'], answers(usersOf), 70);
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'ID  NAME         E-MAIL                ROLES  ORGANIZATION',
      '──  ───────────  ────────────────────  ─────  ──────────────',
      'u2  Mario Rossi  m.rossi@mail.example  –      Distributor d1',
      'u3  Mario Rossi  mrossi@Mail.example   –      Lakeside',
      '',
    ]);
    expect(stderr).toContain('2 users in your organization and all that it owns');
  });

  test('fails if a school has no ID, so that its users cannot be requested', async () => {
    const schools = list('schools', [{ id: 's1', name: 'Lakeside' }, { name: 'Hilltop' }]);
    const { code, stdout, stderr } = await edu(['-o', 'ids'], { ...answers(usersOf), 'GET /v1/schools': schools });
    expect([code, stdout]).toEqual([3, 'u1\nu2\nu3\nu4\n']);
    expect(stderr).toContain('\n  - school without an ID: its lists cannot be requested\n');
  });

  test('prints what it could read, and names the lists that it could not', async () => {
    const denied = answers((sent) => (sent.query.organization === 's1' ? { status: 403, body: {} } : usersOf(sent)));
    const plain = await edu(['-o', 'ids'], denied);
    expect([plain.code, plain.stdout]).toEqual([3, 'u1\nu2\nu4\nu5\nu6\nu7\nu8\n']);
    expect(plain.stderr).toContain(
      'Error: Cannot list all users: a list could not be read.\n  - Lakeside (s1): not allowed (403)',
    );
    const json = await edu(['--json'], denied);
    expect(json.code).toBe(3);
    expect(() => JSON.parse(json.stdout)).toThrow();
    expect(JSON.parse(json.stderr).error).toMatchObject({ kind: 'partial', details: [{ where: 'Lakeside (s1)' }] });
    expect(await edu(['--json'], answers({ status: 403, body: {} }))).toMatchObject({ code: 6, stdout: '' });
  });

  test.each([
    [['--search', 'rossi'], 'u2 u3'],
    [['--search', 'vos', '--sort', 'id:desc', '--limit', '2'], 'u8 u7'],
    [['--duplicates'], 'u2 u3 u4 u7 u5'],
  ])('prints a table of what it could read with %j', async (flags, ids) => {
    const denied = answers((sent) => (sent.query.organization === 's3' ? { status: 403, body: {} } : usersOf(sent)));
    const schools = ['s1', 's2', 's3'].map((id) => ({ id, name: `School ${id}` }));
    const ran = await edu(flags, { ...denied, 'GET /v1/schools': list('schools', schools) }, 100);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('- School s3 (s3): not allowed (403)') });
    expect(ran.stdout.match(/\bu\d/g)?.join(' ')).toBe(ids);
  });

  test('names a list of organizations that it could not read', async () => {
    const { code, stdout, stderr } = await edu(['-o', 'ids'], {
      ...answers(usersOf),
      'GET /v1/publishers': { status: 403, body: {} },
    });
    expect([code, stdout]).toEqual([3, 'u1\nu2\nu3\nu4\nu5\nu6\nu7\nu8\n']);
    expect(stderr).toContain('- list of publishers: not allowed (403)');
  });

  test.each([
    [['--organization', 's1'], '--organization cannot be given together with --all-organizations'],
    [['--organization-type', 'School'], '--organization-type cannot be given together with --all-organizations'],
    [['--role', 'Teacher'], '--role cannot be given together with --all-organizations'],
  ])('refuses %j', async (flags, message) => {
    expect(await edu(flags)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message), sent: [] });
  });
});

describe('--duplicates', () => {
  const FIELDS = ['--fields', 'group,same,id'];

  test('groups users by address, and by name in one organization', async () => {
    const { code, stdout } = await edu(['--duplicates', ...FIELDS]);
    expect([code, stdout]).toEqual([
      0,
      '1\te-mail\tu2\n1\te-mail\tu3\n2\te-mail;name\tu4\n2\te-mail\tu7\n2\tname\tu5\n',
    ]);
  });

  test('compares the users that pass the filters, before --limit', async () => {
    const { stdout, stderr } = await edu(['--duplicates', '--search', 'vos', '--limit', '2', ...FIELDS]);
    expect(stdout).toBe('1\te-mail;name\tu4\n1\te-mail\tu7\n');
    expect(stderr).toContain('cut by --limit after 2 users; there are more');
  });

  test('prints rows that updates read', async () => {
    const env = { ...home(), EDU_OFFLINE: '1' };
    const printed = await run(['users', 'list', '--organization', 's2', '--duplicates', '-o', 'csv'], { env });
    const input = printed.stdout.replace('王', 'Wang');
    const ran = await run(['users', 'update', '--from', '-', '--dry-run'], { env, input });
    expect(ran.stderr).toContain('Plan for 2 rows: 1 would be changed, 1 unchanged.');
  });
});
