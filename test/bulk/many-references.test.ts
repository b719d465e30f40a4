/** Many references: e-mail addresses and codes are found by pages of lists, a few by single look-ups. */
import { expect, onTestFinished, test } from 'vitest';
import { recordingServer } from '../support/recording-server.js';
import { program } from './program.js';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly school: string;
}

const people = (count: number, schoolOf: (n: number) => string = () => 's1'): readonly Person[] =>
  Array.from({ length: count }, (_, n) => ({ id: `p${n}`, email: `pupil${n}@school.example`, school: schoolOf(n) }));

const ME = { id: 'u1', email: 'me@distributor.example', school: 'd1' };

const NOT_FOUND = { status: 404, body: { message: 'no such user' } };

interface Options {
  /** Whether lists of users may be read. */
  readonly lists?: boolean;
  readonly licences?: readonly { readonly id: string; readonly code: string }[];
  /** Number of classes. */
  readonly classes?: number;
}

const SCHOOLS = ['s0', 's1', 's2'];

/** A service of users in schools, with pages of 100. */
async function served(all: readonly Person[], { lists = true, licences = [], classes = 0 }: Options = {}) {
  const classIds = Array.from({ length: classes }, (_, n) => `classes-${n}`);
  const byEmail = new Map(all.map((person) => [person.email, person]));
  const byId = new Map([ME, ...all].map((person) => [person.id, person]));
  const shown = ({ school, ...person }: Person) => ({
    ...person,
    firstName: 'Mia',
    lastName: 'Berg',
    roles: [],
    organization: { id: school, type: school === 'd1' ? 'Distributor' : 'School' },
  });
  const pageOf = <T>(key: string, items: readonly T[], cursor: string | null, of = (item: T): unknown => item) => {
    const start = Number(cursor ?? 0);
    const next = start + 100 < items.length ? String(start + 100) : null;
    return { body: { [key]: items.slice(start, start + 100).map(of), paging: { nextCursor: next } } };
  };
  const server = await recordingServer(({ method, url }) => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const last = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    if (method !== 'GET') return { body: '' };
    if (pathname === '/v1/account') return { body: { id: 'u1', email: ME.email, roles: [] } };
    if (pathname === '/v1/users') {
      if (!lists) return { status: 403, body: { message: 'no' } };
      const members = all.filter(({ school }) => school === searchParams.get('organization'));
      return pageOf('users', members, searchParams.get('cursor'), shown);
    }
    if (pathname === '/v1/licenses') {
      const some = searchParams.get('type') === 'TEACHER' ? licences : [];
      return pageOf('licenses', some, searchParams.get('cursor'));
    }
    if (pathname.startsWith('/v1/licenses/code/')) {
      const found = licences.find(({ code }) => code === last);
      return found === undefined ? NOT_FOUND : { body: found };
    }
    if (pathname.startsWith('/v1/roles')) return { body: { roles: [{ id: 'r1', name: 'Teacher' }] } };
    if (pathname === '/v1/publishers') return pageOf('publishers', [], null);
    if (pathname === '/v1/schools')
      return pageOf(
        'schools',
        SCHOOLS.map((id) => ({ id, name: id })),
        null,
      );
    if (pathname.endsWith('/classes')) {
      const place = SCHOOLS.indexOf(pathname.split('/')[3] ?? '');
      return { body: classIds.flatMap((classId, n) => (n % 3 === place ? [{ classId }] : [])) };
    }
    const [, , kind] = pathname.split('/');
    if (kind === 'licenses' && licences.some(({ id }) => id === last)) return { body: { id: last } };
    if (kind === 'classes' && classIds.includes(last)) return { body: { classId: last } };
    if (pathname === '/v1/licenses/L1') return { body: { id: last } };
    const person = pathname.startsWith('/v1/users/userId/') ? byEmail.get(last.toLowerCase()) : byId.get(last);
    if (person === undefined) return NOT_FOUND;
    return { body: pathname.startsWith('/v1/users/userId/') ? { id: person.id } : shown(person) };
  });
  onTestFinished(() => server.close());
  const reads = (path: string): number =>
    server.requests.filter(({ method, url }) => method === 'GET' && url.startsWith(path)).length;
  return { edu: program(server.origin), server, reads };
}

const emails = (all: readonly Person[]): string => ['user', ...all.map(({ email }) => email), ''].join('\n');

test('500 pupils of one school need 5 pages and one look-up', async () => {
  const pupils = people(500);
  const { edu, server, reads } = await served(pupils);
  const ended = await edu.run(['licenses', 'assign', 'L1', '--from', '-', '--json'], emails(pupils));
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 500, updated: 500 });
  // One page of the caller's own organization, and 5 of the school.
  expect(reads('/v1/users?')).toBe(6);
  expect(reads('/v1/users/userId/')).toBe(1);
  const assigned = server.requests
    .filter(({ url }) => url.endsWith('licenses/assignLicense'))
    .map(({ body }) => JSON.parse(`${body}`).userId);
  expect(new Set(assigned)).toEqual(new Set(pupils.map(({ id }) => id)));
});

const assign = ['licenses', 'assign', 'L1', '--from', '-', '--dry-run', '--json'];

test('reads the pages of several schools after one look-up each, and ignores the case of addresses', async () => {
  const pupils = people(600, (n) => `s${n % 3}`);
  const { edu, reads } = await served(pupils);
  const ended = await edu.run(assign, emails(pupils).replaceAll('pupil', 'Pupil'));
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(JSON.parse(ended.stdout).requests[599].body).toMatchObject({ userId: 'p599' });
  expect([reads('/v1/users?'), reads('/v1/users/userId/')]).toEqual([7, 3]);
});

test('falls back to one look-up each when lists may not be read', async () => {
  const pupils = people(100);
  const { edu, reads } = await served(pupils, { lists: false });
  expect((await edu.run(assign, emails(pupils))).code).toBe(0);
  expect(reads('/v1/users?')).toBeLessThanOrEqual(3);
  expect(reads('/v1/users/userId/')).toBe(100);
});

test('stops reading a list that needs more requests than it saves', async () => {
  const all = people(10_000);
  const wanted = all.slice(9000, 9030);
  const { edu, reads } = await served(all);
  expect((await edu.run(assign, emails(wanted))).code).toBe(0);
  expect(reads('/v1/users?')).toBeLessThanOrEqual(31);
  expect(reads('/v1/users/userId/')).toBe(30);
});

test('looks up addresses that no list shows, and reports their lines', async () => {
  const pupils = people(200);
  const { edu } = await served(pupils);
  const ended = await edu.run(assign, `${emails(pupils)}nobody@school.example\n`);
  expect(ended.code).toBe(2);
  expect(JSON.parse(ended.stderr).error.details).toEqual([
    {
      where: 'line 202, column 1 "user"',
      message: 'no user has the ID, e-mail address or name "nobody@school.example" (looked in your organization only)',
    },
  ]);
});

test('looks up licence codes in the pages of both lists', async () => {
  const licences = Array.from({ length: 500 }, (_, n) => ({ id: `L${n}`, code: `code${n}` }));
  const { edu, reads } = await served(people(1), { licences });
  const input = ['licence,user', ...licences.map(({ code }) => `code:${code},p0`), ''].join('\n');
  const ended = await edu.run(['licenses', 'assign', '--from', '-', '--dry-run', '--json'], input);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(JSON.parse(ended.stdout).requests[499].body).toEqual({ userId: 'p0', licenseId: 'L499' });
  expect([reads('/v1/licenses?'), reads('/v1/licenses/code/')]).toEqual([6, 0]);
});

test.each([
  ['licenses', 'licence,user', (n: number) => `L${n},p0`, '/v1/licenses?', 6],
  ['classes', 'class,user', (n: number) => `classes-${n},p0`, '/v1/schools/', 3],
])('looks up the IDs of 500 %s in pages of lists', async (kind, head, rowOf, list, pages) => {
  const licences = Array.from({ length: 500 }, (_, n) => ({ id: `L${n}`, code: `code${n}` }));
  const { edu, reads } = await served(people(1), { licences, classes: 500 });
  const argv = [kind, 'assign', '--from', '-', '--dry-run', '--limit', '1', '--json'];
  const input = [head, ...Array.from({ length: 500 }, (_, n) => rowOf(n)), ''].join('\n');
  const ended = await edu.run(argv, input);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(reads(list)).toBe(pages);
  expect(reads(`/v1/${kind}/${kind === 'licenses' ? 'L' : kind}`)).toBe(0);
});

test('finds the organizations of users by pages, for the roles that they get', async () => {
  const pupils = people(150, (n) => `s${n % 3}`);
  const { edu, reads } = await served(pupils);
  const input = ['user,role', ...pupils.map(({ id }) => `${id},Teacher`), ''].join('\n');
  const ended = await edu.run(['users', 'update', '--from', '-', '--dry-run', '--limit', '1', '--json'], input);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  // One user of each school, each user to compare it with its row, and the user whose update is shown.
  expect([reads('/v1/users?'), reads('/v1/users/p'), reads('/v1/roles?')]).toEqual([4, 3 + 150 + 1, 3]);
});
