/** Creates for rows, on the bundled service: references, values, existing items. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { offline, problemsOf, summaryOf } from './on-the-bundled-service.js';

test('a name means a role of the organization of the settings, unless the row has one', async () => {
  const { edu } = offline({ EDU_ORGANIZATION: 's1', EDU_ORGANIZATION_TYPE: 'School' });
  const rows = 'first-name,last-name,email,role,organization\nA,B,a@b.example,Teacher,\nC,D,c@d.example,Editor,p1\n';
  const planned = await edu(['users', 'create', '--from', '-', '--dry-run', '--json'], rows);
  expect(JSON.parse(planned.stdout).requests.map(({ body }: { body: unknown }) => body)).toMatchObject([
    { roles: ['s1-teacher'], organization: { id: 's1', type: 'School' } },
    { roles: ['p1-editor'], organization: { id: 'p1', type: 'Publisher' } },
  ]);
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
        name: 'A',
        type: 'Books',
        maximumActivations: 1,
        books: [{ id: 'B1', ean: '1', title: 'T' }],
        expiration: { type: 'Days', days: 365, date: null },
        organization: { id: 's1', type: 'School' },
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

  test('licences with books by EAN, days from the command line, a date from the row', async () => {
    const { edu, json } = offline();
    const { id, ean } = await json('books', 'get', 'B1');
    const rows = `name,book,until\nA,${ean},\nB,"B1;B2",2031-07-31\n`;
    const line = 'licenses create --from - --type Books --days 365 --maximum-activations 2'.split(' ');
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

  test('a row that was skipped is sent by the same line once what it refers to exists', async () => {
    const { edu } = offline();
    const rows = 'name,subject,school\n7x,0001,s1\n7y,0001,New School\n';
    const line = ['classes', 'create', '--from', '-', '--json', '--skip-invalid'];
    expect(summaryOf(await edu(line, rows))).toMatchObject({ created: 1, invalid: 1 });
    expect(summaryOf(await edu(line, rows))).toMatchObject({ created: 1, invalid: 1 });
    await edu(['schools', 'create', '--name', 'New School', '--country', 'NL', '--city', 'Delft']);
    const ended = await edu(line, rows);
    expect([ended.code, summaryOf(ended)]).toMatchObject([0, { created: 1, exists: 1, invalid: 0 }]);
  });

  test('a licence whose books are listed in another order, or twice, is the same row', async () => {
    const { edu } = offline();
    const line = ['licenses', 'create', '--from', '-', '--json'];
    const rows = (books: string): string => `name,type,days,maximum-activations,book\nA,Books,365,1,${books}\n`;
    const first = summaryOf(await edu(line, rows('B1;B2')));
    expect(first).toMatchObject({ created: 1 });
    expect(summaryOf(await edu(line, rows('B2;B1;B2')))).toMatchObject({ job: first.job, created: 1 });
  });

  test('a job goes on with a file that names the same items by ID', async () => {
    const { edu, json } = offline();
    const school = (await json('schools', 'get', 's1')).name;
    const rows = (where: string, what: string): string =>
      `name,school,subject\n7x,${where},${what}\n7y,${where},${what}\n`;
    const line = ['classes', 'create', '--from', '-', '--json'];
    const first = await edu([...line, '--limit', '1'], rows(school, 'Mathematics'));
    expect(summaryOf(first)).toMatchObject({ created: 1, left: 1 });
    const ended = await edu(line, rows('s1', '0001'));
    expect([ended.code, summaryOf(ended)]).toMatchObject([0, { job: summaryOf(first).job, created: 2, left: 0 }]);
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
      'no book has the ID, EAN or title "B99"',
    ],
    ['classes create', 'name,subject,school', '7x,9999,s1', 'no subject has the ID or name "9999"'],
    [
      'users create',
      'first-name,last-name,email,organization,organization-type,role',
      'A,B,a@b.example,s99,School,',
      'no school has the ID or name "s99"',
    ],
    ['users create', 'first-name,last-name,email,role', 'A,B,a@b.example,r99', 'no role has the ID or name "r99"'],
    ['classes assign', 'class,user', '7q,u1', 'no class has the ID, code or name "7q"'],
  ])('%s: an ID that does not exist is an input error', async (command, header, row, missing) => {
    const { edu } = offline();
    const refused = await edu([...command.split(' '), '--from', '-', '--json'], `${header}\n${row}\n`);
    expect(refused.code).toBe(2);
    expect(problemsOf(refused)).toEqual([
      [expect.stringMatching(/^line 2, column \d "\w+"$/), expect.stringContaining(missing)],
    ]);
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

  const UPDATE = ['--from', '-', '--on-existing', 'update', '--json'];

  test('--on-existing update keeps the roles and the organization of a user that rows do not name', async () => {
    const { edu, json } = offline({ EDU_ORGANIZATION: 's2' });
    const rows = 'first-name,last-name,email,organization,role\nMia,Brand,mia@s1.example,s1,s1-teacher\n';
    expect((await edu(['users', 'create', '--from', '-'], rows)).code).toBe(0);
    const renamed = 'first-name,last-name,email\nMia,Brandt,mia@s1.example\n';
    expect(summaryOf(await edu(['users', 'create', ...UPDATE], renamed))).toMatchObject({ updated: 1 });
    const kept = { lastName: 'Brandt', organization: { id: 's1' }, roles: [{ id: 's1-teacher' }] };
    expect(await json('users', 'get', 'mia@s1.example')).toMatchObject(kept);
  });

  test('--on-existing update says before it sends what it may take away, and asks before a licence ends earlier', async () => {
    const { edu, json } = offline();
    const line = ['licenses', 'create', '--type', 'Books', '--book', 'B1', '--maximum-activations', '1'];
    line.push('--license-category', '01');
    await edu([...line, '--name', 'Long', '--code', 'long1', '--until', '2040-07-31']);
    const rows = 'name,code,until\nShort,long1,2030-07-31\n';
    const end = async (): Promise<string> => (await json('licenses', 'get', 'code:long1')).expiration.date;
    for (const run of [['--dry-run'], []])
      expect(summaryOf(await edu([...line, ...UPDATE, ...run], rows))).toMatchObject({ conflict: 1 });
    expect(await end()).toBe('2040-07-31');
    const ran = await edu([...line, ...UPDATE, '--yes'], rows);
    expect([summaryOf(ran).updated, await end()]).toEqual([1, '2030-07-31']);
    const [book] = await json('books', 'list', '--limit', '1');
    const books = `ean,title,year,subject,type,content-language\n${book.ean},New,7,0001,Coursebook,DE\n`;
    const planned = await edu(['books', 'create', ...UPDATE, '--dry-run'], books);
    expect(planned.stderr).toContain('The service does not show the second subject of book');
  });

  test('files that rows name are checked before anything is sent', async () => {
    const folder = temporaryFolder();
    const pdf = join(folder, 'a.pdf');
    writeFileSync(pdf, '%PDF-1.4\n');
    const { edu } = offline();
    const refused = await edu(['files', 'upload', '--from', '-', '--json'], `file\n${pdf}\n${folder}/none.pdf\n`);
    expect(refused.code).toBe(2);
    expect(problemsOf(refused)).toEqual([
      ['line 3, column 1 "file"', expect.stringContaining('no such file or folder')],
    ]);
    expect(summaryOf(await edu(['files', 'upload', '--from', '-', '--json'], `file\n${pdf}\n`))).toMatchObject({
      created: 1,
    });
  });

  test.each([['--dry-run'], ['--quiet']])(
    'with %s, twelve rows that equal listed items are ten warnings',
    async (flag) => {
      const { edu } = offline();
      const rows = `maximum-activations\n${Array.from({ length: 12 }, (_, row) => 700 + row).join('\n')}\n`;
      const line = ['subscriptions', 'create', '--expiration-date', '2031-07-31', '--from', '-'];
      expect((await edu(line, rows)).code).toBe(0);
      const { stderr } = await edu([...line, '--batch', 'again', flag], rows);
      expect(stderr.match(/^Warning: A row equals/gm)).toHaveLength(10);
      expect(stderr).toContain('Warning: 2 more warnings like these.');
    },
  );

  test('--count with -q prints one ID for each, and numbers the equal items in its results', async () => {
    const { edu } = offline();
    const line = 'subscriptions create --count 3 --maximum-activations 5 --expiration-date 2031-07-31'.split(' ');
    const { code, stdout } = await edu([...line, '--quiet']);
    expect(code).toBe(0);
    expect(new Set(stdout.trim().split('\n')).size).toBe(3);
    const results = await edu([...line, '--batch', 'second', '-o', 'csv']);
    expect(results.stdout.match(/,\w+$/gm)).toEqual([',edu_equal', ',0', ',1', ',2']);
  });
});
