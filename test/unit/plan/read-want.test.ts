/** Reading a wanted state. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { grouped } from '../../../src/core/maps.js';
import { readWant } from '../../../src/plan/read-want.js';
import { columnsOf, type Plannable, readFields, type WantColumn } from '../../../src/plan/want-columns.js';
import { temporaryFolder } from '../../support/run.js';
import { styled, workbookOf } from '../../support/workbook.js';

async function read(name: string, text: string | Uint8Array) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return (await readWant(path)).want;
}

test('ignores blanks around a cell, also one that cannot be broken', async () => {
  const { users } = await read('users.csv', 'email,firstName\n" mia@s1.example\u00a0", Mia\n');
  expect(users).toEqual([{ at: 'users.csv line 2', email: 'mia@s1.example', firstName: 'Mia' }]);
});

test('does not manage the books of a licence whose cell is blank', async () => {
  const { licenses } = await read('licenses.csv', 'code,name,books\na1,Autumn,\na2,Winter,b1;b2\n');
  expect(licenses.map(({ books }) => books)).toEqual([undefined, ['b1', 'b2']]);
});

test.each(['ndjson', 'json'])(
  'manages only the members that an object has, whatever other rows have (%s)',
  async (format) => {
    const rows = [{ id: 'c1', users: ['mia'] }, { id: 'c2' }, { id: 'c3', users: null }];
    const text = format === 'json' ? JSON.stringify(rows) : rows.map((row) => JSON.stringify(row)).join('\n');
    const { classes } = await read(`classes.${format}`, text);
    expect(classes.map(({ users }) => users)).toEqual([['mia'], undefined, []]);
    expect(classes.map((one) => 'users' in one)).toEqual([true, false, true]);
  },
);

test('takes the ID of an object in a list, else what people know', async () => {
  const row = (books: unknown): string => JSON.stringify({ code: 'a1', books });
  const { licenses } = await read(
    'licenses.ndjson',
    row([{ id: 'b1', ean: '9' }, { id: null, ean: '978' }, { name: 'Fractions' }]),
  );
  expect(licenses.map(({ books }) => books)).toEqual([['b1', '978', 'Fractions']]);
  await expect(read('licenses.ndjson', row([{ title: 'Fractions' }]))).rejects.toMatchObject({
    details: [{ message: 'is a list with values that are not text' }],
  });
});

test('suggests the name of a file', async () => {
  await expect(read('clases.csv', '')).rejects.toMatchObject({
    message: expect.stringContaining('clases.csv: its name is not that of a resource.'),
    hint: expect.stringMatching(/^Did you mean classes\? Files are called /),
  });
});

test('refuses a damaged compressed file', async () => {
  for (const bytes of [Buffer.from('email\n'), gzipSync('email\nmia@s1.example\n').subarray(0, 30)])
    await expect(read('users.csv.gz', bytes)).rejects.toThrow(/users\.csv\.gz: the compressed file is damaged/);
});

test('reads the flags for tables, and refuses those for one table with a folder of several', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'users.csv'),
    Buffer.from('Stand 1.8.\nMail;firstName;Telefon\nzoe@s1.example;Zo\xeb;1\n', 'latin1'),
  );
  const path = join(folder, 'users.csv');
  const reading = { headerRow: 2, encoding: 'latin1', map: ['Mail=email'], ignore: ['Telefon'] };
  const { want } = await readWant(path, reading);
  expect(want.users).toEqual([{ at: 'users.csv line 3', email: 'zoe@s1.example', firstName: 'Zoë' }]);
  writeFileSync(join(folder, 'schools.csv'), 'name\nA\n');
  await expect(readWant(folder, reading)).rejects.toThrow(`--map is for one file, and ${folder} has 2.`);
  await expect(readWant(path, { ...reading, dateFormat: 'dd.MM.yyyy' })).rejects.toMatchObject({
    details: [{ message: 'there is no column of dates for --date-format dd.MM.yyyy' }],
  });
});

test('reads dates in another format', async () => {
  const path = join(temporaryFolder(), 'licenses.csv');
  writeFileSync(path, 'code,until\na1,31.07.2027\n');
  const { want } = await readWant(path, { dateFormat: 'dd.MM.yyyy' });
  expect(want.licenses).toMatchObject([{ expiration: { type: 'Date', date: '2027-07-31' } }]);
});

test('reads whole numbers as spreadsheets write them', async () => {
  const { licenses } = await read('licenses.csv', 'code;maximumActivations\na1;1.000\na2;365,0\n');
  expect(licenses).toMatchObject([{ maximumActivations: 1000 }, { maximumActivations: 365 }]);
});

test('reads types, languages and countries in any case, as bulk jobs do', async () => {
  const { licenses } = await read('licenses.csv', 'code,type,expiration.type\na1,teacher,days\na2,Film,\n');
  expect(licenses).toMatchObject([{ type: 'Teacher', expiration: { type: 'Days' } }, { type: 'Film' }]);
  const { users } = await read('users.csv', 'email,language\na@s1.example,fr\nb@s1.example,Latin\n');
  expect(users).toMatchObject([{ language: 'FR' }, { language: 'Latin' }]);
  const { schools: list } = await read('schools.csv', 'name,country\nA,de\nB,germany\n');
  expect(list).toMatchObject([{ country: 'DE' }, { country: 'germany' }]);
});

test('refuses what a spreadsheet damaged, and names the cell of a workbook', async () => {
  await expect(read('users.csv', 'email,firstName\na@s1.example,#NV\n')).rejects.toMatchObject({
    details: [{ where: 'users.csv line 2, column 2 "firstName"', message: expect.stringContaining('is #NV') }],
  });
  const rows = [
    ['name', 'school'],
    [styled(46148, 1), 's1'],
  ];
  await expect(
    read('classes.xlsx', workbookOf({ formats: [14], sheets: [{ name: 'A', rows }] })),
  ).rejects.toMatchObject({
    details: [{ where: 'classes.xlsx A2 "name"', message: expect.stringMatching(/^is a date \(2026-05-06\); format/) }],
  });
});

test('says how many rows of a workbook are hidden, because they are read too', async () => {
  const path = join(temporaryFolder(), 'users.xlsx');
  const rows = [['email'], ['a@s1.example'], ['b@s1.example']];
  writeFileSync(path, workbookOf({ sheets: [{ name: 'A', rows, hidden: [2] }] }));
  expect((await readWant(path)).notes).toEqual([expect.stringContaining('1 row of the sheet is hidden')]);
});

test('refuses two columns of one name, of which only the first would count', async () => {
  await expect(read('users.csv', 'email,email\na@x.example,b@x.example\n')).rejects.toMatchObject({
    details: [{ where: 'users.csv line 1', message: 'the columns "email" and "email" both mean email' }],
  });
});

test('refuses two columns of one field that differ in a row', async () => {
  const cells = (text: string) => `school,class,users,usersInClass\ns1,7b,${text}\n`;
  expect((await read('classes.csv', cells('mia,mia'))).classes).toMatchObject([{ users: ['mia'] }]);
  await expect(read('classes.csv', cells('mia,tom'))).rejects.toMatchObject({
    details: [{ message: 'is not what the column "usersInClass" says' }],
  });
});

test('reads the names of a list beside blank IDs, and refuses more names than IDs', async () => {
  const holders = (ids: string, emails: string) =>
    read('licenses.csv', `code,endUsers.id,endUsers.email\na1,${ids},${emails}\n`);
  for (const [ids, emails, endUsers] of [
    ['', 'mia@s1.example', ['mia@s1.example']],
    ['u1;u2', 'mia@s1.example;', ['u1', 'u2']],
    ['u1', '', ['u1']],
  ] as const)
    expect((await holders(ids, emails)).licenses).toMatchObject([{ endUsers }]);
  await expect(holders('u1', 'mia@s1.example;tom@s1.example')).rejects.toMatchObject({
    details: [{ message: 'has 2 values, but another column of the list has 1' }],
  });
});

/** The columns of each field of a resource, and what a row has with one of them. */
function columnsBy(resource: Plannable): string {
  const columns = columnsOf(resource).filter(({ read }) => read !== undefined);
  const fieldsOf = (column: WantColumn): string => {
    const isSwitch = column.field === 'remove' || column.field === 'pdfDownloadable';
    return JSON.stringify(readFields([[column, isSwitch ? 'true' : '7']]).fields).replaceAll('"', '');
  };
  const groups = [...grouped(columns, (column) => [fieldsOf(column)])];
  return groups.map(([fields, same]) => `${same.map(({ name }) => name).join(', ')} → ${fields}`).join('\n');
}

const PUBLICATION = `id → {id:7}
ean → {ean:7}
title → {title:7}
subject, subject.id, subject.translatedName → {subject:7}
language → {language:7}
settings.indexPageNumber → {settings:{indexPageNumber:7}}
settings.pageNumberOffset → {settings:{pageNumberOffset:7}}`;

test.each<[Plannable, string]>([
  ['publishers', 'id → {id:7}\nname → {name:7}'],
  ['schools', 'id → {id:7}\nname → {name:7}\ncountry → {country:7}\ncity → {city:7}'],
  [
    'users',
    `id → {id:7}
email → {email:7}
firstName → {firstName:7}
lastName → {lastName:7}
language → {language:7}
organization, organization.id, organization.name, school → {organization:7}
roles, roles.id, roles.name, role → {roles:[7]}`,
  ],
  [
    'classes',
    `classId, id → {id:7}
className, name, class → {name:7}
schoolId, school → {school:7}
subjectId, subject → {subject:7}
usersInClass, users, members → {users:[7]}
deactivationDate → {deactivationDate:7}`,
  ],
  [
    'licenses',
    `id → {id:7}
code → {code:7}
name → {name:7}
type → {type:7}
books, books.id, books.ean → {books:[7]}
expiration.type → {expiration:{type:7}}
expiration.days, days → {expiration:{days:7,type:Days}}
expiration.date, until → {expiration:{date:7,type:Date}}
maximumActivations → {maximumActivations:7}
organization, organization.id, organization.name → {organization:7}
licenseCategory → {licenseCategory:7}
endUsers, endUsers.id, endUsers.email, users → {endUsers:[7]}
remove → {remove:true}`,
  ],
  [
    'books',
    `${PUBLICATION}
year → {year:7}
level, stream → {level:7}
series → {series:7}
secondSubject → {secondSubject:7}`,
  ],
  ['readers', `${PUBLICATION}\npdfDownloadable → {pdfDownloadable:true}`],
])('%s have these columns', (resource, columns) => {
  expect(columnsBy(resource)).toBe(columns);
});

test('does not plan a class that was deleted, which nothing brings back', async () => {
  const { classes } = await read('classes.csv', 'classId,deactivationDate\nc1,\nc2,2026-01-01\n');
  expect(classes).toEqual([{ at: 'classes.csv line 2', id: 'c1' }]);
});

test.each([
  ['users', 'id,firstName\nu1,A\nu1,B\n', 'line 3', 'has the key of users.csv line 2: ID u1'],
  ['classes', 'school,class,subject\ns1,5a,01\nS1,5A,01\n', 'line 3', 'has the key of classes.csv line 2: s1, 01, 5a'],
  ['classes', 'school\ns1\n', 'line 2', 'has neither name nor id'],
  ['licenses', 'code,days\na1,1.5\n', 'line 2, column 2 "days"', 'must be a whole number, not "1.5"'],
  [
    'readers',
    'ean,pdfDownloadable\n9,perhaps\n',
    'line 2, column 2 "pdfDownloadable"',
    'must be true or false, not "perhaps"',
  ],
])('refuses a row of %s: %j', async (resource, text, where, message) => {
  await expect(read(`${resource}.csv`, text)).rejects.toMatchObject({
    message: expect.stringMatching(/^Cannot plan .*: 1 problem\.$/),
    details: [{ where: `${resource}.csv ${where}`, message }],
  });
});

test('manages no field of an export that the API document does not name; elsewhere it may be misspelt', async () => {
  const row = JSON.stringify({ id: 's1', city: 'Ulm', futureField: { a: 1 }, tags: [{ b: 1 }] });
  await expect(read('schools.ndjson', row)).rejects.toMatchObject({
    details: [
      { message: expect.stringContaining('there is no column "futureField.a"') },
      { message: expect.stringContaining('there is no column "tags"') },
    ],
  });
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'manifest.json'), '{}');
  writeFileSync(join(folder, 'schools.ndjson'), row);
  const { schools } = (await readWant(folder)).want;
  expect(schools).toEqual([{ at: 'schools.ndjson line 1', id: 's1', city: 'Ulm' }]);
});
