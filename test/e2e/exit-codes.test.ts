/** The exit code for each response of the service, and for none. */
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { type Answer, existing, scriptedService, TOKEN } from '../support/scripted-service.js';
import { withResolvers } from '../support/with-resolvers.js';

const ACCOUNT: Answer = {
  body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', avatar: null, roles: [], permissions: [] },
};
const LINE = 'GET /v1/schools/0301';
const GET = ['schools', 'get', '0301', '--retries', '0'];

/** Runs `schools get` with this response of the service. */
async function answeredWith(answer: Answer, account: Answer) {
  const service = await scriptedService({ [LINE]: answer, 'GET /v1/account': account });
  const { code, stdout, stderr } = await run([...GET, '--json'], { env: service.env });
  return { code, stdout, error: JSON.parse(stderr).error };
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a response', () => {
  test.each<[string, Answer, number, object, Answer?]>([
    ['401', { status: 401, body: '' }, 4, { kind: 'unauthenticated', hint: expect.stringContaining('edu auth login') }],
    ['403, if GET account succeeds', { status: 403, body: { message: 'not yours' } }, 6, { kind: 'forbidden' }],
    ['404', { status: 404, body: { message: 'no such school' } }, 5, { kind: 'not_found' }],
    ['400', { status: 400, body: { message: 'name is taken' } }, 1, { message: expect.stringContaining('is taken') }],
    ['500', { status: 500, body: '<html><h1>Oops</h1></html>' }, 1, { message: expect.not.stringContaining('<h1>') }],
    ['504', { status: 504, body: '' }, 1, { kind: 'server_error', status: 504 }],
    ['429', { status: 429, body: '' }, 7, { kind: 'unavailable', status: 429 }],
    ['503', { status: 503, body: '' }, 7, { kind: 'unavailable', status: 503 }],
    ['truncated JSON', { body: '{"id":"0301","name":"Ly', headers: JSON_TYPE }, 1, { kind: 'invalid_response' }],
    ['304', { status: 304, body: '' }, 1, { kind: 'invalid_response', method: 'GET', path: '/v1/schools/0301' }],
  ])('%s', async (_, answer, code, expected, account = ACCOUNT) => {
    const answered = await answeredWith(answer, account);
    expect(answered).toMatchObject({ code, stdout: '', error: expected });
  });

  test('a missing token exits 4 and sends nothing', async () => {
    const service = await scriptedService({});
    const ran = await run(GET, { env: { EDU_BASE_URL: service.baseUrl } });
    expect(ran).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('EDU_TOKEN') });
    expect(service.sent).toEqual([]);
  });
});

/** A service on a free port, with the environment of a command that calls it. */
async function listening(onSocket: (socket: Socket) => void) {
  const server = createServer(onSocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { env: { EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: TOKEN }, close };
}

describe('no response', () => {
  test('a refused connection exits 7', async () => {
    const { env, close } = await listening(() => {});
    await close();
    const ran = await run(GET, { env });
    expect(ran).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining(env.EDU_BASE_URL) });
  });

  test('a service that never answers exits 7 after --timeout', async () => {
    const { env, close } = await listening(() => {});
    const ran = await run([...GET, '--timeout', '100ms'], { env });
    void close();
    expect(ran).toMatchObject({ code: 7, stdout: '' });
  });

  /** Runs a command that is ended while the service holds a request without a response, after some that it answered. */
  async function ended(argv: readonly string[], kind: 'interrupted' | 'terminated', answered = 0) {
    const holdsReads = argv === GET;
    const { promise: after, resolve: heard } = withResolvers();
    let left = answered;
    const { env, close } = await listening((socket) => {
      socket.on('error', () => {});
      // References exist; the list of subjects has one.
      const body = JSON.stringify({ id: '21', subjects: [{ id: '21', translatedName: 'A' }] });
      const found = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      socket.on('data', (data) => {
        if (data.toString().startsWith('GET ') && !holdsReads) socket.write(found);
        else if (left-- > 0) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        else heard();
      });
    });
    const ran = await run(argv, { env, stop: { after, reason: new EduError(kind, 'Stopped.') } });
    void close();
    return ran;
  }

  test.each([
    ['interrupted', 130],
    ['terminated', 143],
  ] as const)('%s exits %i', async (kind, code) => {
    expect(await ended(GET, kind)).toEqual({ code, stdout: '', stderr: 'Error: Stopped.\n' });
  });

  test.each([
    [
      ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1', '--code', 'abc'],
      /get code:abc/,
    ],
    [
      ['classes', 'create', '--name', '5a', '--school-id', 's1', '--subject-id', '21', '--yes'],
      /edu classes list --school s1/,
    ],
    [['api', '/v1/licenses', '-f', 'name=A'], /edu licenses get code:CODE/],
  ])('an interrupted create names the command that checks whether it was carried out: %s', async (argv, look) => {
    const { code, stdout, stderr } = await ended(argv, 'interrupted');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Error: Stopped.\nHint: It may have been carried out. Check with `edu ');
    expect(stderr).toMatch(look);
  });

  test.each([
    [['licenses', 'delete', '1', '2', '3', '--yes'], 2, 'licence 3', ' Carried out before: licence 1, licence 2.'],
    [['publishers', 'update', 'p1', '--name', 'A'], 0, 'publisher p1', ''],
  ])('an interrupted write names its item, and what was carried out before: %s', async (argv, done, what, before) => {
    const { code, stdout, stderr } = await ended(argv, 'interrupted', done);
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toBe(
      `Error: Stopped.\nHint: It may have been carried out (${what}), and is safe to repeat.${before}\n`,
    );
  });
});

describe('a list that fails midway', () => {
  const pages: Answer = ({ query }) =>
    query.cursor === undefined
      ? {
          body: { schools: [{ id: '1', name: 'A', country: 'NL', city: 'B', roles: [] }], paging: { nextCursor: 'c' } },
        }
      : { status: 500, body: '' };

  test('prints the items so far, leaves the JSON array open, and exits 1', async () => {
    const service = await scriptedService({ 'GET /v1/schools': pages });
    const ran = await run(['schools', 'list', '--json', '--retries', '0'], { env: service.env });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('"id": "1"');
    expect(ran.stdout).not.toContain(']\n]');
    expect(() => JSON.parse(ran.stdout)).toThrow();
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { kind: 'server_error', status: 500 } });
  });

  test('exits 1 in every other format, too', async () => {
    for (const format of ['tsv', 'ndjson', 'csv', 'ids', 'table']) {
      const service = await scriptedService({ 'GET /v1/schools': pages });
      const ran = await run(['schools', 'list', '-o', format, '--retries', '0'], { env: service.env });
      expect({ format, code: ran.code }).toEqual({ format, code: 1 });
    }
  });
});

describe('several writes', () => {
  const answers = (status: number) => ({
    ...existing('licenses/a', 'licenses/b', 'licenses/c'),
    'PUT /v1/licenses/a/cancel': { body: '' },
    'PUT /v1/licenses/b/cancel': { status, body: { message: 'no' } },
    'PUT /v1/licenses/c/cancel': { body: '' },
    'GET /v1/account': ACCOUNT,
  });

  test('exit 3 if some fail, after all were tried', async () => {
    const service = await scriptedService(answers(400));
    const ran = await run(['licenses', 'cancel', 'a', 'b', 'c', '--yes', '--json'], { env: service.env });
    expect(ran.code).toBe(3);
    expect(service.sent.map(({ line }) => line).filter((line) => line.startsWith('PUT '))).toEqual([
      'PUT /v1/licenses/a/cancel',
      'PUT /v1/licenses/b/cancel',
      'PUT /v1/licenses/c/cancel',
    ]);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { kind: 'partial', hint: 'Run it again only for the ones that failed.' },
    });
  });

  test('write once to an item that was given by ID and by code', async () => {
    let isDeleted = false;
    const service = await scriptedService({
      ...existing('licenses/l1'),
      'GET /v1/licenses/code/abc': { body: { id: 'l1', code: 'abc' } },
      'DELETE /v1/licenses/l1': () => {
        const status = isDeleted ? 404 : 204;
        isDeleted = true;
        return { status, body: '' };
      },
    });
    const ran = await run(['licenses', 'delete', 'l1', 'code:abc', '--yes', '-o', 'ids'], { env: service.env });
    expect(ran).toMatchObject({ code: 0, stdout: 'l1\n' });
    expect(service.sent.filter(({ line }) => line.startsWith('DELETE'))).toHaveLength(1);
  });

  test('exit with the code of their error if all fail alike', async () => {
    const service = await scriptedService({ '*': { status: 404, body: '' } });
    expect((await run(['licenses', 'cancel', 'a', 'b', '--yes'], { env: service.env })).code).toBe(5);
  });
});

test('a stack trace comes with --debug only', async () => {
  const service = await scriptedService({ [LINE]: { status: 404, body: '' } });
  expect((await run(GET, { env: service.env })).stderr).not.toContain('    at ');
  expect((await run([...GET, '--debug'], { env: service.env })).stderr).toContain('    at ');
});

describe('with JSON the error is the only text on stderr', () => {
  const BOOK = {
    ...{
      id: 'b1',
      ean: '1',
      title: 'T',
      year: 1,
      level: null,
      series: null,
      subject: { id: 's1', translatedName: null },
    },
    type: { name: 'Guide', translatedName: 'Guide' },
    settings: null,
  };
  const UPDATE = ['books', 'update', 'b1', '--title', 'U', '--content-language', 'NL', '--json'];
  const WARNING = 'The service does not show the second subject of book b1 "T", so this update may clear it.';

  test('has warnings in its details', async () => {
    const service = await scriptedService({
      'GET /v1/books/b1': { body: BOOK },
      'PUT /v1/books/b1': { status: 400, body: { message: 'title is taken' } },
    });
    const { code, stdout, stderr } = await run(UPDATE, { env: service.env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: { details: unknown } };
    expect(error.details).toEqual([{ where: 'warning', message: expect.stringContaining(WARNING) }]);
  });

  test('is not printed on success, where warnings are text', async () => {
    const service = await scriptedService({
      'GET /v1/books/b1': { body: BOOK },
      'PUT /v1/books/b1': { body: { ...BOOK, secondSubject: null } },
    });
    const { code, stderr } = await run(UPDATE, { env: service.env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Warning: The service does not show/) });
  });

  test.each([
    [{ id: 'f1' }, { kind: 'refused', details: [{ message: 'the file was uploaded before, and has the ID f1' }] }],
    [{ id: '' }, { kind: 'invalid_response', hint: expect.stringMatching(/^Nothing else was sent/) }],
  ])('tells what became of a file uploaded for an update that fails: %j', async (file, expected) => {
    const service = await scriptedService({
      'GET /v1/readers/r1': {
        body: { id: 'r1', title: 'A', subject: { id: '1' }, pdfDownloadable: null, settings: null },
      },
      'POST /v1/files': { body: { type: 'CloudStorage', ...file, url: '/v1/api/file/get/f1' } },
      'PUT /v1/readers/r1': { status: 400, body: {} },
    });
    const pdf = join(temporaryFolder(), 'a.pdf');
    writeFileSync(pdf, '%PDF-1.4');
    const words = ['readers', 'update', 'r1', '--pdf', pdf, '--content-language', 'EN', '--json'];
    const { code, stderr } = await run(words, { env: service.env });
    expect([code, JSON.parse(stderr).error]).toMatchObject([1, expected]);
  });

  test('is JSON also if the profile asks for it', async () => {
    const place = home();
    const service = await scriptedService({ '*': { status: 404, body: {} } });
    const env = { ...place, ...service.env };
    expect((await run(['config', 'set', 'output', 'json'], { env })).code).toBe(0);
    const { code, stderr } = await run(GET, { env });
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'not_found' } });
    const text = await run([...GET, '-o', 'tsv'], { env });
    expect(text.stderr).toMatch(/^Error: /);
  });
});

test('users find names the request whose response contains no ID', async () => {
  const { env } = await scriptedService({ 'GET /v1/users/userId/a%40b.example': { body: {} } });
  const { stderr } = await run(['users', 'find', 'a@b.example', '--json'], { env });
  expect(stderr).toContain('"method":"GET","path":"/v1/users/userId/a%40b.example"');
});
