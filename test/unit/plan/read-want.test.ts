/** Reading a wanted state. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readWant } from '../../../src/plan/read-want.js';
import { temporaryFolder } from '../../support/run.js';

async function read(name: string, text: string | Uint8Array) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return (await readWant(path)).want;
}

test('ignores blanks around an address, which would name another user', async () => {
  const { users } = await read('users.csv', 'email,firstName\n" mia@s1.example\u00a0", Mia\n');
  expect(users).toEqual([{ at: 'users.csv line 2', email: 'mia@s1.example', firstName: ' Mia' }]);
});

test('does not manage the books of a licence whose cell is blank', async () => {
  const { licenses } = await read('licenses.csv', 'code,name,books\na1,Autumn,\na2,Winter,b1;b2\n');
  expect(licenses.map(({ books }) => books)).toEqual([undefined, ['b1', 'b2']]);
});

test('refuses a damaged compressed file', async () => {
  for (const bytes of [Buffer.from('email\n'), gzipSync('email\nmia@s1.example\n').subarray(0, 30)])
    await expect(read('users.csv.gz', bytes)).rejects.toThrow(/users\.csv\.gz: the compressed file is damaged/);
});

test('refuses two columns of one name, of which only the first would count', async () => {
  await expect(read('users.csv', 'email,email\na@x.example,b@x.example\n')).rejects.toMatchObject({
    details: [{ where: 'users.csv header', message: 'has two columns "email"' }],
  });
});
