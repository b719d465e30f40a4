/** Names beside the IDs of users: activations, members of a class, modified users. */
import { describe, expect, test } from 'vitest';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const offline = () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  return (argv: readonly string[], terminal?: number) =>
    run(argv, { env, ...(terminal === undefined ? {} : { terminal }) });
};

describe('licenses activations', () => {
  test('have the fields of the service, or also names', async () => {
    const edu = offline();
    const [plain] = JSON.parse((await edu(['licenses', 'activations', '00000001', '--json'])).stdout);
    const [named] = JSON.parse((await edu(['licenses', 'activations', '00000001', '--with-names', '--json'])).stdout);
    expect(named).toEqual({
      ...plain,
      firstName: expect.any(String),
      lastName: expect.any(String),
      email: expect.anything(),
    });
    const onTerminal = await edu(['licenses', 'activations', '00000001'], 120);
    expect(onTerminal.stdout).toContain(`${named.firstName} ${named.lastName}`);
  });
});

describe('end users, whom no endpoint shows by ID,', () => {
  const names = (firstName: string) => ({ firstName, lastName: 'P', email: null });
  const service = () =>
    scriptedService({
      'GET /v1/licenses/7/activations': {
        body: { activations: ['e1', 'u1', 'e2'].map((user) => ({ creationDate: '', expirationDate: '', user })) },
      },
      'GET /v1/licenses/7': { body: { id: '7', endUsers: [{ id: 'e1', ...names('Eva') }] } },
      'GET /v1/users/u1': { body: { id: 'u1', ...names('Uwe') } },
      'GET /v1/users/e2': { status: 404, body: {} },
      'GET /v1/classes/c1': { body: { classId: 'c1', className: '5a', usersInClass: ['e2', 'u1'] } },
    });
  const note = 'users could not be named: end users are shown only by the licences that they hold.';

  test('are named by the licence, and the others are counted', async () => {
    const { env, sent } = await service();
    const { stdout, stderr } = await run(['licenses', 'activations', '7', '--with-names', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject([
      { user: 'e1', ...names('Eva') },
      { user: 'u1', ...names('Uwe') },
      { user: 'e2', firstName: null },
    ]);
    expect(stderr).toBe(`Warning: 1 of 3 ${note}\n`);
    expect(sent.filter(({ line }) => line.includes('/users/e1'))).toEqual([]);
  });

  test('are counted in a class, too', async () => {
    const { env } = await service();
    const { stderr } = await run(['classes', 'get', 'c1', '--with-names', '--json'], { env });
    expect(stderr).toBe(`Warning: 1 of 2 ${note}\n`);
  });
});

test('classes get adds its members by name', async () => {
  const edu = offline();
  const plain = JSON.parse((await edu(['classes', 'get', 'c5', '--json'])).stdout);
  const named = JSON.parse((await edu(['classes', 'get', 'c5', '--with-names', '--json'])).stdout);
  expect(named).toEqual({ ...plain, users: expect.any(Array) });
  expect(named.users.map(({ id }: { id: string }) => id)).toEqual(plain.usersInClass);
  expect(named.users[0].lastName).toEqual(expect.any(String));
});

describe('users modified --since', () => {
  const NOW = Date.parse('2026-03-03T12:00:00Z');
  const service = () =>
    scriptedService({
      'GET /v1/users/checkModified': ({ query }) => ({
        body:
          query.dateToCheck === '2026-03-01'
            ? ['u2', 'u1']
            : query.dateToCheck === '2026-03-03'
              ? ['u1', 'u3', 'u1']
              : [],
      }),
      'GET /v1/users/u1': { body: { id: 'u1', firstName: 'Mia', lastName: 'Brandt', email: 'mia@b.example' } },
      'GET /v1/users/u2': { status: 403, body: {} },
      'GET /v1/users/u3': { status: 404, body: {} },
      'GET /v1/account': { body: { id: 'u9', email: 'a@b.example', roles: [] } },
    });

  test('reads each day up to today, and lists each user once', async () => {
    const { env, sent } = await service();
    const ran = await run(['users', 'modified', '--since', '-2d', '-o', 'ids'], { env, now: () => NOW });
    expect(ran).toMatchObject({ code: 0, stdout: 'u2\nu1\nu3\n', stderr: '' });
    expect(sent.map(({ query }) => query.dateToCheck)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    const day = await run(['users', 'modified', '--date', 'today', '-o', 'ids'], { env, now: () => NOW });
    expect(day.stdout).toBe('u1\nu3\n');
    const named = await run(['users', 'modified', '--date', 'today', '--with-names'], { env, now: () => NOW });
    expect(named.stderr).toBe(
      'Warning: 1 of 2 users could not be named: end users are shown only by the licences that they hold.\n',
    );
  });

  test.each([
    ['brandt', '["u1"]'],
    ['U3', '["u3"]'],
  ])('--search %s finds names and IDs without printing names', async (text, stdout) => {
    const { env } = await service();
    const line = ['users', 'modified', '--since', '-2d', '--search', text, '--json', '--query', '[]'];
    const ran = await run(line, { env, now: () => NOW });
    expect([ran.code, JSON.stringify(JSON.parse(ran.stdout))]).toEqual([0, stdout]);
  });

  test('names users once whose IDs have another key', async () => {
    const { env } = await scriptedService({
      'GET /v1/users/checkModified': { body: { users: [{ userId: 'u1', at: null }] } },
      'GET /v1/users/u1': { body: { id: 'u1', firstName: 'Mia', lastName: 'Brandt', email: null } },
    });
    const ran = await run(['users', 'modified', '--since', '-2d', '--with-names', '--json'], { env });
    expect(JSON.parse(ran.stdout)).toEqual([
      { userId: 'u1', at: null, firstName: 'Mia', lastName: 'Brandt', email: null },
    ]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  test('shows no name for a value that is not an ID', async () => {
    const { env } = await scriptedService({
      'GET /v1/users/checkModified': { body: ['', '..', 'u1', 'u2'] },
      'GET /v1/users/u1': { body: { id: 'u1', firstName: 'Mia', lastName: 'Brandt', email: null } },
      'GET /v1/users/u2': { status: 400, body: { message: 'malformed id' } },
    });
    const { code, stdout } = await run(['users', 'modified', '--with-names', '-o', 'csv', '--fields', 'id,firstName'], {
      env,
    });
    expect([code, stdout]).toEqual([0, 'id,firstName\n,\n..,\nu1,Mia\nu2,\n']);
  });

  test('is a usage error for a day in the future, and nothing is sent', async () => {
    const { env, sent } = await service();
    const ran = await run(['users', 'modified', '--since', '+2d', '--json'], { env, now: () => NOW });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('--since 2026-03-05 is in the future.');
    expect(sent).toEqual([]);
  });
});
