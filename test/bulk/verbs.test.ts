/** Every kind of write for rows, on the bundled service: references, and problems reported before a request. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { answersCaller, type Ended, program } from './program.js';

/** Runs of one test share their data. The program is a process, because its IDs need real randomness. */
function offline() {
  const { run } = program('http://127.0.0.1:9', { EDU_OFFLINE: '1' });
  return {
    edu: run,
    async json(...argv: readonly string[]) {
      const { stdout } = await run([...argv, '--json']);
      return JSON.parse(stdout);
    },
  };
}

const summaryOf = ({ stdout }: Ended) => JSON.parse(stdout);

/** The problems of a refused input, as JSON. */
const problemsOf = ({ stderr }: Ended): readonly (readonly [string, string])[] =>
  JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}').error.details.map(
    ({ where, message }: { where: string; message: string }) => [where, message],
  );

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

  test('licenses delete: asks first, then deletes once', async () => {
    const { edu, json } = offline();
    const rows = '{"id":"00000006"}\n{"id":"00000003"}\n';
    const refused = await edu(['licenses', 'delete', '--from', '-'], rows);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Pass --yes');
    const before = (await json('licenses', 'list')).length;
    expect((await edu(['licenses', 'delete', '--from', '-', '--yes'], rows)).code).toBe(0);
    expect(await json('licenses', 'list')).toHaveLength(before - 2);
    // The job runs again, and the licences are gone.
    expect((await edu(['licenses', 'delete', '--from', '-', '--yes'], rows)).code).toBe(3);
  });

  test('users anonymize by e-mail address: a second run knows that the job is done', async () => {
    const { edu } = offline();
    const rows = 'user\nfemke.coordes.155@s1.example.org\n';
    const line = ['users', 'anonymize', '--from', '-', '--yes', '--json'];
    expect(summaryOf(await edu(line, rows))).toMatchObject({ updated: 1, done: true });
    expect(summaryOf(await edu(line, rows))).toMatchObject({ updated: 1, done: true });
  });
});

describe('invalid responses', () => {
  test('a write by ID is sent again three times at most; 404 after the first attempt is a success', async () => {
    const sent: string[] = [];
    const server = createServer((request, response) => {
      if (answersCaller(request, response)) return;
      sent.push(`${request.method} ${request.url}`);
      const times = sent.filter((one) => one === sent.at(-1)).length;
      if (request.url?.endsWith('/stuck') || times === 1) response.setHeader('content-type', 'text/html').end('<html>');
      else if (request.url?.endsWith('/gone')) response.writeHead(404).end();
      else response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { run } = program(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const ended = await run(['licenses', 'delete', '--from', '-', '--yes', '--json'], 'id\none\ngone\nstuck\n');
    expect([ended.code, summaryOf(ended)]).toMatchObject([3, { updated: 2, rejected: 0, unknown: 1 }]);
    expect(problemsOf(ended)).toEqual([['row 3', expect.stringContaining('It was probably carried out')]]);
    const times = (id: string) => sent.filter((one) => one === `DELETE /v1/licenses/${id}`).length;
    expect([times('one'), times('gone'), times('stuck')]).toEqual([2, 2, 3]);
  });
});

describe('a file that is uploaded before a write by ID', () => {
  async function readers(lost: number) {
    const sent: string[] = [];
    const server = createServer((request, response) => {
      if (answersCaller(request, response)) return;
      sent.push(`${request.method} ${request.url?.split('?')[0]}`);
      const id = request.url?.split(/[/?]/)[3];
      const reader = { id, ean: '1', title: 'T', subject: { id: '0001', translatedName: null }, pdfDownloadable: true };
      request.resume().on('end', () => {
        const uploads = sent.filter((one) => one === 'POST /v1/files').length;
        if (request.method === 'POST' && uploads === lost) return request.socket.destroy();
        const file = { type: 'CloudStorage', id: `f${uploads}`, url: '' };
        const body = JSON.stringify(request.method === 'POST' ? file : reader);
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const pdf = join(temporaryFolder(), 'a.pdf');
    writeFileSync(pdf, '%PDF-1.4\n');
    const { run } = program(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
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

describe('a write by ID whose first response is lost and whose second attempt is refused', () => {
  test('is unknown, not rejected, also after `jobs retry`', async () => {
    const sent: string[] = [];
    const server = createServer((request, response) => {
      if (answersCaller(request, response)) return;
      sent.push(request.url ?? '');
      const isFirst = sent.filter((url) => url === request.url).length === 1;
      if (isFirst && !request.url?.includes('plain')) request.socket.destroy();
      else response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"cancelled already"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { run } = program(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const ended = await run(['licenses', 'cancel', '--from', '-', '--yes', '--json'], 'id\nlost\nplain\n');
    expect([ended.code, summaryOf(ended)]).toMatchObject([3, { updated: 0, rejected: 1, unknown: 1 }]);
    expect(problemsOf(ended)).toEqual([
      ['row 1', expect.stringMatching(/^unknown: .*cancelled already\. An earlier attempt may have carried it out$/)],
      ['row 2', expect.stringMatching(/^rejected: .*cancelled already$/)],
    ]);
    // A licence that is still rejected was not deleted.
    const deleted = await run(['licenses', 'delete', '--from', '-', '--yes', '--json'], 'id\nused\n');
    expect(summaryOf(deleted)).toMatchObject({ rejected: 1, unknown: 0 });
    const again = await run(['jobs', 'retry', summaryOf(ended).job, '--json']);
    expect([again.code, summaryOf(again)]).toMatchObject([3, { rejected: 1, unknown: 1 }]);
  });
});

describe('names of roles', () => {
  test('are looked up in the organization of the user', async () => {
    const { edu, json } = offline();
    const [school = {}] = await json(
      'users',
      'list',
      '--organization',
      's1',
      '--organization-type',
      'School',
      '--limit',
      '1',
    );
    const roles: readonly { id: string; name: string }[] = await json(
      ...['roles', 'list', '--organization', 's1', '--organization-type', 'School'],
    );
    const own: readonly { id: string; name: string }[] = await json('roles', 'list');
    const shared = roles.find(({ name }) => own.some((one) => one.name === name));
    expect(shared).toBeDefined();
    const rows = `user,role\n${school.id},${shared?.name}\n`;
    const planned = await edu(['users', 'update', '--from', '-', '--dry-run', '--json'], rows);
    expect(JSON.parse(planned.stdout).requests[0].body.roles).toEqual([shared?.id]);
    expect((await edu(['users', 'update', '--from', '-'], rows)).code).toBe(0);
  });
});

describe('creates', () => {
  test('users have the language of their row, else that of the command line', async () => {
    const { edu, json } = offline();
    const rows =
      'first-name,last-name,email,language,role\nMia,B,mia@press.example,de,\nLeo,C,leo@press.example,,\nEva,D,eva@press.example,FR,\n';
    expect((await edu(['users', 'create', '--language', 'NL', '--from', '-'], rows)).code).toBe(0);
    const languageOf = async (email: string) => (await json('users', 'get', email)).language;
    expect(await languageOf('mia@press.example')).toBe('DE');
    expect(await languageOf('leo@press.example')).toBe('NL');
    expect(await languageOf('eva@press.example')).toBe('FR');
    const endUsers = JSON.stringify([{ firstName: 'A', lastName: 'B', email: 'ab@home.example', language: 'IT' }]);
    const planned = await edu(['end-users', 'create', '--from', '-', '--dry-run', '--json'], endUsers);
    expect(JSON.parse(planned.stdout).requests[0].body.language).toBe('IT');
    const wrong = await edu(['end-users', 'create', '--from', '-'], endUsers.replace('IT', 'XX'));
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('"language": must be DE, EN')]);
  });

  test('licences from rows that are nested as in API responses', async () => {
    const { edu } = offline();
    const rows = JSON.stringify([
      {
        ...{ name: 'A', type: 'Books', maximumActivations: 1, books: [{ id: 'B1', ean: '1', title: 'T' }] },
        ...{ expiration: { type: 'Days', days: 365, date: null }, organization: { id: 's1', type: 'School' } },
      },
      {
        name: 'B',
        type: 'Books',
        maximumActivations: 1,
        books: ['B1'],
        expiration: { type: 'Date', date: '2031-07-31' },
      },
    ]);
    const planned = await edu(['licenses', 'create', '--from', '-', '--dry-run', '--json'], rows);
    const bodies = JSON.parse(planned.stdout).requests.map(({ body }: { body: object }) => body);
    expect(bodies).toMatchObject([
      { books: ['B1'], expiration: { type: 'Days', days: 365 }, organization: { id: 's1', type: 'School' } },
      { books: ['B1'], expiration: { type: 'Date', date: '2031-07-31' } },
    ]);
    const torn = rows.replace('"type":"Days"', '"type":"Date"');
    const refused = await edu(['licenses', 'create', '--from', '-', '--json'], torn);
    expect([refused.code, problemsOf(refused)]).toEqual([
      2,
      [['line 1', '--until is missing, because the expiration is of type Date']],
    ]);
  });

  test('columns that begin with edu_ are ignored, and lines of spaces are blank', async () => {
    const { edu } = offline();
    const rows = 'edu_note,name,type,maximum-activations,EDU_ROW\nx,A,Teacher,1,7\n   \n,B,Teacher,1,\n\t\n';
    const made = await edu(['licenses', 'create', '--from', '-', '--json'], rows);
    expect([made.code, summaryOf(made).created]).toEqual([0, 2]);
  });

  test('licences with books by EAN, days from the command line, a date from the row', async () => {
    const { edu, json } = offline();
    const { id, ean } = await json('books', 'get', 'B1');
    const rows = `name,book,until\nA,${ean},\nB,"B1;B2",2031-07-31\n`;
    const line = [
      'licenses',
      'create',
      '--from',
      '-',
      '--type',
      'Books',
      '--days',
      '365',
      '--maximum-activations',
      '2',
    ];
    const { code, stdout } = await edu([...line, '-o', 'csv'], rows);
    expect(code).toBe(0);
    const [first, second] = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((one) => one.split(',').at(-2));
    const one = await json('licenses', 'get', `code:${first}`);
    expect(one).toMatchObject({ name: 'A', expiration: { type: 'Days', days: 365 }, books: [{ id }] });
    const two = await json('licenses', 'get', `code:${second}`);
    expect(two).toMatchObject({ name: 'B', expiration: { type: 'Date', date: '2031-07-31' } });
    expect(two.books.map((book: { id: string }) => book.id)).toEqual(['B1', 'B2']);
  });

  test('classes: subject and school by name', async () => {
    const { edu, json } = offline();
    const school = await json('schools', 'get', 's1');
    const rows = `name,subject,school\n7x,Mathematics,${school.name}\n`;
    expect((await edu(['classes', 'create', '--from', '-'], rows)).code).toBe(0);
    const classes: readonly Record<string, unknown>[] = await json('classes', 'list', '--school', 's1');
    expect(classes.filter(({ className }) => className === '7x')).toMatchObject([
      { schoolId: 's1', subjectId: '0001' },
    ]);
  });

  test('equal classes are refused, also when they name school and subject differently', async () => {
    const { edu, json } = offline();
    const before = await json('classes', 'list', '--school', 's1');
    const school = await json('schools', 'get', 's1');
    const head = 'name,subject,school';
    for (const second of ['7x,0001,s1', `7x,mathematics,${school.name}`]) {
      const refused = await edu(['classes', 'create', '--from', '-', '--json'], `${head}\n7x,0001,s1\n${second}\n`);
      expect(refused.code, second).toBe(2);
      expect(problemsOf(refused)).toEqual([['line 3', expect.stringMatching(/^has the same key as line 2: .*"7x"/)]]);
    }
    const rows = `${head}\n7x,0001,s1\n7x,Mathematics,s1\n`;
    const skipping = await edu(['classes', 'create', '--from', '-', '--json', '--skip-invalid'], rows);
    expect(summaryOf(skipping)).toMatchObject({ created: 1, invalid: 1 });
    expect(await json('classes', 'list', '--school', 's1')).toHaveLength(before.length + 1);
  });

  test.each([
    [
      'licenses create',
      'name,type,book,days,maximum-activations',
      'A,Books,B99,365,1',
      'book with the ID or title "B99"',
    ],
    ['classes create', 'name,subject,school', '7x,0001,s99', 'school with the ID or name "s99"'],
    ['classes create', 'name,subject,school', '7x,9999,s1', 'subject with the ID or name "9999"'],
    [
      'users create',
      'first-name,last-name,email,organization,organization-type,role',
      'A,B,a@b.example,s99,School,',
      'organization with the ID or name "s99"',
    ],
    ['users create', 'first-name,last-name,email,role', 'A,B,a@b.example,r99', 'role with the ID or name "r99"'],
  ])('%s: an ID that does not exist is an input error', async (command, header, row, missing) => {
    const { edu } = offline();
    const refused = await edu([...command.split(' '), '--from', '-', '--json'], `${header}\n${row}\n`);
    expect(refused.code).toBe(2);
    expect(problemsOf(refused)).toEqual([['line 2', expect.stringContaining(`there is no ${missing}.`)]]);
  });

  test('a user who exists is not created again', async () => {
    const { edu, json } = offline();
    const rows = 'firstName,lastName,email,role\nMia,Brandt,mia@press.example,d1-administrator\n';
    expect(summaryOf(await edu(['users', 'create', '--from', '-', '--json'], rows))).toMatchObject({ created: 1 });
    const again = await edu(['users', 'create', '--from', '-', '--json', '--batch', 'again'], rows);
    expect(summaryOf(again)).toMatchObject({ created: 0, exists: 1 });
    const users: readonly Record<string, unknown>[] = await json('users', 'list');
    expect(users.filter(({ email }) => email === 'mia@press.example')).toHaveLength(1);
  });

  test('--on-existing update changes what differs', async () => {
    const { edu, json } = offline();
    const rows = 'name,country,city\nLyceum North,NL,Utrecht\n';
    await edu(['schools', 'create', '--from', '-'], rows);
    const moved = rows.replace('Utrecht', 'Leiden');
    expect((await edu(['schools', 'create', '--from', '-'], moved)).code).toBe(3);
    const line = ['schools', 'create', '--from', '-', '--on-existing', 'update', '--json'];
    expect(summaryOf(await edu(line, moved))).toMatchObject({ updated: 1, conflict: 0 });
    const schools: readonly Record<string, unknown>[] = await json('schools', 'list');
    expect(schools.filter(({ name }) => name === 'Lyceum North')).toMatchObject([{ city: 'Leiden' }]);
  });

  test('files that rows name are checked before anything is sent', async () => {
    const folder = temporaryFolder();
    const pdf = join(folder, 'a.pdf');
    writeFileSync(pdf, '%PDF-1.4\n');
    const { edu } = offline();
    const refused = await edu(['files', 'upload', '--from', '-', '--json'], `file\n${pdf}\n${folder}/none.pdf\n`);
    expect(refused.code).toBe(2);
    expect(problemsOf(refused)).toEqual([['line 3, column 1 "file"', expect.stringContaining('does not exist')]]);
    expect(summaryOf(await edu(['files', 'upload', '--from', '-', '--json'], `file\n${pdf}\n`))).toMatchObject({
      created: 1,
    });
  });

  test('--count with -q prints one ID for each', async () => {
    const { edu } = offline();
    const line = [
      'subscriptions',
      'create',
      '--count',
      '3',
      '--maximum-activations',
      '5',
      '--expiration-date',
      '2031-07-31',
    ];
    const { code, stdout } = await edu([...line, '--quiet']);
    expect(code).toBe(0);
    expect(new Set(stdout.trim().split('\n')).size).toBe(3);
  });
});

describe('input errors are all reported before anything is sent', () => {
  const create = ['licenses', 'create', '--from', '-', '--json'];

  test('invalid and missing values, keys, columns', async () => {
    const { edu, json } = offline();
    const before = (await json('licenses', 'list')).length;
    const rows = [
      'name,type,maximumActivations,days,book,code,colour',
      'A,Books,3,31,B1,abc,',
      'B,Boks,x,30,B1,ABC,',
      'C,Books,4,30,,abc,',
      ',Teacher,1,,,12E+05,',
    ];
    const refused = await edu(create, `${rows.join('\n')}\n`);
    expect(refused.code).toBe(2);
    expect(problemsOf(refused)).toEqual([
      ['line 1, column 7', expect.stringContaining('there is no column "colour"')],
      ['line 2, column 4 "days"', expect.stringContaining('must be 30, 90, 365')],
      ['line 3, column 2 "type"', expect.stringContaining('Did you mean Books?')],
      ['line 3, column 3 "maximumActivations"', 'must be a whole number, not "x"'],
      ['line 3, column 6 "code"', expect.stringContaining('lowercase letters and digits')],
      ['line 4', expect.stringContaining('book is missing')],
      ['line 5, column 6 "code"', expect.stringContaining('lowercase letters and digits')],
    ]);
    expect(await json('licenses', 'list')).toHaveLength(before);
  });

  test('a repeated key names both lines; equal rows without one are created, with a notice', async () => {
    const { edu } = offline();
    const head = 'name,type,maximum-activations,code\n';
    const twice = await edu(create, `${head}A,Teacher,1,abc\nB,Teacher,1,x\nC,Teacher,1,abc\n`);
    expect(problemsOf(twice)).toEqual([['line 4', 'has the same key as line 2: code "abc"']]);
    const same = await edu(create, `${head}A,Teacher,1,\nA,Teacher,1,\n`);
    expect(summaryOf(same)).toMatchObject({ created: 2 });
    expect(same.stderr).toContain('1 row equals an earlier row');
  });

  test('keys that a look-up treats as equal: Unicode forms, surrounding spaces, case of addresses', async () => {
    const { edu } = offline();
    const names = 'name\nCaf\u00e9\nCafe\u0301\n caf\u00e9\nCaf\u00e9 \n';
    expect(problemsOf(await edu(['publishers', 'create', '--from', '-', '--json'], names))).toEqual([
      ['line 3', expect.stringContaining('has the same key as line 2')],
      ['line 5', expect.stringContaining('has the same key as line 2')],
    ]);
    const users = 'user,firstName\nmia@press.example,A\nMia@Press.example,B\n';
    expect(problemsOf(await edu(['users', 'update', '--from', '-', '--json'], users))).toEqual([
      ['line 3', 'has the same key as line 2: user "Mia@Press.example"'],
    ]);
  });

  test('a row without changes, and an organization type without an organization', async () => {
    const { edu } = offline();
    const schools = 'id,name,city\ns1,,Delft\ns2,,\n';
    const updates = await edu(['schools', 'update', '--from', '-', '--json'], schools);
    expect([updates.code, problemsOf(updates)]).toEqual([2, [['line 3', 'No changes given.']]]);
    const licences = 'name,type,maximum-activations,organization-type\nA,Teacher,1,\nB,Teacher,1,School\n';
    const creates = await edu(create, licences);
    expect([creates.code, problemsOf(creates)]).toEqual([
      2,
      [['line 3', "--organization-type School needs --organization with the organization's ID."]],
    ]);
    const line = ['--type', 'Teacher', '--name', 'A', '--maximum-activations', '1', '--organization-type', 'School'];
    const counted = await edu(['licenses', 'create', '--count', '2', ...line]);
    expect([counted.code, counted.stderr]).toEqual([2, expect.stringContaining('needs --organization')]);
  });

  test('a column in two spellings, and a misspelt one', async () => {
    const { edu } = offline();
    const refused = await edu(create, 'name,Name,typ,maximumActivation\nA,A,Teacher,1\n');
    expect(problemsOf(refused).slice(0, 3)).toEqual([
      ['line 1, column 2', 'the columns "name" and "Name" are the same'],
      ['line 1, column 3', expect.stringContaining('Did you mean type?')],
      ['line 1, column 4', expect.stringContaining('Did you mean maximum-activations?')],
    ]);
  });

  test('a value that every row lacks is reported once', async () => {
    const { edu } = offline();
    const refused = await edu(create, 'name,type\nA,Teacher\nB,Teacher\n');
    expect(problemsOf(refused)).toEqual([
      ['line 1', expect.stringContaining('maximum-activations is missing in every row')],
    ]);
  });

  test('the columns of a command whose licence may be named by its code are listed once', async () => {
    const { edu } = offline();
    const refused = await edu(['licenses', 'delete', '--from', '-', '--json'], 'colour\nred\nblue\n');
    expect(problemsOf(refused)).toEqual([
      [
        'line 1, column 1',
        'there is no column "colour". The columns are licence. To leave it out, add --ignore colour',
      ],
      [
        'line 1',
        expect.stringMatching(/^licence is missing in every row: .*Add the column, or pass it on the command line$/),
      ],
    ]);
  });

  test('values that a spreadsheet has damaged', async () => {
    const { edu } = offline();
    const rows = 'ean,title,year,subject,type,contentLanguage\n9.78E+12,A,7,0001,Guide,DE\n1,#N/A,7,0001,Guide,DE\n';
    expect(problemsOf(await edu(['books', 'create', '--from', '-', '--json'], rows))).toEqual([
      ['line 2, column 1 "ean"', expect.stringContaining('a spreadsheet has cut the number')],
      ['line 3, column 2 "title"', expect.stringContaining('where a formula failed')],
    ]);
  });

  test('references that do not exist', async () => {
    const { edu } = offline();
    const refused = await edu(
      ['licenses', 'assign', 'code:0012345', '--from', '-', '--json'],
      'email\nnobody@nowhere.example\n',
    );
    expect(problemsOf(refused)).toEqual([
      ['line 2', 'there is no user with the e-mail address nobody@nowhere.example'],
    ]);
  });

  test('--from with --count, --code with --count, an invalid shard', async () => {
    const { edu } = offline();
    const many = [
      'licenses',
      'create',
      '--count',
      '2',
      '--type',
      'Teacher',
      '--name',
      'A',
      '--maximum-activations',
      '1',
    ];
    expect((await edu([...many, '--from', 'x.csv'])).code).toBe(2);
    expect((await edu([...many, '--code', 'abc'])).stderr).toContain('all 2 would have the same code');
    expect((await edu([...many, '--shard', '3/2'])).stderr).toContain('--shard must be like 2/8');
    expect((await edu(['licenses', 'create', '--from', '/nowhere.csv'])).stderr).toContain('does not exist');
  });
});

test('--template prints the columns with their descriptions', async () => {
  const { edu } = offline();
  for (const line of [['--from', '--template'], ['--template']]) {
    const { code, stdout, stderr } = await edu(['licenses', 'create', ...line]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name,maximum-activations,type,book,days,until,[a-z,-]+\n$/);
    expect(stderr).toMatch(/ {2}days +validity in days from activation \(30, 90, 365/);
  }
});
