/** Writes by ID for rows, on the bundled service: references, repetition, lost responses. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loseEnd } from '../support/lost-responses.js';
import { recordingServer } from '../support/recording-server.js';
import { temporaryFolder } from '../support/run.js';
import { skipWaits } from '../support/skip-waits.js';
import { offline, problemsOf, summaryOf } from './on-the-bundled-service.js';
import { against, CALLER, program } from './program.js';

skipWaits();

describe('writes by id', () => {
  test('classes assign and unassign: users by e-mail address, the class from the command line', async () => {
    const { edu, json } = offline();
    const before: readonly string[] = (await json('classes', 'get', 'c2')).usersInClass ?? [];
    const users = 'E-mail\nschool@example.org\n';
    expect(summaryOf(await edu(['classes', 'assign', 'c2', '--from', '-', '--json'], users))).toMatchObject({
      updated: 1,
    });
    expect((await json('classes', 'get', 'c2')).usersInClass).toEqual([...before, 'u3']);
    expect((await edu(['classes', 'unassign', 'c2', '--from', '-'], users)).code).toBe(0);
    expect((await json('classes', 'get', 'c2')).usersInClass ?? []).toEqual(before);
  });

  test('licenses update: by code, several rows, each keeps the fields that it does not contain', async () => {
    const { edu, json } = offline();
    const before = await json('licenses', 'get', 'code:0012345');
    const rows = 'code,maximum activations,name\n0012345,77,\n007,,Bond\n';
    expect((await edu(['licenses', 'update', '--from', '-', '--reset-license-category'], rows)).code).toBe(0);
    expect(await json('licenses', 'get', 'code:0012345')).toMatchObject({ maximumActivations: 77, name: before.name });
    expect(await json('licenses', 'get', 'code:007')).toMatchObject({ name: 'Bond' });
  });

  test.each([
    ['licenses update', 'licence,name', '00000002,A', '99999999,B'],
    ['licenses delete', 'licence', '00000003', '99999999'],
    ['subscriptions assign', 'subscription,user', 'sub1,u3', '99999999,u3'],
    ['subscriptions update', 'subscription,maximum-activations', 'sub1,90', '99999999,90'],
  ])('%s: an ID that does not exist is a problem of the input', async (line, head, good, bad) => {
    const { edu } = offline();
    const input = [head, good, bad, ''].join('\n');
    const ended = await edu([...line.split(' '), '--from', '-', '--yes', '--json'], input);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(problemsOf(ended)).toEqual([
      [expect.stringMatching(/^line 3, column 1/), expect.stringMatching(/has the ID,? .*"99999999"/)],
    ]);
  });

  test.each([
    ['a list of users', 'subscriptions assign sub1', 'id,email,firstName\nu3,school@example.org,A\n', ['sub1', 'u3']],
    ['IDs beside an item on the line', 'subscriptions assign sub1', 'id\nu3\n', ['sub1', 'u3']],
    ['a list of items and a user', 'subscriptions assign', 'id,code,user\nsub1,x,u3\n', ['sub1', 'u3']],
    [
      'a list of items and an address',
      'subscriptions assign',
      'id,code,email\nsub1,x,school@example.org\n',
      ['sub1', 'u3'],
    ],
    ['items and users', 'licenses assign', 'id,user\n00000002,u3\n', ['00000002', 'u3']],
    ['a list of users and an item', 'classes assign', 'id,email,class\nu3,school@example.org,c2\n', ['c2', 'u3']],
  ])('assign: id names what nothing else does, in %s', async (_, line, input, ids) => {
    const { edu } = offline();
    const ended = await edu([...line.split(' '), '--from', '-', '--dry-run', '--json'], input);
    expect([ended.code, ended.stderr.includes('Error')]).toEqual([0, false]);
    const [{ body }] = JSON.parse(ended.stdout).requests;
    expect(Object.values(body).sort()).toEqual([...ids].sort());
  });

  test.each([
    ['subscriptions assign', 'id,email\nu3,school@example.org\n', 'subscription is missing'],
    [
      'licenses assign',
      'id,code,user\n00000002,007,u3\n',
      '"00000002" and "code:007" (00000003) are not the same licence',
    ],
    [
      'classes assign c1',
      'id,email\nu2,school@example.org\n',
      '"u2" and "school@example.org" (u3) are not the same user',
    ],
  ])('%s sends nothing where id names another item: %j', async (line, input, problem) => {
    const { edu } = offline();
    const ended = await edu([...line.split(' '), '--from', '-', '--json'], input);
    expect([ended.code, problemsOf(ended)]).toEqual([2, [['line 2', problem]]]);
  });

  test.each(['id,code', 'edu_id,edu_code'])('licenses delete: %s that name two licences send nothing', async (head) => {
    const problem = '"00000002" and "code:007" (00000003) are not the same licence';
    const { edu, json } = offline();
    const before = await json('licenses', 'list');
    const ended = await edu(['licenses', 'delete', '--from', '-', '--yes', '--json'], `${head}\n00000002,007\n`);
    expect([ended.code, problemsOf(ended)]).toEqual([2, [['line 2', problem]]]);
    expect(await json('licenses', 'list')).toEqual(before);
  });

  test('licenses delete: id and code of one licence are one reference', async () => {
    const { edu } = offline();
    const ended = await edu(['licenses', 'delete', '--from', '-', '--dry-run', '--json'], 'id,code\n00000003,007\n');
    expect([ended.code, summaryOf(ended).requests.map(({ url }: { url: string }) => url.split('/').at(-1))]).toEqual([
      0,
      ['00000003'],
    ]);
  });

  test('licenses delete: a run after one that was killed before it reported sends nothing', async () => {
    const { env, edu } = offline();
    const line = ['licenses', 'delete', '--from', '-', '--yes', '--json'];
    const rows = '{"id":"00000006"}\n{"id":"00000003"}\n';
    const { job } = summaryOf(await edu(line, rows));
    loseEnd(join(env.EDU_STATE_DIR, 'jobs', job, 'journal.ndjson'));
    const again = await edu(line, rows);
    expect([again.code, summaryOf(again)]).toMatchObject([0, { updated: 2, rejected: 0, done: true }]);
    // The job removed them itself, also if the kill came after its end was recorded.
    const third = await edu(line, rows);
    expect([third.code, summaryOf(third)]).toMatchObject([0, { updated: 2, rejected: 0, done: true }]);
  });

  test('licenses: books with separators in their titles, and an ID that contains one', async () => {
    const ids = ['L,1', 'L', '1'];
    const books = ['Read, write', 'a;b', 'Read', 'write'].map((title, id) => ({ id: `b${id}`, title }));
    const server = await recordingServer(({ url: path, method }) => {
      const id = decodeURIComponent(path.split('/').at(-1) ?? '');
      if (path.startsWith('/v1/books?')) return { body: { books, paging: {} } };
      if (path.startsWith('/v1/publishers?')) return { body: { publishers: [], paging: {} } };
      if (path === '/v1/account' || path === '/v1/users/me')
        return { body: { id: 'me', organization: { id: 'd1', type: 'Distributor' } } };
      return method === 'GET' && ids.includes(id) ? { body: { id } } : { status: 404, body: {} };
    });
    const { run: edu } = program(server.origin);
    const row = { name: 'n', type: 'Books', days: 30, 'maximum-activations': 1 };
    const rows = [['Read, write', 'b3'], 'a\\;b, Read', 'Read\\, write'].map((cell) => ({ ...row, books: cell }));
    const created = await edu(['licenses', 'create', '--from', '-', '--dry-run', '--json'], JSON.stringify(rows));
    const { requests } = JSON.parse(created.stdout);
    expect(requests.map(({ body }: { body: { books: string[] } }) => body.books)).toEqual([
      ['b0', 'b3'],
      ['b1', 'b2'],
      ['b0'],
    ]);
    const deleted = await edu(['licenses', 'delete', '--from', '-', '--yes', '--dry-run', '--json'], 'id\n"L,1"\n');
    expect(JSON.parse(deleted.stdout).requests).toMatchObject([{ url: `${server.origin}/v1/licenses/L%2C1` }]);
  });

  test('classes assign by name: a finished job that is run again finds the class that has the name now', async () => {
    const { edu, json } = offline();
    const create = ['classes', 'create', '--school', 's1', '--name', '9x', '--subject', 'Mathematics', '-q'];
    const idOf = async (): Promise<string> => (await edu(create)).stdout.trim();
    const membersOf = async (id: string) => (await json('classes', 'get', id)).usersInClass ?? [];
    const first = await idOf();
    const line = ['classes', 'assign', '--school', 's1', '--from', '-', '--json'];
    const rows = 'class,user\n9x,school@example.org\n';
    expect(summaryOf(await edu(line, rows))).toMatchObject({ updated: 1 });
    expect((await edu(['classes', 'delete', first, '--yes'])).code).toBe(0);
    const second = await idOf();
    expect(second).not.toBe(first);
    expect(summaryOf(await edu(line, rows))).toMatchObject({ updated: 1 });
    expect([await membersOf(first), await membersOf(second)]).toEqual([[], ['u3']]);
  });

  test('users anonymize by e-mail address: a second run knows that the job is done', async () => {
    const { edu } = offline();
    const rows = 'user\nfemke.coordes.155@s1.example.org\n';
    const line = ['users', 'anonymize', '--from', '-', '--yes', '--json'];
    expect(summaryOf(await edu(line, rows))).toMatchObject({ updated: 1, done: true });
    expect(summaryOf(await edu(line, rows))).toMatchObject({ updated: 1, done: true });
  });

  test('users anonymize: the own account is refused before any user is anonymized', async () => {
    const { edu } = offline();
    const line = ['users', 'anonymize', '--from', '-', '--yes', '--json'];
    expect(problemsOf(await edu(line, 'user\nu3\nu1\n'))).toEqual([
      ['line 3', 'Refusing to anonymize user u1: this is the account you are logged in as.'],
    ]);
    expect((await edu(['users', 'get', 'u3', '-o', 'json'])).stdout).not.toContain('nonym');
  });
});

describe('a file that is uploaded before a write by ID', () => {
  async function readers(lost: number) {
    const sent: string[] = [];
    const { run } = await against(({ method, url }) => {
      sent.push(`${method} ${url.split('?')[0]}`);
      const uploads = sent.filter((one) => one === 'POST /v1/files').length;
      if (method === 'POST')
        return { reset: uploads === lost, body: { type: 'CloudStorage', id: `f${uploads}`, url: '' } };
      const id = url.split(/[/?]/)[3];
      return {
        body: { id, ean: '1', title: 'T', subject: { id: '0001', translatedName: null }, pdfDownloadable: true },
      };
    });
    const pdf = join(temporaryFolder(), 'a.pdf');
    writeFileSync(pdf, '%PDF-1.4\n');
    const line = [...['readers', 'update', '--from', '-', '--content-language', 'EN'], '--concurrency', '1', '--json'];
    return { run, ended: await run(line, `id,pdf\nr1,${pdf}\nr2,${pdf}\n`), sent };
  }

  test('makes the row unknown if the response is lost; only --unknown sends it again', async () => {
    const { run, ended, sent } = await readers(1);
    expect([ended.code, summaryOf(ended)]).toMatchObject([3, { updated: 1, unknown: 1 }]);
    expect(problemsOf(ended)).toEqual([['row 1', expect.stringContaining('Its file may have been stored')]]);
    const count = (what: string) => sent.filter((one) => one === what).length;
    expect([count('POST /v1/files'), count('PUT /v1/readers/r1'), count('PUT /v1/readers/r2')]).toEqual([2, 0, 1]);
    expect((await run(['jobs', 'retry', summaryOf(ended).job])).code).toBe(3);
    expect(count('POST /v1/files')).toBe(2);
    expect((await run(['jobs', 'retry', summaryOf(ended).job, '--unknown'])).code).toBe(0);
    expect([count('POST /v1/files'), count('PUT /v1/readers/r1')]).toEqual([3, 1]);
  });
});

describe('an assignment whose response is lost, where the service refuses to repeat it', () => {
  const members: Record<string, string[]> = {};

  /** @param shows false for a service that does not show the members */
  async function service(shows: boolean) {
    Object.assign(members, { c1: ['u3', 'u4'], c2: [] });
    const lost = new Set<string>();
    const { origin, close } = await recordingServer(({ method, url, body }) => {
      const caller = CALLER[url];
      const id = url.split('/').at(-1) ?? '';
      if (method === 'GET')
        return { body: caller ?? { id, classId: id, usersInClass: shows ? members[id] : undefined } };
      const { userId, classId } = JSON.parse(body.toString());
      const [of = [], joins] = [members[classId], url.includes('/assign')];
      if (of.includes(userId) === joins) return { status: 400, body: { message: 'nothing changes' } };
      members[classId] = joins ? [...of, userId] : of.filter((one) => one !== userId);
      const isLost = userId === 'u3' && lost.size < lost.add(url).size;
      return isLost ? { status: 500, body: {} } : { body: { classId, usersInClass: members[classId] } };
    });
    onTestFinished(close);
    return program(origin).run;
  }

  test('is done if the class has the user, or no longer has', async () => {
    const run = await service(true);
    const line = ['classes', 'move', '--from-class', 'c1', '--to-class', 'c2', '--from', '-', '--json'];
    const ended = await run(line, 'user\nu3\nu4\n');
    expect([ended.code, summaryOf(ended)], ended.stderr).toMatchObject([0, { updated: 2, done: true }]);
    expect(members).toEqual({ c1: [], c2: ['u3', 'u4'] });
    const again = await run(line, 'user\nu3\nu4\n');
    expect([again.code, summaryOf(again)], again.stderr).toMatchObject([0, { updated: 2, done: true }]);
  });

  test('has the item of the request in the results', async () => {
    const run = await service(true);
    const results = join(temporaryFolder(), 'results.csv');
    expect((await run(['classes', 'assign', 'c2', '--from', '-', '--results', results], 'user\nu3\n')).code).toBe(0);
    expect(readFileSync(results, 'utf8')).toContain('u3,1,updated,c2,');
  });

  test('is done by a single command, too', async () => {
    const run = await service(true);
    const ended = await run(['classes', 'move', 'u3', '--from-class', 'c1', '--to-class', 'c2']);
    expect([ended.code, members], ended.stderr).toEqual([0, { c1: ['u4'], c2: ['u3'] }]);
  });

  test('is unknown if the class does not show its users', async () => {
    const run = await service(false);
    const ended = await run(['classes', 'assign', 'c2', '--from', '-', '--json'], 'user\nu3\n');
    expect([ended.code, summaryOf(ended)]).toMatchObject([3, { unknown: 1 }]);
  });
});
