/** Reading a list of users, with the flags for tables. */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { processTag } from '../../../src/core/fs/temporary.js';
import type { Reading } from '../../../src/core/table/rows.js';
import { readPeople } from '../../../src/plan/read-people.js';
import { temporaryFolder } from '../../support/run.js';
import { styled, workbookOf } from '../../support/workbook.js';

/** Reads the same list as a file, from stdin and from a named pipe. */
async function read(content: string | Uint8Array, reading?: Reading) {
  const file = join(temporaryFolder(), 'list');
  writeFileSync(file, content);
  const stdin = Object.assign(Readable.from([Buffer.from(content)]), { isTTY: false });
  const { signal } = new AbortController();
  const ownFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`edu-files-${processTag()}`));
  const before = ownFolders();
  const { people } = await readPeople(file, stdin, signal, reading);
  expect((await readPeople('-', stdin, signal, reading)).people).toEqual(people);
  const pipe = `${file}.pipe`;
  execFileSync('mkfifo', [pipe]);
  const [piped] = await Promise.all([readPeople(pipe, stdin, signal, reading), writeFile(pipe, content)]);
  expect(piped.people).toEqual(people);
  expect(ownFolders()).toEqual(before);
  return people;
}

test.each<[string, string | Uint8Array, Reading | undefined]>([
  ['a column of addresses', 'email,name\na@s1.example,A\n b@s1.example ,B\n', undefined],
  ['bare addresses', 'a@s1.example\nb@s1.example\n', undefined],
  ['JSON', '[{"mail":"a@s1.example"},{"mail":"b@s1.example"}]', undefined],
  ['a JSON list of texts', '["a@s1.example","b@s1.example"]', undefined],
  ['users without roles', '[{"id":"a@s1.example","roles":[]},{"id":"b@s1.example","roles":["x","y"]}]', undefined],
  ['IDs, else addresses', 'id,email\na@s1.example,x@s1.example\n,b@s1.example\n', undefined],
  ['an ignored column of IDs', 'id,email\n4711,a@s1.example\n4712,b@s1.example\n', { ignore: ['id'] }],
  ['a mapped column', 'Schüler\na@s1.example\nb@s1.example\n', { map: ['Schüler=user'] }],
  [
    'other encodings',
    Buffer.from('Sch\xfcler;email\nx;a@s1.example\ny;b@s1.example\n', 'latin1'),
    { encoding: 'latin1' },
  ],
  [
    'a part of a workbook',
    workbookOf({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Klassen'],
            [],
            ['Klasse', 'email'],
            ['5a', 'a@s1.example'],
            ['5b', 'c@s1.example'],
            ['5a', 'b@s1.example'],
          ],
        },
      ],
    }),
    { headerRow: 2, where: ['Klasse=5a'] },
  ],
])('reads %s', async (_, content, reading) => {
  expect(await read(content, reading)).toEqual(['a@s1.example', 'b@s1.example']);
});

test('refuses damaged cells, each once, and rows without a user', async () => {
  await expect(read('email,id\n#N/A,\n')).rejects.toMatchObject({
    details: [
      { where: expect.stringMatching(/line 2, column 1 "email"$/), message: expect.stringContaining('is #N/A') },
    ],
  });
  const rows = [['email'], [styled(0.3125, 1)]];
  await expect(read(workbookOf({ formats: [20], sheets: [{ name: 'A', rows }] }))).rejects.toMatchObject({
    details: [{ where: expect.stringMatching(/A2 "email"$/), message: expect.stringContaining('is a time (07:30)') }],
  });
});

test('leaves out invalid rows, with the first problem of each, but not a list without others', async () => {
  const file = join(temporaryFolder(), 'list.csv');
  const { signal } = new AbortController();
  const stdin = Object.assign(Readable.from([]), { isTTY: false });
  const take = () => readPeople(file, stdin, signal, undefined, true);
  writeFileSync(file, 'id,email,name\n1,a@s1.example,\n#N/A,#N/A,\n,,Mia\n2,,\n');
  const { people, left } = await take();
  expect(people).toEqual(['1', '2']);
  expect(left).toMatchObject([
    { where: expect.stringMatching(/line 3, column 1 "id"$/), message: expect.stringContaining('is #N/A') },
    { where: expect.stringMatching(/line 4$/), message: 'has no user' },
  ]);
  const details = [
    { where: expect.stringMatching(/line 3, column 1/) },
    { where: expect.stringMatching(/line 3, column 2/) },
    { where: expect.stringMatching(/line 4$/), message: 'has no user' },
  ];
  await expect(readPeople(file, stdin, signal, undefined)).rejects.toMatchObject({ details });
  writeFileSync(file, 'email\n#N/A\n');
  await expect(take()).rejects.toMatchObject({ details: [{ message: expect.stringContaining('is #N/A') }] });
});

test('refuses an empty list, and names the columns, or the header below a title, of one without users', async () => {
  await expect(read('')).rejects.toThrow('is empty');
  await expect(read('email\n')).rejects.toThrow('An empty list removes no users.');
  await expect(read('Klasse 5a,\nName,E-Mail\nA,a@s1.example\n')).rejects.toMatchObject({
    details: [{ message: expect.stringContaining('the header seems to be in line 2') }],
  });
  await expect(read('name,class\nA,5a\n')).rejects.toThrow('no column identifies users. Its columns are name, class.');
});
