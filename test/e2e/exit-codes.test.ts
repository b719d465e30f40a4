/** The exit code for each response of the service, and for none (PRODUCT.md, "Exit codes and errors"). */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { home, run } from '../support/run.js';
import { type Answer, existing, scriptedService, TOKEN } from '../support/scripted-service.js';

const ACCOUNT: Answer = {
  body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', avatar: null, roles: [], permissions: [] },
};
const LINE = 'GET /v1/schools/0301';
const GET = ['schools', 'get', '0301', '--retries', '0'];

/** Runs `schools get` with this response of the service. */
async function answered(answer: Answer, account: Answer = ACCOUNT, argv: readonly string[] = GET) {
  const service = await scriptedService({ [LINE]: answer, 'GET /v1/account': account });
  const ran = await run([...argv, '--json'], { env: service.env });
  const { error } = JSON.parse(ran.stderr) as { error: Record<string, unknown> };
  return { code: ran.code, stdout: ran.stdout, error, asked: service.sent.map(({ line }) => line) };
}

describe('not authenticated or not allowed', () => {
  test('401 exits 4', async () => {
    const { code, stdout, error } = await answered({ status: 401, body: { message: 'expired' } });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(error).toMatchObject({
      kind: 'unauthenticated',
      status: 401,
      hint: expect.stringContaining('edu auth login'),
    });
  });

  test('403 exits 6 when GET account succeeds', async () => {
    const { code, error, asked } = await answered({ status: 403, body: { message: 'not yours' } });
    expect(code).toBe(6);
    expect(error).toMatchObject({ kind: 'forbidden', status: 403, message: expect.stringContaining('not yours') });
    // The reference may be a name, too.
    expect(asked).toEqual([LINE, 'GET /v1/account', 'GET /v1/schools']);
  });

  test.each([401, 403])('403 exits 4 when GET account returns %i', async (status) => {
    const { code, error } = await answered({ status: 403, body: '' }, { status, body: '' });
    expect(code).toBe(4);
    expect(error).toMatchObject({ kind: 'unauthenticated', status: 403 });
  });

  test('a missing token exits 4 and sends nothing', async () => {
    const service = await scriptedService({});
    const ran = await run(GET, { env: { EDU_BASE_URL: service.baseUrl } });
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(ran.stderr).toContain('EDU_TOKEN');
    expect(service.sent).toEqual([]);
  });
});

describe('the service refuses', () => {
  test('404 exits 5', async () => {
    const { code, error } = await answered({ status: 404, body: { message: 'no such school' } });
    expect(code).toBe(5);
    expect(error).toMatchObject({ kind: 'not_found', method: 'GET', path: '/v1/schools/0301' });
  });

  test.each([400, 422])('%i exits 1', async (status) => {
    const { code, error } = await answered({ status, body: { message: 'name is taken' } });
    expect(code).toBe(1);
    expect(error).toMatchObject({ kind: 'refused', status, message: expect.stringContaining('name is taken') });
  });

  test.each([500, 502, 504])('%i exits 1', async (status) => {
    const { code, error } = await answered({ status, body: '<html><body><h1>Oops</h1></body></html>' });
    expect(code).toBe(1);
    expect(error).toMatchObject({ kind: 'server_error', status });
    expect(JSON.stringify(error)).not.toContain('<h1>');
  });

  test.each([429, 503])('%i exits 7', async (status) => {
    const { code, error } = await answered({ status, body: '' });
    expect(code).toBe(7);
    expect(error).toMatchObject({ kind: 'unavailable', status });
  });
});

describe('the response is invalid', () => {
  const json = { 'content-type': 'application/json' };
  test.each([
    ['HTML', { body: '<html>sign in</html>', headers: { 'content-type': 'text/html' } }],
    ['truncated JSON', { body: '{"id":"0301","name":"Ly', headers: json }],
    ['nothing', { body: '', headers: json }],
    ['null', { body: 'null', headers: json }],
    ['a list where an object belongs', { body: '[]', headers: json }],
    ['304', { status: 304, body: '' }],
  ])('%s exits 1', async (_, answer) => {
    const { code, stdout, error } = await answered(answer);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(error).toMatchObject({ kind: 'invalid_response', method: 'GET', path: '/v1/schools/0301' });
  });
});

describe('no response', () => {
  test('a refused connection exits 7', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await new Promise((resolve) => server.close(resolve));
    const env = { EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: TOKEN };
    const ran = await run(GET, { env });
    expect(ran).toMatchObject({ code: 7, stdout: '' });
    expect(ran.stderr).toContain(`http://127.0.0.1:${port}`);
  });

  test('a service that never answers exits 7 after --timeout', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const env = { EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: TOKEN };
    const ran = await run([...GET, '--timeout', '100ms'], { env });
    server.close();
    expect(ran).toMatchObject({ code: 7, stdout: '' });
  });

  /** Runs a command that is ended while the service holds a request without a response, after some that it answered. */
  async function ended(argv: readonly string[], kind: 'interrupted' | 'terminated', answered = 0) {
    const holdsReads = argv === GET;
    let heard = (): void => {};
    const after = new Promise<void>((resolve) => {
      heard = resolve;
    });
    let left = answered;
    const server = createServer((socket) => {
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const env = { EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: TOKEN };
    const ran = await run(argv, { env, stop: { after, reason: new EduError(kind, 'Stopped.') } });
    server.close();
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
      /edu classes list --school ID/,
    ],
  ])('an interrupted create names the command that checks whether it was carried out: %s', async (argv, look) => {
    const { code, stdout, stderr } = await ended(argv, 'interrupted');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Error: Stopped.\nHint: It may have been carried out. Check with `edu ');
    expect(stderr).toMatch(look);
  });

  test('interrupted writes name the ones that were carried out', async () => {
    const { code, stdout, stderr } = await ended(['licenses', 'delete', '1', '2', '3', '--yes'], 'interrupted', 2);
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toBe('Error: Stopped.\nHint: Carried out before: licence 1, licence 2.\n');
  });

  test('an interrupted update names no such command: it can be run again', async () => {
    const { stderr } = await ended(['publishers', 'update', 'p1', '--name', 'A'], 'interrupted');
    expect(stderr).toBe('Error: Stopped.\n');
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
    const service = await scriptedService(answers(404));
    const ran = await run(['licenses', 'cancel', 'a', 'b', 'c', '--yes', '--json'], { env: service.env });
    expect(ran.code).toBe(3);
    expect(service.sent.map(({ line }) => line).filter((line) => line.startsWith('PUT '))).toEqual([
      'PUT /v1/licenses/a/cancel',
      'PUT /v1/licenses/b/cancel',
      'PUT /v1/licenses/c/cancel',
    ]);
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { kind: 'partial' } });
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
    expect(ran).toMatchObject({ code: 0, stdout: 'l1\nl1\n' });
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
    ...{ type: { name: 'Guide', translatedName: 'Guide' }, settings: null },
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
