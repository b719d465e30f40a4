/** Bodies and lists of `edu api`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordingServer } from '../support/recording-server.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { skipWaits } from '../support/skip-waits.js';

skipWaits();

const FILES = '/v1/files';

describe('edu api --form', () => {
  test.each<[string, readonly string[], string]>([
    ['with -f', ['--form', 'a=1', '-f', 'b=2'], '--form cannot be given together with --raw-field'],
    ['with -F', ['--form', 'a=1', '-F', 'b=2'], '--form cannot be given together with --field'],
    ['with --input', ['--form', 'a=1', '--input', '-'], '--form cannot be given together with --input'],
    ['with --paginate', ['--form', 'a=1', '--paginate'], '--form cannot be given together with --paginate'],
    ['of a GET', ['--form', 'a=1', '-X', 'GET'], '--form needs a method with a body, not GET'],
    ['with a content-type', ['--form', 'a=1', '-H', 'Content-Type: text/plain'], 'sets the header content-type itself'],
    [
      'of a file that does not exist',
      ['--form', 'a=@/nonexistent/a.png'],
      '"/nonexistent/a.png" cannot be read: no such file or folder',
    ],
    ['of a folder', ['--form', 'a=@/'], '"/" is a folder'],
    ['without a value', ['--form', 'a'], '--form must be KEY=VALUE: a value of 1 character has no "="'],
  ])('%s is refused', async (_, words, message) => {
    const { code, stdout, stderr } = await run(['api', FILES, '--offline', ...words], { env: home() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test.each([
    ['--form', '--form'],
    ['-f', '-F'],
  ])('uploads a file, also by fields where the endpoint takes a form: %s %s', async (text, upload) => {
    const env = home();
    const file = join(temporaryFolder(), 'cover.png');
    writeFileSync(file, Buffer.from('\x89PNG\r\n\x1a\n a cover', 'latin1'));
    const words = [text, 'fileType=Image', upload, `file=@${file}`];
    const sent = await run(['api', FILES, '--offline', ...words], { env });
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    const { id } = JSON.parse(sent.stdout);
    expect(typeof id).toBe('string');
    const preview = await run(['api', FILES, '--offline', ...words, '--dry-run'], { env });
    expect(JSON.parse(preview.stdout)).toMatchObject({
      method: 'POST',
      body: { fileType: 'Image', file: { filename: 'cover.png', contentType: 'image/png', size: 16 } },
    });
  });
});

test.each([
  ['-f a=1 -f a=2', '"a": it, or a part of it, has a value already'],
  ['-X GET -f a=1 -f a=2', '"a": it, or a part of it'],
  ['-f a=1 -F a.b=2', '"a.b": it, or a part of it'],
  ['-f a.b=1 -f a=2', '"a": it, or a part of it'],
  ['-f a=1 -f a[]=2', '"a[]": it, or a part of it'],
  ['-f a[]=1 -f a.b=2', '"a.b": it, or a part of it'],
  ['-f a.__proto__=1', 'Cannot use the key "a.__proto__"'],
  ['-f a..b=1', 'Cannot use the key "a..b"'],
  ['-f =1', '--raw-field must be KEY=VALUE: a value of 2 characters begins with "="'],
  ['-F a=@- -F b=@-', '--field: --field already reads stdin, which can be read only once'],
  ['--paginate -i', '--paginate cannot be given together with --include'],
])('%s is refused, as one of the two would be lost', async (words, message) => {
  const { code, stderr } = await run(['api', '/v1/x', '--offline', ...words.split(' ')], {
    env: home(),
    input: 'x',
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('-F refuses a file that is not UTF-8, which JSON cannot hold', async () => {
  const file = join(temporaryFolder(), 'name.txt');
  writeFileSync(file, Buffer.from('Z\xfcrich', 'latin1'));
  const { code, stderr } = await run(['api', '/v1/x', '--offline', '-F', `name=@${file}`], { env: home() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('name.txt" is not UTF-8 text')]);
});

test('--paginate sends a page size only to lists with pages, and takes no 204 for an empty list', async () => {
  const server = await recordingServer(({ url }) =>
    url.startsWith('/v1/roles') ? { status: 200, body: { roles: [] } } : { status: 204 },
  );
  onTestFinished(() => server.close());
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'token-1234567890' };
  const roles = await run(['api', '/v1/roles?organization=s1&type=School', '--paginate'], { env });
  expect([roles.code, roles.stdout]).toEqual([0, '[]\n']);
  const licences = await run(['api', '/v1/licenses?type=BOOKS', '--paginate'], { env });
  expect([licences.code, licences.stdout]).toEqual([1, '']);
  expect(new Set(server.requests.map(({ url }) => url))).toEqual(
    new Set(['/v1/roles?organization=s1&type=School', '/v1/licenses?type=BOOKS&limit=100']),
  );
});

test.each([
  ['{"a":[7]}', '--query', 'a[0]', 0, '7\n'],
  ['\ufeff{"a":1}', '-o', 'csv', 0, 'a\n1\n'],
  ['a text', '-o', 'json', 1, ''],
])('reads %j as JSON for %s, whatever its content type', async (body, flag, value, code, stdout) => {
  const server = await recordingServer(() => ({ body }));
  onTestFinished(() => server.close());
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'token-1234567890' };
  expect(await run(['api', '/v1/x', flag, value], { env })).toMatchObject({ code, stdout });
  expect(await run(['api', '/v1/x'], { env })).toMatchObject({ code: 0, stdout: body });
});

test('--input sends bytes unchanged', async () => {
  const server = await recordingServer(() => undefined);
  onTestFinished(() => server.close());
  const file = join(temporaryFolder(), 'body.bin');
  const bytes = Buffer.from([0x7b, 0x7d, 0xff]);
  writeFileSync(file, bytes);
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'token-1234567890' };
  expect(await run(['api', '/v1/x', '--input', file], { env })).toMatchObject({ code: 0 });
  expect(server.requests[0]?.body).toEqual(bytes);
});

test('-F sends numbers as they are written, in bodies and queries', async () => {
  const preview = async (...words: readonly string[]) => {
    const { code, stdout } = await run(['api', '/v1/x', '--offline', '--dry-run', ...words], { env: home() });
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const headed = { accept: 'application/json', 'x-a': 'b' };
  expect(await preview('--request-header', 'X-A:  b ')).toMatchObject({ path: '/v1/x', headers: headed });
  const body = '-F a[]=9007199254740993 -F a[]=1 -F b.c=1.10 -F d=007 -F e=12 -f f=12'.split(' ');
  expect((await preview(...body)).body).toBe('{"f":"12","a":[9007199254740993,1],"b":{"c":1.10},"d":"007","e":12}');
  expect((await preview('-X', 'GET', '-F', 'a=1.10', '-F', 'b=9007199254740993')).path).toBe(
    '/v1/x?a=1.10&b=9007199254740993',
  );
});

test('--paginate --limit says that the list was cut', async () => {
  const list = async (limit: string) =>
    run(['api', '/v1/licenses?type=TEACHER', '--offline', '--paginate', '--limit', limit, '-o', 'ids'], {
      env: home(),
    });
  const ran = await list('3');
  expect(ran.stdout.split('\n')).toHaveLength(4);
  expect(ran.stderr).toBe('Note: cut by --limit after 3 items; there are more\n');
  expect((await list('1000')).stderr).toBe('');
});
