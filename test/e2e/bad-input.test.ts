/**
 * Input that is wrong: exit code 2, a message that names the value and the flag, and nothing sent. The files are real,
 * the limits are those of the API document.
 */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, type Ran, run, temporaryFolder } from '../support/run.js';
import { type ScriptedService, scriptedService } from '../support/scripted-service.js';

/** The words, and what the message must say. `FOLDER` stands for the folder of the files below. */
type Row = readonly [words: readonly string[], says: readonly string[]];

const MEGABYTE = 1024 * 1024;

function files(): string {
  const folder = temporaryFolder();
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write('lesson.pdf', '%PDF-1.4 a lesson');
  write('empty.pdf', '');
  write('text.pdf', 'this is not a PDF');
  write('text.png', 'this is not an image');
  write('gif.png', 'GIF89a');
  write('huge.pdf', '%PDF-1.4');
  truncateSync(join(folder, 'huge.pdf'), 150 * MEGABYTE + 1);
  write('licences.csv', 'licence\ncode:autumn\ncode:winter\n');
  mkdirSync(join(folder, 'folder.pdf'));
  return folder;
}

async function refused(words: readonly string[], env: Record<string, string> = {}): Promise<Ran & { said: string }> {
  const service: ScriptedService = await scriptedService({ '*': { body: {} } });
  const folder = files();
  const ran = await run(
    words.map((word) => word.replace('FOLDER', folder)),
    { env: { ...service.env, ...env } },
  );
  expect({ code: ran.code, stdout: ran.stdout, sent: service.sent }, ran.stderr).toEqual({
    code: 2,
    stdout: '',
    sent: [],
  });
  return { ...ran, said: ran.stderr.replaceAll(folder, 'FOLDER') };
}

function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows.map(([words, says]) => [words.join(' '), words, says] as const))(
      'edu %s',
      async (_, words, says) => {
        const { said } = await refused(words);
        for (const part of says) expect(said).toContain(part);
      },
    );
  });
}

const LICENCE = ['licenses', 'create', '--name', 'Autumn', '--maximum-activations', '3'];
const BOOK_LICENCE = [...LICENCE, '--type', 'Books', '--book', 'b1'];
const TEACHER = [...LICENCE, '--type', 'Teacher'];
const READER = ['readers', 'create', '--title', 'T', '--subject', 's1', '--content-language', 'EN'];
const BOOK = ['books', 'create', '--ean', '1', '--title', 'T', '--year', '7', '--subject', 's1', '--type', 'Guide'];
const DE_BOOK = [...BOOK, '--content-language', 'DE'];
const USER = ['users', 'create', '--last-name', 'Smit', '--email', 'anna@school.example'];
const LONG = 'ü'.repeat(51);

table('ids that would address something else', [
  [['books', 'get', ''], ['ID is empty']],
  [['books', 'get', '  '], ['ID is empty']],
  [['books', 'get', '.'], ['ID is "."']],
  [['books', 'get', '..'], ['ID is ".."']],
  [['licenses', 'get', ''], ['LICENCE is empty']],
  [
    ['licenses', 'get', 'code:'],
    ['code', 'empty'],
  ],
  [['licenses', 'get', 'code:..'], ['".."']],
  [['licenses', 'get', 'code: '], ['code is empty']],
  [['licenses', 'delete', 'l1', '..', '--yes'], ['LICENCE is ".."']],
  [['licenses', 'assign', 'l1', ''], ['USER is empty']],
  [['users', 'get', '.'], ['USER is "."']],
  [['users', 'find', ''], ['EMAIL is empty']],
  [['users', 'find', '..'], ['".."']],
  [
    ['users', 'get', '\ud800'],
    ['USER is not valid text', '"\\ud800"'],
  ],
  [['classes', 'list', '--school', ''], ['--school is empty']],
  [['classes', 'list', '--school', '..'], ['--school is ".."']],
  [['classes', 'list', '--user', '.'], ['--user is "."']],
  [['classes', 'create', '--name', '7b', '--school-id', '..', '--subject-id', 's1'], ['--school-id is ".."']],
  [['books', 'list', '--organization', '', '--organization-type', 'School'], ['--organization is empty']],
  [[...BOOK_LICENCE, '--book', '..', '--days', '365'], ['--book is ".."']],
  [[...BOOK_LICENCE, '--book', 'b2,,b3', '--days', '365'], ['--book is empty']],
  [[...READER, '--file-id', ''], ['--file-id is empty']],
  [['files', 'download', ''], ['FILE is empty']],
  [['files', 'download', '..'], ['FILE is ".."']],
  [['api', ''], ['PATH is empty']],
  [
    ['api', '/v1/../x'],
    ['"/v1/../x"', '".."'],
  ],
  [['api', '/v1/%2e%2e/x'], ['"/v1/%2e%2e/x"']],
  [
    ['api', 'https://elsewhere.example/v1/account'],
    ['https://elsewhere.example', 'base URL'],
  ],
  [['api', '//elsewhere.example/v1'], ['another host']],
]);

table('words that are unknown', [
  [['frobnicate'], ['edu frobnicate', 'edu --help']],
  [
    ['boks', 'list'],
    ['edu boks', 'Did you mean book'],
  ],
  [
    ['book', 'lst'],
    ['edu books lst', 'Did you mean list?'],
  ],
  [
    ['licences', 'craete'],
    ['edu licenses craete', 'Did you mean create?'],
  ],
  [
    ['licenses', 'list', '--typ', 'BOOKS'],
    ['--typ', 'Did you mean --type?'],
  ],
  [
    ['licenses', 'list', '--jsn'],
    ['--jsn', 'Did you mean --json?'],
  ],
  [
    ['licenses', 'list', '--frobnicate'],
    ['--frobnicate', 'edu licenses list --help'],
  ],
  [['licenses', 'list', '-Z'], ['-Z']],
  [['licenses', 'list', 'extra'], ['Too many arguments']],
  [['books', 'get', 'a', 'b'], ['Too many arguments']],
  [
    ['licenses', 'list', '--type', 'BOOK'],
    ['--type', '"BOOK"', 'BOOKS or TEACHER', 'Did you mean BOOKS?'],
  ],
  [
    ['licenses', 'list', '--type', ''],
    ['--type', '""'],
  ],
  [
    ['licenses', 'list', '--language', 'XX'],
    ['--language', '"XX"', 'DE, EN, ES, FR, IT, NL, PT or RU'],
  ],
  [
    ['licenses', 'list', '--output', 'jsn'],
    ['--output', '"jsn"', 'Did you mean json?'],
  ],
  [
    ['licenses', 'list', '--fields', 'cod'],
    ['--fields', '"cod"', 'Did you mean code?'],
  ],
  [
    ['licenses', 'list', '--fields', 'code,,name'],
    ['--fields', '"code,,name"'],
  ],
  [
    ['licenses', 'list', '--sort', 'nam'],
    ['--sort', '"nam"', 'Did you mean name?'],
  ],
  [
    ['licenses', 'list', '--sort', 'name:up'],
    ['--sort', '"name:up"', ':desc'],
  ],
  [
    ['licenses', 'list', '--query', '[?'],
    ['--query', '"[?"'],
  ],
  [
    ['api', '/v1/x', '-X', 'POST', '--query', '[?'],
    ['--query', '"[?"'],
  ],
  [
    ['licenses', 'list', '--profile', 'nope'],
    ['--profile', '"nope"'],
  ],
  [
    ['books', 'list', '--organization', 'x', '--organization-type', 'Scool'],
    ['"Scool"', 'Did you mean School?'],
  ],
  [
    [...LICENCE, '--type', 'Book'],
    ['--type', '"Book"', 'Did you mean Books?'],
  ],
  [
    ['files', 'upload', 'FOLDER/lesson.pdf', '--type', 'Audoi'],
    ['--type', '"Audoi"', 'Did you mean Audio?'],
  ],
  [
    [...DE_BOOK, '--layout-type', 'WIDE'],
    ['--layout-type', '"WIDE"', 'SPREADS or PAGES'],
  ],
  [
    [...BOOK, '--content-language', 'XX'],
    ['--content-language', '"XX"'],
  ],
  [
    ['api', '/v1/x', '-X', 'FETCH'],
    ['--method', '"FETCH"'],
  ],
  [
    ['licenses', 'list', '--offline', '--as', 'boss'],
    ['--as', '"boss"'],
  ],
  [
    ['help', 'formating'],
    ['"formating"', 'Did you mean formatting?'],
  ],
  [['config', 'get', 'organisation'], ['"organisation"']],
]);

table('numbers, days and texts of the wrong kind', [
  [
    ['licenses', 'list', '--limit', 'ten'],
    ['--limit', '"ten"', 'whole number'],
  ],
  [
    ['licenses', 'list', '--limit', '0'],
    ['--limit', '0', 'at least 1'],
  ],
  [
    ['licenses', 'list', '--limit', '-1'],
    ['--limit', '-1'],
  ],
  [
    ['licenses', 'list', '--limit', '1.5'],
    ['--limit', '"1.5"'],
  ],
  [
    ['licenses', 'list', '--limit', '1e3'],
    ['--limit', '"1e3"'],
  ],
  [
    ['licenses', 'list', '--limit', '99999999999999999999'],
    ['--limit', '99999999999999999999', 'too large'],
  ],
  [['licenses', 'list', '--limit'], ['--limit']],
  [
    ['licenses', 'list', '--page-size', '0'],
    ['--page-size', 'at least 1'],
  ],
  [
    ['licenses', 'list', '--retries', '-1'],
    ['--retries', '-1'],
  ],
  [
    ['licenses', 'list', '--timeout', 'soon'],
    ['--timeout', '"soon"', '30s'],
  ],
  [
    ['licenses', 'list', '--timeout', '0'],
    ['--timeout', '"0"'],
  ],
  [
    ['licenses', 'list', '--base-url', 'nope'],
    ['--base-url', '"nope"'],
  ],
  [
    ['licenses', 'list', '--base-url', 'ftp://files.example'],
    ['--base-url', 'ftp'],
  ],
  [
    [...BOOK_LICENCE, '--days', '31'],
    ['--days', '"31"', '30, 90, 365, 455, 820, 1095, 1185, 1550 or 3650'],
  ],
  [
    [...BOOK_LICENCE, '--days', 'many'],
    ['--days', '"many"'],
  ],
  [
    [...BOOK_LICENCE, '--until', '2030-02-30'],
    ['--until', '"2030-02-30"'],
  ],
  [
    [...BOOK_LICENCE, '--until', '2029-02-29'],
    ['--until', '"2029-02-29"'],
  ],
  [
    [...BOOK_LICENCE, '--until', '2030-13-01'],
    ['--until', '"2030-13-01"'],
  ],
  [
    [...BOOK_LICENCE, '--until', '31-01-2030'],
    ['--until', '"31-01-2030"', 'yyyy-MM-dd'],
  ],
  [
    ['users', 'modified', '--date', 'yesterday'],
    ['--date', '"yesterday"', 'yyyy-MM-dd'],
  ],
  [
    ['users', 'modifications', 'u1', '--date', '2026-04-31'],
    ['--date', '"2026-04-31"'],
  ],
  [
    [...TEACHER, '--code', 'ABC'],
    ['--code', '"ABC"', 'lowercase'],
  ],
  [
    [...TEACHER, '--code', ''],
    ['--code', '""'],
  ],
  [
    [...TEACHER, '--code', 'a b'],
    ['--code', '"a b"'],
  ],
  [
    [...TEACHER, '--name', 'Winter'],
    ['--name', '2 times'],
  ],
  [
    ['licenses', 'update', 'l1', '--maximum-activations', 'x'],
    ['--maximum-activations', '"x"'],
  ],
  [
    ['subscriptions', 'create', '--maximum-activations', '0', '--expiration-date', '2030-01-01'],
    ['--maximum-activations', 'at least 1, not 0'],
  ],
  [
    ['subscriptions', 'create', '--maximum-activations', '1', '--expiration-date', '2030-06-31'],
    ['--expiration-date', '"2030-06-31"'],
  ],
  [
    ['schools', 'create', '--name', 'N', '--country', 'NLD', '--city', 'C'],
    ['--country', '"NLD"', 'ISO 3166-1'],
  ],
  [
    ['schools', 'create', '--name', 'N', '--country', 'N1', '--city', 'C'],
    ['--country', '"N1"'],
  ],
  [
    [...USER.slice(0, -1), 'nobody', '--first-name', 'A'],
    ['--email', '"nobody"'],
  ],
  [
    [...DE_BOOK, '--index-page-number', 'x'],
    ['--index-page-number', '"x"'],
  ],
  [
    ['api', '/v1/x', '-f', 'novalue'],
    ['"novalue"', 'KEY=VALUE'],
  ],
  [['api', '/v1/x', '-H', 'nocolon'], ['"nocolon"']],
  [
    ['api', '/v1/x', '-H', 'Authorization: Bearer x'],
    ['authorization', 'EDU_TOKEN'],
  ],
]);

table('texts that are blank or too long', [
  [['publishers', 'create', '--name', ''], ['--name must not be empty']],
  [['publishers', 'update', 'p1', '--name', ' '], ['--name must not be empty']],
  [
    ['publishers', 'create', '--name', LONG],
    ['--name', '50', '51', LONG],
  ],
  [
    ['publishers', 'update', 'p1', '--name', LONG],
    ['--name', '50'],
  ],
  [
    ['schools', 'create', '--name', LONG, '--country', 'NL', '--city', 'C'],
    ['--name', '50'],
  ],
  [
    ['schools', 'update', '0301', '--name', LONG],
    ['--name', '50'],
  ],
  [['schools', 'update', '0301', '--city', ''], ['--city must not be empty']],
  [
    [...USER, '--first-name', LONG],
    ['--first-name', '50'],
  ],
  [
    ['users', 'update', 'u1', '--last-name', LONG],
    ['--last-name', '50'],
  ],
  [['users', 'update', 'u1', '--first-name', ''], ['--first-name must not be empty']],
  [['end-users', 'create', '--first-name', LONG, '--last-name', 'L', '--email', 'a@b.example'], ['--first-name']],
  [
    ['end-users', 'update', 'e1', '--first-name', 'A', '--last-name', 'B', '--email', `${'x'.repeat(45)}@b.example`],
    ['--email', '50', '55'],
  ],
  [['classes', 'update', 'c1', '--name', ''], ['--name must not be empty']],
  [['licenses', 'update', 'l1', '--name', ''], ['--name must not be empty']],
]);

table('something is missing: all of it is named at once', [
  [
    ['books', 'create'],
    ['--ean', '--title', '--year', '--subject', '--type', '--content-language'],
  ],
  [
    ['licenses', 'create'],
    ['--name', '--maximum-activations', '--type'],
  ],
  [
    ['licenses', 'create', '--type', 'Books'],
    ['--name', '--maximum-activations', '--book', '--days'],
  ],
  [[...LICENCE, '--type', 'Books', '--book', '', '--days', '30'], ['--book']],
  [
    ['readers', 'create'],
    ['--pdf', '--title', '--subject', '--content-language'],
  ],
  [READER, ['--pdf']],
  [
    ['subscriptions', 'create'],
    ['--maximum-activations', '--expiration-date'],
  ],
  [['subscriptions', 'update', 'sub1'], ['--maximum-activations']],
  [
    ['classes', 'create'],
    ['--subject-id', '--school-id', '--name'],
  ],
  [
    ['schools', 'create', '--name', 'N'],
    ['--country', '--city'],
  ],
  [['publishers', 'create'], ['--name']],
  [
    ['users', 'create'],
    ['--first-name', '--last-name', '--email'],
  ],
  [
    ['end-users', 'create'],
    ['--first-name', '--last-name', '--email'],
  ],
  [
    ['end-users', 'update'],
    ['ID', '--first-name', '--last-name'],
  ],
  [['books', 'update', 'b1', '--title', 'T'], ['--content-language']],
  [['readers', 'update', 'rd1', '--title', 'T'], ['--content-language']],
  [['books', 'get'], ['ID']],
  [['licenses', 'cancel'], ['LICENCE']],
  [['licenses', 'assign', 'l1'], ['USER']],
  [['files', 'upload'], ['FILE']],
  [['api'], ['PATH']],
  [
    ['licenses', 'update', 'l1'],
    ['Nothing to change', '--maximum-activations'],
  ],
  [
    ['users', 'update', 'u1'],
    ['Nothing to change', '--add-role'],
  ],
  [
    ['schools', 'update', '0301'],
    ['Nothing to change', '--city'],
  ],
  [
    ['classes', 'update', 'c1'],
    ['Nothing to change', '--subject-id'],
  ],
]);

table('flags that contradict each other', [
  [
    [...BOOK_LICENCE, '--days', '365', '--until', '2030-01-01'],
    ['--until', '--days'],
  ],
  [
    ['licenses', 'update', 'l1', '--days', '30', '--until', '2030-01-01'],
    ['--until', '--days'],
  ],
  [
    ['classes', 'list', '--school', 's', '--user', 'u'],
    ['--user', '--school'],
  ],
  [
    [...READER, '--pdf', 'FOLDER/lesson.pdf', '--file-id', 'f1'],
    ['--file-id', '--pdf'],
  ],
  [
    [...READER, '--file-id', 'f1', '--organization', '0301', '--organization-type', 'School'],
    ['--organization', '--organization-type', '--file-id'],
  ],
  [
    ['licenses', 'list', '-o', 'csv', '--output', 'table'],
    ['--output', '2 times'],
  ],
  [
    ['licenses', 'list', '--as', 'school'],
    ['--as', '--offline'],
  ],
  [
    ['books', 'list', '--organization-type', 'School'],
    ['--organization-type', '--organization'],
  ],
  [
    ['api', '/v1/x', '-X', 'POST', '--paginate'],
    ['--paginate', 'POST'],
  ],
]);

table('files that can not be sent', [
  [
    [...READER, '--pdf', 'FOLDER/none.pdf'],
    ['--pdf', 'FOLDER/none.pdf', 'does not exist'],
  ],
  [
    [...READER, '--pdf', 'FOLDER/folder.pdf'],
    ['--pdf', 'FOLDER/folder.pdf', 'is a folder'],
  ],
  [
    [...READER, '--pdf', 'FOLDER/empty.pdf'],
    ['--pdf', 'FOLDER/empty.pdf', 'is empty'],
  ],
  [
    [...READER, '--pdf', 'FOLDER/text.pdf'],
    ['--pdf', 'FOLDER/text.pdf', 'is not a PDF'],
  ],
  [
    [...READER, '--pdf', 'FOLDER/huge.pdf'],
    ['--pdf', 'FOLDER/huge.pdf', '157286401 bytes', '150 MB'],
  ],
  [
    [...READER, '--pdf', '/dev/null'],
    ['--pdf', '/dev/null', 'not a regular file'],
  ],
  [
    [...READER, '--pdf', ''],
    ['--pdf', 'is empty'],
  ],
  [
    ['readers', 'update', 'rd1', '--pdf', 'FOLDER/huge.pdf', '--content-language', 'EN'],
    ['--pdf', '157286401 bytes'],
  ],
  [
    ['readers', 'update', 'rd1', '--pdf', 'FOLDER/text.pdf', '--content-language', 'EN'],
    ['--pdf', 'is not a PDF'],
  ],
  [
    [...DE_BOOK, '--pdf', 'FOLDER/text.pdf', '--cover', 'FOLDER/none.png'],
    ['--pdf', 'is not a PDF', '--cover', 'does not exist'],
  ],
  [
    [...DE_BOOK, '--cover', 'FOLDER/gif.png'],
    ['--cover', 'FOLDER/gif.png', 'JPEG', 'PNG'],
  ],
  [
    ['files', 'upload', 'FOLDER/none'],
    ['FILE', 'FOLDER/none', 'does not exist'],
  ],
  [
    ['files', 'upload', 'FOLDER'],
    ['FILE', 'FOLDER', 'is a folder'],
  ],
  [
    ['files', 'upload', 'FOLDER/empty.pdf'],
    ['FILE', 'is empty'],
  ],
  [['files', 'upload', ''], ['FILE is empty']],
  [['files', 'download', 'f1', '--to', '/nonexistent/x'], ['/nonexistent']],
  [
    ['files', 'download', 'f1', '--to', 'FOLDER/lesson.pdf'],
    ['FOLDER/lesson.pdf', 'exists', '--force'],
  ],
  [['api', '/v1/x', '--input', 'FOLDER/none.json'], ['FOLDER/none.json']],
  [['api', '/v1/x', '-F', 'a=@FOLDER/none.json'], ['FOLDER/none.json']],
]);

table('what destroys is not done unasked', [
  [
    ['licenses', 'delete', 'l1'],
    ['Delete', 'licence l1', '--yes'],
  ],
  [
    ['licenses', 'cancel', 'l1', 'l2'],
    ['Cancel', 'licence l1', 'licence l2', '--yes'],
  ],
  [
    ['classes', 'delete', 'c1'],
    ['Delete', 'class c1', '--yes'],
  ],
  [
    ['users', 'anonymize', 'u1'],
    ['Anonymize', 'user u1', '--yes'],
  ],
  // Not even what names them is looked up.
  [
    ['licenses', 'delete', 'code:autumn'],
    ['Delete', 'licence code:autumn', '--yes'],
  ],
  [
    ['users', 'anonymize', 'a@b.example', 'u2'],
    ['Anonymize', 'these 2: user a@b.example, user u2', '--yes'],
  ],
  [
    ['licenses', 'cancel', '--from', 'FOLDER/licences.csv'],
    ['Cancel what 2 rows name?', '--yes'],
  ],
]);

table('flags without a command', [
  [['--nope'], ["Unknown option '--nope'", 'See: edu --help']],
  [['--profil', '--json'], ['--profile']],
  [
    ['licenses', '--nope'],
    ["Unknown option '--nope'", 'See: edu licenses --help'],
  ],
  [['--retries', 'x'], ['--retries must be a whole number']],
]);

test('flags that stand anywhere, and no command, are answered with help', async () => {
  for (const words of [['--json'], ['--no-color'], ['licenses', '--quiet'], ['--nope', '--help']]) {
    const ran = await run(words, {});
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Usage: edu');
  }
});

test('on a terminal nobody is asked with --no-input or EDU_NO_INPUT', async () => {
  const service = await scriptedService({});
  const line = ['licenses', 'delete', 'l1'];
  const runs = [
    await run([...line, '--no-input'], { env: service.env, terminal: 80 }),
    await run(line, { env: { ...service.env, EDU_NO_INPUT: '1' }, terminal: 80 }),
    await run(['publishers', 'create', '--no-input'], { env: service.env, terminal: 80 }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(service.sent).toEqual([]);
});

test('a chain of links without end', async () => {
  const folder = files();
  symlinkSync(join(folder, 'loop.pdf'), join(folder, 'loop.pdf'));
  const { said } = await refused(['files', 'upload', join(folder, 'loop.pdf')]);
  expect(said).toContain('links without end');
});

describe('environment and settings are checked like flags', () => {
  test.each([
    [{ EDU_LANGUAGE: 'XX' }, ['EDU_LANGUAGE', 'XX']],
    [{ EDU_OUTPUT: 'yaml' }, ['EDU_OUTPUT', 'yaml']],
    [{ EDU_ORGANIZATION: 'o1', EDU_ORGANIZATION_TYPE: 'Club' }, ['EDU_ORGANIZATION_TYPE', 'Club']],
    [{ EDU_BASE_URL: 'not an address' }, ['EDU_BASE_URL', 'not an address']],
    [{ EDU_PROFILE: 'nope' }, ['EDU_PROFILE', 'nope']],
    [{ EDU_TOKEN: 'two\nlines' }, ['EDU_TOKEN']],
  ])('%j', async (env, says) => {
    const { said } = await refused(['books', 'list'], env as unknown as Record<string, string>);
    for (const part of says) expect(said).toContain(part);
  });

  test('a broken settings file is named with line and column', async () => {
    const folders = home();
    mkdirSync(folders.EDU_CONFIG_DIR, { recursive: true });
    const file = join(folders.EDU_CONFIG_DIR, 'settings.json');
    writeFileSync(file, '{\n  "profile": work\n}');
    const { stderr } = await refused(['books', 'list'], folders);
    expect(stderr).toContain(file);
    expect(stderr).toContain('line 2, column 14');
  });

  test('no base URL at all', async () => {
    const ran = await run(['books', 'list'], { env: { EDU_TOKEN: 'x' } });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('EDU_BASE_URL');
  });
});

test('a hostile value is shown without anything that a terminal obeys', async () => {
  const { stderr } = await refused(['licenses', 'list', '--type', '\x1b[2J\u202e\nBOOKS']);
  expect(stderr).toContain('"\\u001b[2J\\u202e\\u000aBOOKS"');
});

test('with JSON the error is one object on stderr', async () => {
  const { stderr } = await refused(['licenses', 'create', '--type', 'Books', '--days', '31', '--json']);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      kind: 'usage',
      message: expect.stringContaining('"31"'),
      status: null,
      method: null,
      path: null,
      hint: 'See: edu licenses create --help',
      details: [{ where: '--days', message: expect.stringContaining('must be 30, 90') }],
    },
  });
});

describe('an update that would replace what the service did not show', () => {
  const USER = { id: 'u1', firstName: 'A', lastName: 'B' };
  const LICENCE = { id: 'l1', name: 'A', type: 'Books', maximumActivations: 1 };
  const ORGANIZATION = { id: 'd1', type: 'Distributor' };
  const DAYS = { type: 'Days', days: 30, date: null };

  test.each<[string, object, readonly string[], string]>([
    ['roles', { ...USER, organization: ORGANIZATION }, ['users', 'update', 'u1', '--first-name', 'C'], '--role'],
    [
      'some roles',
      { ...USER, organization: ORGANIZATION, roles: [{ id: 'r1' }, { name: 'Admin' }] },
      ['users', 'update', 'u1', '--add-role', 'r2'],
      '--role',
    ],
    ['organization', { ...USER, roles: [] }, ['users', 'update', 'u1', '--first-name', 'C'], '--organization'],
    ['books', { ...LICENCE, books: null, expiration: DAYS }, ['licenses', 'update', 'l1', '--name', 'C'], '--book'],
    ['expiration', { ...LICENCE, books: ['b1'] }, ['licenses', 'update', 'l1', '--name', 'C'], '--days'],
  ])('%s', async (_, shown, words, flag) => {
    const service = await scriptedService({ '*': { body: shown } });
    const ran = await run(words, { env: service.env });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`${flag} is missing, and the service does not say it`);
    expect(service.sent).toHaveLength(1);
  });

  test('roles that are blank stay so, and numbers are ids as well', async () => {
    const service = await scriptedService({ '*': { body: { ...USER, organization: ORGANIZATION, roles: null } } });
    await run(['users', 'update', 'u1', '--first-name', 'C'], { env: service.env });
    expect(service.sent[1]?.json).toEqual({ firstName: 'C', lastName: 'B', organization: ORGANIZATION, roles: [] });
    const other = await scriptedService({ '*': { body: { ...USER, organization: ORGANIZATION, roles: [{ id: 7 }] } } });
    await run(['users', 'update', 'u1', '--add-role', 'r2'], { env: other.env });
    expect(other.sent[1]?.json).toMatchObject({ roles: ['7', 'r2'] });
  });
});
