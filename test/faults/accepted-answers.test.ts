/** Successes of every form: responses without a body or an item, the responses of edu api. */
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.js';
import { type Answers, existing, scriptedService } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';
import { CREATE, edu, GET, get, SCHOOL } from './scripted-edu.js';

skipWaits();

/** What the writes refer to. */
const REFERENCES: Answers = {
  ...existing('schools/s1', 'classes/c1', 'licenses/L1', 'subscriptions/S1', 'users/u1', 'users/u2'),
  'GET /v1/books/subjects': { body: { subjects: [{ id: '1', translatedName: 'Mathematics' }] } },
  'GET /v1/schools/s1/classes': { body: [] },
};

describe('accepted responses', () => {
  test('unknown fields and values, nulls, and names with anything in them are kept in JSON', async () => {
    const odd = { ...SCHOOL, city: null, name: 'a\u001b[31m\u202e\r\nb', country: 'ZZ', later: { deep: [1, null] } };
    const { code, stdout } = await edu([...GET, '--json'], get({ body: odd }));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(odd);
  });

  test('a body of 50 MB', async () => {
    const body = { ...SCHOOL, name: 'x'.repeat(50_000_000) };
    const { code, stdout } = await edu([...GET, '--json'], get({ body }));
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(50_000_000);
  });
});

describe('a create that succeeds without returning the item', () => {
  const none = { body: { schools: [], paging: { nextCursor: null } } };

  test('is looked up, and the item that was found is shown', async () => {
    const { code, stdout, lines } = await edu([...CREATE, '-o', 'ids'], {
      'POST /v1/schools': { status: 201, body: '' },
      'GET /v1/schools': { body: { schools: [SCHOOL], paging: { nextCursor: null } } },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 's1\n' });
    expect(lines).toEqual(['POST /v1/schools', 'GET /v1/schools']);
  });

  test.each(['', '{}', 'null', '[]', '"s1"', '<html>ok</html>'])(
    'is an error with that reason if nothing was created: %j',
    async (body) => {
      const { code, stdout, stderr, lines } = await edu(CREATE, {
        'POST /v1/schools': { body },
        'GET /v1/schools': none,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('No school with the name "Lycée" exists. Check the base URL');
      expect(lines.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    },
  );
});

describe('edu api', () => {
  test.each([
    ['200 with a page', { body: '<!doctype html><title>Sign in</title>', headers: { 'content-type': 'text/html' } }],
    ['200 with broken JSON', { body: '{"a":', headers: { 'content-type': 'application/json' } }],
  ])('%s is an error for a documented path', async (_, reply) => {
    const { code, stdout, stderr } = await edu(['api', '/v1/schools/s1'], get(reply));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Cannot request /v1/schools/s1: the service returned');
  });

  test('--include shows any response, and undocumented paths may return anything', async () => {
    const page = { body: '<!doctype html><p>hello', headers: { 'content-type': 'text/html' } };
    expect((await edu(['api', '/v1/schools/s1', '-i'], get(page))).stdout).toMatch(/^HTTP 200[\s\S]+<p>hello$/);
    expect((await edu(['api', '/status'], { 'GET /status': page })).stdout).toBe(page.body);
  });

  test('text from the service cannot control a terminal, and is unchanged in a pipe', async () => {
    const text = 'one\u001b[2J\ntwo\u009b31m\u202e';
    const service = await scriptedService({
      '*': { body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } },
    });
    const shown = await run(['api', '/status', '-i', '--no-color'], { env: service.env, terminal: 80 });
    expect(shown.code).toBe(0);
    expect(shown.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    expect(shown.stdout).toContain('two');
    expect((await run(['api', '/status'], { env: service.env })).stdout).toBe(text);
  });

  test('--paginate prints one array, left open when a page fails', async () => {
    const answers = (last: Answers[string]): Answers => ({
      'GET /v1/things': (sent) =>
        sent.query.cursor === undefined
          ? { body: { things: [{ id: '1' }], paging: { nextCursor: 'b' } } }
          : typeof last === 'function'
            ? last(sent)
            : last,
    });
    const good = await edu(['api', '/v1/things', '--paginate'], answers({ body: { things: [{ id: '2' }] } }));
    expect(JSON.parse(good.stdout)).toEqual([{ id: '1' }, { id: '2' }]);
    const bad = await edu(['api', '/v1/things', '--paginate'], answers({ status: 500 }));
    expect(bad.code).toBe(1);
    expect(bad.stdout.trimEnd().endsWith(']')).toBe(false);
  });
});

describe('a success without a body', () => {
  test.each([
    [
      'schools update',
      ['schools', 'update', 's1', '--city', 'Lyon'],
      { ...get({ body: SCHOOL }), 'PUT /v1/schools/s1': { body: '' } },
      's1\n',
    ],
    [
      'subscriptions update',
      ['subscriptions', 'update', 'S1', '--maximum-activations', '3'],
      { 'PUT /v1/subscriptions/S1': { status: 204 } },
      'S1\n',
    ],
    [
      'classes assign',
      ['classes', 'assign', 'c1', 'u1'],
      { 'PUT /v1/assignClass/assignClassToUser': { body: '' } },
      'c1\n',
    ],
    [
      'licenses assign',
      ['licenses', 'assign', 'L1', 'u1', 'u2'],
      { 'PUT /v1/licenses/assignLicense': { body: '' } },
      'u1\nu2\n',
    ],
  ] as [string, string[], Answers, string][])('names the item that was written: %s', async (_, argv, answers, ids) => {
    expect(await edu([...argv, '--quiet'], { ...REFERENCES, ...answers })).toMatchObject({
      code: 0,
      stdout: ids,
      stderr: '',
    });
    expect(
      await edu(
        [...argv, '-o', 'tsv', '--fields', ids.startsWith('u') ? 'user.id' : ids.startsWith('c') ? 'classId' : 'id'],
        { ...REFERENCES, ...answers },
      ),
    ).toMatchObject({ code: 0, stdout: ids });
  });

  test('shows the code of a licence, and that its ID is unknown', async () => {
    const argv = [
      'licenses',
      'create',
      '--name',
      'A',
      '--type',
      'Teacher',
      '--maximum-activations',
      '1',
      '--code',
      'autumn1',
    ];
    const answers = { 'POST /v1/licenses': { body: '' }, 'GET /v1/licenses/code/autumn1': { status: 500 } };
    const json = await edu([...argv, '--json'], answers);
    const warning = 'Warning: The service returned nothing: the ID of licence autumn1 is not known.\n';
    expect(json).toMatchObject({ code: 0, stderr: warning });
    expect(JSON.parse(json.stdout)).toEqual({ code: 'autumn1' });
    const quiet = await edu([...argv, '--quiet'], answers);
    expect(quiet).toMatchObject({ code: 1, stdout: '' });
    expect(quiet.stderr).toContain('Created licence autumn1');
    expect(quiet.stderr).toContain('an item without an ID');
  });
});

test.each([
  ['classes create --school-id s1 --subject-id 1 --name x', 'POST /v1/classes', 'class "x"'],
  ['subscriptions create --maximum-activations 1 --expiration-date +1y', 'POST /v1/subscriptions', 'subscription'],
])('a create with an empty response warns that the ID is unknown: %s', async (line, endpoint, what) => {
  const { code, stderr } = await edu(line.split(' '), { ...REFERENCES, [endpoint]: { body: '' } });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`the ID of ${what}`)]);
});
