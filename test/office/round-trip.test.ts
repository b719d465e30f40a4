/** Every list, as a workbook and as CSV for Excel, opened and saved by LibreOffice, comes back without a changed cell. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFile, openInput } from '../../src/core/table/open-table.js';
import { run, sharedFolder } from '../support/run.js';
import { convert, withGnumeric } from './programs.js';

const folder = sharedFolder();
const converted = join(folder, 'xlsx');

const env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state'), EDU_OFFLINE: '1' };
const edu = (...argv: readonly string[]) => run(argv, { env, randomBytes });

const LISTS: readonly (readonly string[])[] = [
  ['licenses', 'list'],
  ['licenses', 'activations', '00000001', '--with-names'],
  ['licenses', 'summary'],
  ['books', 'list'],
  ['books', 'subjects'],
  ['books', 'types'],
  ['books', 'licenses', 'B1'],
  ['readers', 'list'],
  ['subscriptions', 'list'],
  ['classes', 'list', '--school', 's1'],
  ['schools', 'list'],
  ['schools', 'classes', 's1'],
  ['publishers', 'list'],
  ['users', 'list', '--organization', 's1'],
  ['users', 'licenses', 'school@example.org'],
  ['roles', 'list'],
  ['jobs', 'list'],
];

/**
 * Lists that Gnumeric saves, which starts anew for each. They have no dates: it leaves a format to the column where all of
 * its cells have it, and a cell without a format has none (ECMA-376 part 1, 18.3.1.4).
 */
const SMALL = LISTS.filter(([group, verb]) => verb === 'list' && (group === 'users' || group === 'schools'));

/** Names that a spreadsheet would read as something else. */
const NAMES = [
  '=1+1',
  '+49 30',
  '-5',
  '@x',
  "'x",
  "'=x",
  '007',
  '12e5',
  '1-2',
  '5/6',
  '7:30',
  '50%',
  '1,5',
  '1.5',
  'mar1',
].concat([
  '1 Mai',
  'TRUE',
  'wahr',
  '#N',
  '5 "a"',
  'a;b,c',
  '1 234',
  '9783000000017',
  '2026-01-31',
  '😀 1',
  '=HYPERLINK("x")',
]);

/** Letters and digits, for the name of a file. */
const fileOf = (list: readonly string[], language: string): string =>
  `${list.join('-').replace(/\W+/g, '-')}-${language}`;

const bookOf = (program: string, list: readonly string[]): string =>
  join(folder, program, `${fileOf(list, 'EN')}.xlsx`);

async function cellsIn(input: Awaited<ReturnType<typeof openFile>>): Promise<(readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for await (const batch of input.batches) {
    expect(batch.problems).toEqual([]);
    for (const { cells } of batch.rows) rows.push(input.columns.map((_, index) => cells[index]));
  }
  return [input.columns, ...rows];
}

const inText = async (text: string) =>
  cellsIn(
    await openInput(
      (async function* () {
        yield Buffer.from(text);
      })(),
      { name: 'list.csv' },
    ),
  );

beforeAll(async () => {
  writeFileSync(
    join(folder, 'names.csv'),
    ['name', ...NAMES].map((name) => `"${name.replaceAll('"', '""')}"`).join('\n'),
  );
  const made = await edu(
    'licenses',
    'create',
    '--from',
    join(folder, 'names.csv'),
    '--type',
    'Teacher',
    '--maximum-activations',
    '1',
  );
  expect(made).toMatchObject({ code: 0 });
  const files: string[] = [];
  for (const list of LISTS) {
    for (const language of ['EN', 'DE']) {
      const { code, stdout, stderr } = await edu(...list, '--excel', '--language', language);
      expect(code, stderr).toBe(0);
      const file = join(folder, `${fileOf(list, language)}.csv`);
      writeFileSync(file, stdout);
      files.push(file);
    }
  }
  mkdirSync(converted);
  // As LibreOffice proposes: commas and semicolons as delimiters, UTF-8 (76), formulas evaluated.
  const filter = 'CSV:44/59,34,76,1,,0,false,false,false,false,false,0,true';
  convert(converted, 'xlsx', files, [`--infilter=${filter}`]);
  for (const name of ['own', 'libreoffice', 'gnumeric']) mkdirSync(join(folder, name));
  const books: string[] = [];
  for (const list of LISTS) {
    const book = bookOf('own', list);
    expect(await edu(...list, '--to', book)).toMatchObject({ code: 0, stdout: '' });
    if (SMALL.includes(list)) withGnumeric(book, bookOf('gnumeric', list));
    books.push(book);
  }
  convert(join(folder, 'libreoffice'), 'xlsx', books);
});

describe.each(['own', 'libreoffice', 'gnumeric'])('a workbook: %s', (program) => {
  const lists = program === 'gnumeric' ? SMALL : LISTS;

  test.each(lists.map((list) => [list.join(' '), list] as const))('%s', async (_, list) => {
    const written = await inText((await edu(...list, '-o', 'csv')).stdout);
    expect(await cellsIn(await openFile(bookOf(program, list), { name: 'list.xlsx' }))).toEqual(written);
  });

  if (lists === LISTS)
    test('names that a spreadsheet would change', async () => {
      const read = await cellsIn(await openFile(bookOf(program, ['licenses', 'list']), { name: 'list.xlsx' }));
      const names = read.map((row) => row[1]);
      for (const name of NAMES) expect(names).toContain(name);
    });
});

test.each(LISTS.flatMap((list) => ['EN', 'DE'].map((language) => [list.join(' '), language, list] as const)))(
  '%s, in %s',
  async (_, language, list) => {
    const written = await inText((await edu(...list, '-o', 'csv', '--language', language)).stdout);
    const read = await cellsIn(
      await openFile(join(converted, `${fileOf(list, language)}.xlsx`), { name: 'list.xlsx' }),
    );
    expect(read).toEqual(written);
  },
);

test('names that a spreadsheet would change', async () => {
  const read = await cellsIn(
    await openFile(join(converted, `${fileOf(['licenses', 'list'], 'EN')}.xlsx`), { name: 'list.xlsx' }),
  );
  const names = read.map((row) => row[1]);
  for (const name of NAMES) expect(names).toContain(name);
});

/** Lists of items that can be updated. */
const UPDATED = ['licenses', 'books', 'readers', 'subscriptions', 'classes', 'schools', 'publishers', 'users'];

test.each(UPDATED.flatMap((resource) => ['EN', 'DE'].map((language) => [resource, language] as const)))(
  'the saved list of %s in %s, as the input of an update, changes nothing',
  async (resource, language) => {
    const list = LISTS.find(([group, verb]) => group === resource && verb === 'list') ?? [];
    const file = join(converted, `${fileOf(list, language)}.xlsx`);
    const { code, stdout, stderr } = await edu(resource, 'update', '--from', file, '--language', language, '--dry-run');
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringMatching(/Plan for (\d+) rows: \1 unchanged\./)]);
  },
);
