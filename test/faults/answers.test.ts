/** Errors of every form, as a user sees them: the message of the service, cleaned, without a stack trace or the words of a parser. */
import { describe, expect, test } from 'vitest';
import type { Reply } from '../support/recording-server.js';
import { run } from '../support/run.js';
import { type Answers, existing, scriptedService, TOKEN } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';
import { CREATE, edu, get, SCHOOL } from './scripted-edu.js';

skipWaits();

/** What the creates refer to. */
const REFERENCES: Answers = {
  ...existing('schools/2', 'schools/o'),
  'GET /v1/books/subjects': { body: { subjects: [{ id: '1', translatedName: 'Mathematics' }] } },
};

describe('an error body', () => {
  test.each([
    ['{message}', { message: 'city is unknown' }, 'city is unknown'],
    ['of nothing', '', 'Bad Request'],
    ['with escape sequences', { message: '\u001b[31mcity\u001b[0m\r\nis\u202e unknown\u0007' }, 'city'],
    ['of 3 MB', 'city is unknown '.repeat(200_000), 'city is unknown'],
  ] as const)('%s is shown as its message', async (_, body, said) => {
    const plain = await edu(CREATE, { 'POST /v1/schools': { status: 400, body } });
    expect(plain).toMatchObject({ code: 1, stdout: '', lines: ['POST /v1/schools'] });
    expect(plain.stderr).toContain('the service rejected the request (400)');
    expect(plain.stderr).toContain(said);
    expect(plain.stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    expect(plain.stderr.length).toBeLessThan(3000);
    const json = await edu([...CREATE, '--json'], { 'POST /v1/schools': { status: 400, body } });
    expect(json.stdout).toBe('');
    const { error } = JSON.parse(json.stderr) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ kind: 'refused', status: 400, method: 'POST', path: '/v1/schools' });
    expect(json.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('is shown without the token that it or a header repeats', async () => {
    const body = { message: `the token ${TOKEN} may not do this (${encodeURIComponent(TOKEN)})` };
    const { code, stderr } = await edu(CREATE, {
      'POST /v1/schools': { status: 400, body, headers: { 'x-request-id': TOKEN } },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('may not do this');
    const broken = { body: `<title>${TOKEN}</title>`, headers: { 'content-type': 'text/html' } };
    const service = await scriptedService({ ...REFERENCES, 'POST /v1/classes': broken });
    const argv = ['classes', 'create', '--subject-id', '1', '--school-id', '2', '--name', 'x', '--debug'];
    const debugged = await run(argv, { env: service.env });
    expect(debugged.code).toBe(1);
    expect(debugged.stderr).not.toContain(TOKEN);
  });
});

describe('statuses', () => {
  test.each([
    [400, 5, 'no school has the ID or name "Nowhere"'],
    [403, 6, 'malformed id'],
  ])('%i for a name in place of an ID makes edu search the list', async (status, code, said) => {
    const bad = { status, body: { message: 'malformed id' } };
    const list = { body: { schools: [SCHOOL], paging: { nextCursor: null } } };
    const account = {
      body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [], permissions: [] },
    };
    const answers = { ...get({ body: SCHOOL }), 'GET /v1/schools': list, 'GET /v1/account': account };
    const named = `GET /v1/schools/${encodeURIComponent(SCHOOL.name)}`;
    const found = await edu(['schools', 'get', SCHOOL.name, '-o', 'ids'], { ...answers, [named]: bad });
    expect(found).toMatchObject({ code: 0, stdout: 's1\n' });
    const none = await edu(['schools', 'get', 'Nowhere'], { ...answers, 'GET /v1/schools/Nowhere': bad });
    expect([none.code, none.stderr]).toEqual([code, expect.stringContaining(said)]);
  });
});

describe('a service that fails every request', () => {
  const down: Answers = { '*': { status: 503, body: '' } };
  // The classes are listed before the create, but not after it.
  let lists = 0;
  const classes = (): Reply => (lists++ === 0 ? { body: [] } : { status: 503 });
  const downForWrites: Answers = { ...REFERENCES, 'GET /v1/schools/2/classes': classes, ...down };

  test.each([
    ['licenses create --name x --type Teacher --maximum-activations 1 --code abc77', '`edu licenses get code:abc77`'],
    [
      'users create --first-name A --last-name B --email a+b@c.example --organization o --organization-type School',
      '`edu users get a+b@c.example`',
    ],
    ['schools create --name x --country FR --city y', '`edu schools list`'],
    ['classes create --subject-id 1 --school-id 2 --name x', '`edu classes list --school'],
  ])('%s: unknown, with the command that checks', async (line, look) => {
    const { code, stdout, stderr, lines } = await edu(line.split(' '), downForWrites);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(lines.filter((one) => one.startsWith('POST'))).toHaveLength(1);
    expect(stderr).toContain('it may have been carried out: the service returned 503');
    expect(stderr).toContain(look);
    expect(stderr).not.toContain('safe to run');
  });

  test.each(['schools update s1 --city y', 'licenses delete l1 --yes', 'schools list', 'account show'])(
    '%s: safe to run again later',
    async (line) => {
      const { code, stdout, stderr } = await edu(line.split(' '), down);
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      expect(stderr).toContain('It is safe to run the command again');
    },
  );
});

test('an error body with status 200 is an error, also for a write that returns nothing', async () => {
  const argv = ['licenses', 'cancel', 'L1', '--yes'];
  const wrapped = await edu(argv, {
    ...existing('licenses/L1'),
    'PUT /v1/licenses/L1/cancel': { body: { error: 'Forbidden', message: 'not yours' } },
  });
  expect(wrapped).toMatchObject({ code: 1, stdout: '' });
  expect(wrapped.stderr).toContain('not yours');
  const fine = await edu(argv, {
    ...existing('licenses/L1'),
    'PUT /v1/licenses/L1/cancel': { body: { id: 'L1', error: null } },
  });
  expect(fine.code).toBe(0);
});
