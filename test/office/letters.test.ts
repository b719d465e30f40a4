/** The letters of docs/guides/licences-from-a-spreadsheet.md, as pasted: a licence for each copy, and a letter for each licence. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sharedFolder } from '../support/run.js';
import { convert } from './programs.js';

const guide = readFileSync('docs/guides/licences-from-a-spreadsheet.md', 'utf8');
const section = (title: string): string => guide.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const commandOf = (title: string): string => section(title).match(/^```sh\n(.*?)^```$/ms)?.[1] ?? '';

const folder = sharedFolder();
const env = {
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  EDU_CONFIG_DIR: join(folder, 'config'),
  EDU_STATE_DIR: join(folder, 'state'),
  EDU_OFFLINE: '1',
};
const shell = (line: string): string => execFileSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });

/** The paragraphs of a document. */
function paragraphsOf(name: string): string[] {
  convert(folder, 'txt:Text (encoded):UTF8', [join(folder, `${name}.odt`)]);
  const text = readFileSync(join(folder, `${name}.txt`), 'utf8').replace(/^\uFEFF/, '');
  return text.split(/\r?\n/).filter((line) => line !== '');
}

beforeAll(() => {
  mkdirSync(join(folder, 'bin'));
  symlinkSync(resolve('bin/edu.js'), join(folder, 'bin', 'edu'));
  for (const name of ['letter.fodt', 'letters.py']) copyFileSync(join('docs/recipes', name), join(folder, name));
});

test('a price list becomes a PDF with a page for each copy, with title and code', () => {
  const list = section('A price list').match(/(?:^ {4}.+\n)+/m)?.[0] ?? '';
  writeFileSync(join(folder, 'prices.csv'), `${list.replaceAll(/^ {4}/gm, '')}=1+1;9783100000019;1\n`);
  shell(commandOf('A price list'));
  const merge = commandOf('Letters with the codes');
  shell(merge);
  const pdf = readFileSync(join(folder, 'letters.pdf'), 'latin1');
  expect(pdf.match(/\/Type\/Page\b/g)).toHaveLength(31);

  // Again, which a lock that was left behind would prevent.
  shell(merge.replace('.pdf', '.odt'));
  const licenses: { name: string; code: string }[] = JSON.parse(
    shell(`edu licenses list -o json --query "[?name=='Zahlenwelt 5' || name=='=1+1'].{name: name, code: code}"`),
  );
  expect(licenses).toHaveLength(31);
  const letters = paragraphsOf('letters').join('\n').split('Your licence\n').slice(1);
  expect(letters.map((letter) => letter.trim()).sort()).toEqual(
    licenses.map(({ name, code }) => `Title: ${name}\nCode: ${code}`).sort(),
  );
});

test('codes stay as they are, and a row in conflict gets no letter', () => {
  writeFileSync(join(folder, 'codes.csv'), 'Titel,count,code\nA,1,0099\nB,1,98e5\nC,1,\nTaken,1,12e5\n');
  const job = 'edu licenses create --from codes.csv --map Titel=name --type Teacher --maximum-activations 1';
  mkdirSync(join(folder, 'conflict'));
  expect(shell(`${job} --results conflict/letters.xlsx --on-existing fail 2>/dev/null || echo $?`)).toBe('3\n');
  shell('./letters.py letter.fodt conflict/letters.xlsx conflict.odt');
  const paragraphs = paragraphsOf('conflict');
  expect(paragraphs).toEqual(expect.arrayContaining(['Title: A', 'Code: 0099', 'Title: B', 'Code: 98e5', 'Title: C']));
  expect(paragraphs.filter((line) => line.startsWith('Title'))).toHaveLength(3);
});
