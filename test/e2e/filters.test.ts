import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, run, sharedFolder } from '../support/run.js';
import { existing, scriptedService } from '../support/scripted-service.js';

const folder = sharedFolder();
const env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state'), EDU_OFFLINE: '1' };
const NOW = Date.parse('2026-03-31T12:00:00Z');
const edu = (...argv: readonly string[]) => run(argv, { env, now: () => NOW });

interface Licence {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly type: string;
  readonly books: readonly { readonly id: string }[];
  readonly expiration: { readonly date: string | null } | null;
  readonly numberOfActivations: number;
  readonly maximumActivations: number;
  readonly organization: { readonly id: string };
  readonly endUsers: readonly { readonly id: string }[];
}

const ids = (items: readonly { readonly id: string }[]): readonly string[] => items.map(({ id }) => id);
const all = async <T>(...argv: readonly string[]): Promise<readonly T[]> =>
  JSON.parse((await edu(...argv, '--json')).stdout);
const endOf = ({ expiration }: Licence): string => expiration?.date ?? '';

describe('licences', () => {
  const CASES: readonly (readonly [string, readonly string[], (licence: Licence) => boolean])[] = [
    ['--unused', ['--unused'], ({ numberOfActivations }) => numberOfActivations === 0],
    ['--full', ['--full'], (one) => one.numberOfActivations >= one.maximumActivations],
    ['--free', ['--free', '30'], (one) => one.maximumActivations - one.numberOfActivations >= 30],
    [
      '--used',
      ['--used', '40%'],
      (one) => one.maximumActivations > 0 && one.numberOfActivations >= 0.4 * one.maximumActivations,
    ],
    ['--organization', ['--organization', 'lycée émile-zola'], ({ organization }) => organization.id === 's2'],
    ['--expired', ['--expired'], (one) => endOf(one) !== '' && endOf(one) < '2026-03-31'],
    ['--expires-after', ['--expires-after', 'today'], (one) => endOf(one) > '2026-03-31'],
    ['--expires-before', ['--expires-before', '+10y'], (one) => endOf(one) !== '' && endOf(one) < '2036-03-31'],
    ['--book', ['--book', 'B1'], ({ books }) => books.some(({ id }) => id === 'B1')],
    ['two books', ['--book', 'B1,B3'], ({ books }) => books.some(({ id }) => id === 'B1' || id === 'B3')],
    ['--search', ['--search', 'AUTÜMN'], ({ name, code }) => /autumn/i.test(`${name} ${code}`)],
    [
      'several',
      ['--unused', '--book', 'B1', '--expires-after', '-1y'],
      (one) => one.numberOfActivations === 0 && one.books.some(({ id }) => id === 'B1') && endOf(one) > '2025-03-31',
    ],
  ];

  test.each(CASES)('%s', async (_, flags, isWanted) => {
    const licences = await all<Licence>('licenses', 'list');
    const wanted = ids(licences.filter(isWanted));
    expect(wanted.length, 'a filter that keeps some of the sample licences').toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(licences.length);
    expect(ids(await all('licenses', 'list', ...flags))).toEqual(wanted);
    const lines = (await edu('licenses', 'list', ...flags, '-o', 'ndjson')).stdout.split('\n').filter(Boolean);
    expect(ids(lines.map((line) => JSON.parse(line)))).toEqual(wanted);
    const plain = await edu('licenses', 'list', ...flags, '-o', 'ids');
    expect(plain.stdout.split('\n').filter(Boolean)).toEqual(wanted);
  });

  test('--user finds licences that the user has activated', async () => {
    const licences = await all<Licence>('licenses', 'list');
    const users = new Map<string, string[]>();
    for (const { id } of licences.filter(({ numberOfActivations }) => numberOfActivations > 0)) {
      const ran = await edu('licenses', 'activations', id, '--json');
      // The creator of a licence cannot read the activations of one that a school owns.
      const activations: readonly { user: string }[] = ran.code === 0 ? JSON.parse(ran.stdout) : [];
      const holders = [
        ...activations.map(({ user }) => user),
        ...ids(licences.find((one) => one.id === id)?.endUsers ?? []),
      ];
      for (const user of new Set(holders)) users.set(user, [...(users.get(user) ?? []), id]);
    }
    expect(users.size).toBeGreaterThan(1);
    for (const [user, held] of [...users].slice(0, 4)) {
      expect(ids(await all('licenses', 'list', '--user', user))).toEqual(held);
    }
  });

  test('licences without a date are counted in a warning, except teacher licences', async () => {
    const licences = await all<Licence>('licenses', 'list');
    const undated = licences.filter((one) => one.type === 'Books' && endOf(one) === '').length;
    expect(undated).toBeGreaterThan(1);
    const ran = await edu('licenses', 'list', '--expired');
    expect(ran.stderr).toContain(`${undated} licences are left out: the end is N days after activation`);
    expect((await edu('licenses', 'list', '--expired', '--quiet')).stderr).toBe(ran.stderr);
    expect((await edu('licenses', 'list', '--type', 'TEACHER', '--expired')).stderr).toBe('');
    const { id } = licences.find((one) => one.endUsers.length > 0)?.endUsers[0] ?? { id: '' };
    const held = licences.filter(({ endUsers }) => ids(endUsers).includes(id));
    const own = held.filter((one) => one.type === 'Books' && endOf(one) === '').length;
    expect(own).toBeLessThan(undated);
    const ofUser = await edu('licenses', 'list', '--expired', '--user', id);
    expect(ofUser.stderr).toMatch(new RegExp(`Warning: ${own} licences? (is|are) left out`));
  });

  test.each([
    ['licenses list --book', 'is empty; give an ID'],
    ['licenses summary --book', 'is empty; give an ID'],
    ['users list --role', 'is empty; give an ID'],
    ['users update u3 --add-role', 'is empty; give an ID'],
    ['licenses list --to', 'must not be empty'],
  ])('%s with an empty value is a usage error', async (line, message) => {
    const { code, stdout, stderr } = await edu(...line.split(' '), '');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`${line.split(' ').at(-1)} ${message}.`)]);
  });

  test('--limit counts the items that pass', async () => {
    const [first, second] = ids(await all('licenses', 'list', '--unused'));
    const ran = await edu('licenses', 'list', '--unused', '--limit', '2', '-o', 'ids');
    expect(ran.stdout).toBe(`${first}\n${second}\n`);
    expect(ran.stderr).toContain('cut by --limit after 2 licences');
  });

  test.each([
    ['--expires-before', 'soon', 'must be a valid date (yyyy-MM-dd, today, +30d), not "soon"'],
    ['--used', '90', 'must be a percentage from 0% to 100%, not "90"'],
    ['--used', '101%', 'must be a percentage from 0% to 100%, not "101%"'],
    ['--free', '0', 'must be at least 1, not 0'],
    ['--in', 's1', 'needs --user as well'],
  ])('%s %s is refused before a request', async (flag, value, message) => {
    const ran = await edu('licenses', 'list', flag, value);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${flag} ${message}.`) });
  });
});

describe('activations that endUsers does not list', () => {
  const licence = (id: string, count: number | string, users: readonly string[]) => ({
    id,
    type: 'Books',
    numberOfActivations: count,
    maximumActivations: 5,
    endUsers: users.map((user) => ({ id: user })),
  });

  test('are read, and licences that could not be checked are named', async () => {
    const service = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', roles: [] } },
      ...existing('users/u7'),
      'GET /v1/licenses': {
        body: {
          licenses: [
            licence('named', 1, ['u7']),
            licence('other', 1, ['u8']),
            licence('hidden', 2, ['u8']),
            licence('secret', 1, []),
            licence('short', 2, ['u8']),
            licence('nameless', 1, []),
            licence('unused', 0, []),
            licence('text', '1', ['u8']),
          ],
        },
      },
      'GET /v1/licenses/hidden/activations': { body: { activations: [{ user: 'u8' }, { user: 'u7' }] } },
      'GET /v1/licenses/secret/activations': { status: 403, body: {} },
      'GET /v1/licenses/short/activations': { body: { activations: [{ user: 'u8' }] } },
      'GET /v1/licenses/nameless/activations': { body: { activations: [{ user: null }] } },
    });
    const ran = await run(['licenses', 'list', '--type', 'BOOKS', '--user', 'u7', '-o', 'ids'], { env: service.env });
    expect(ran).toMatchObject({ code: 0, stdout: 'named\nhidden\n' });
    expect(ran.stderr).toContain(
      'holds 3 licences nameless, secret, short is not known: not all activations are shown.',
    );
    const read = service.sent.flatMap(({ line }) => /([a-z]+).activations$/.exec(line)?.[1] ?? []);
    expect(read.sort()).toEqual(['hidden', 'nameless', 'secret', 'short']);
  });
});

describe('items without what a filter needs', () => {
  const shown = {
    books: [{ id: 'b1' }],
    organization: { id: 's1', type: 'School' },
    expiration: { type: 'Date', date: '2020-01-01' },
  };

  test.each([
    ['licenses', '--book', 'b1', 'books'],
    ['licenses', '--organization', 's1', 'organization'],
    ['licenses', '--unused', undefined, 'activations'],
    ['licenses', '--expired', undefined, 'end'],
    ['subscriptions', '--expired', undefined, 'end'],
    ['users', '--role', 'r1', 'roles'],
  ])('are counted in a warning: %s list %s', async (resource, flag, value, what) => {
    const service = await scriptedService({
      'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', roles: [] } },
      ...existing('books/b1', 'schools/s1'),
      'GET /v1/users/u1': { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' } } },
      'GET /v1/roles': { body: { roles: [{ id: 'r1', name: 'A' }] } },
      'GET /v1/users': { body: { users: [{ id: '1', roles: [{ id: 'r1' }] }, { id: '2' }, { id: '3', roles: null }] } },
      'GET /v1/licenses': ({ query: { type } }) => ({
        body: {
          licenses:
            type === 'BOOKS'
              ? [
                  { id: '1', type: 'Books', ...shown, numberOfActivations: 0 },
                  {
                    id: '2',
                    type: 'Books',
                    books: null,
                    organization: null,
                    expiration: { type: 'Date', date: 'soon' },
                  },
                ]
              : [{ id: '3', type: 'Teacher', books: null, organization: { id: 's2' }, numberOfActivations: 1 }],
        },
      }),
      'GET /v1/subscriptions': {
        body: {
          subscriptions: [
            { id: '1', expirationDate: '2020-01-01' },
            { id: '2', expirationDate: null },
          ],
        },
      },
    });
    const filter = value === undefined ? [flag] : [flag, value];
    const ran = await run([resource, 'list', ...filter, '-o', 'ids'], { env: service.env });
    const one = resource.slice(0, -1).replace('license', 'licence');
    expect(ran).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: `Warning: 1 ${one} is left out: the service does not show the ${what}.\n`,
    });
  });
});

describe('every list', () => {
  const LISTS: readonly (readonly [string, readonly string[], string])[] = [
    ['books', ['books', 'list', '--organization', 'p1', '--organization-type', 'Publisher'], 'title'],
    ['subjects', ['books', 'subjects'], 'translatedName'],
    ['schools', ['schools', 'list'], 'city'],
    ['publishers', ['publishers', 'list'], 'name'],
    ['users', ['users', 'list', '--organization', 's1', '--organization-type', 'School'], 'lastName'],
    ['classes', ['schools', 'classes', 's1'], 'className'],
    ['roles', ['roles', 'list'], 'name'],
    ['subscriptions', ['subscriptions', 'list'], 'code'],
  ];
  test.each(LISTS)('accepts --search: %s', async (_, list, field) => {
    const items = await all<Record<string, string>>(...list);
    const text = String(items.at(-1)?.[field]);
    const found = await all<Record<string, string>>(...list, '--search', text.toUpperCase());
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(items.length);
    expect(found).toContainEqual(items.at(-1));
    expect(await all(...list, '--search', 'no such thing')).toEqual([]);
  });

  test('a full name matches first and last name', async () => {
    const users = ['users', 'list', '--organization', 's1', '--organization-type', 'School'];
    const [first] = await all<Record<string, string>>(...users);
    expect(await all(...users, '--search', `${first?.firstName}  ${first?.lastName}`)).toContainEqual(first);
  });
});

describe('an empty list', () => {
  const offline = () => ({ ...home(), EDU_OFFLINE: '1' });

  test.each([
    [['users', 'list'], {}, 'Note: 0 users in your organization d1 only; --all-organizations looks further\n'],
    [['licenses', 'list'], {}, 'Note: 0 licences that your organization created\n'],
    [['schools', 'list'], {}, 'Note: 0 schools that your organization owns\n'],
    [
      ['users', 'list'],
      { EDU_ORGANIZATION: 's1' },
      'Note: 0 users in organization s1 (EDU_ORGANIZATION) only; --all-organizations looks further\n',
    ],
    [
      ['users', 'list', '--organization', 's1'],
      {},
      'Note: 0 users in school s1 only; --all-organizations looks further\n',
    ],
    [['users', 'list', '--as', 'school'], {}, 'Note: 0 users in your organization s1 only\n'],
    [['roles', 'list'], {}, 'Note: 0 roles in your organization d1 only; --organization looks elsewhere\n'],
    [['schools', 'classes', 's1'], {}, 'Note: 0 classes of school s1\n'],
    [['classes', 'list', '--school', 'Lycée Émile-Zola'], {}, 'Note: 0 classes of school Lycée Émile-Zola\n'],
    [['classes', 'list'], { EDU_ORGANIZATION: 's1' }, 'Note: 0 classes of school s1\n'],
    [['licenses', 'activations', 'code:welcome1'], {}, 'Note: 0 activations of licence code:welcome1\n'],
    [['users', 'list', '--quiet'], {}, ''],
  ])('says where was looked: %j %j', async (argv, more, stderr) => {
    const ran = await run([...argv, '--search', 'nobody-is-called-so', '-o', 'ids'], {
      env: { ...offline(), ...more },
    });
    expect(ran).toEqual({ code: 0, stdout: '', stderr });
  });

  test('says so below a table, too, also if it is not empty', async () => {
    const { stderr } = await run(['users', 'list'], { env: offline(), terminal: 120 });
    expect(stderr).toContain('in your organization d1 only; --all-organizations looks further');
  });
});
