/** Spreadsheets of several programs are read the same, and alike by bulk jobs, plans, rosters and sync. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFile } from '../../src/core/table/open-table.js';
import { type Ran, run, sharedFolder } from '../support/run.js';
import { convert, type OfficeBook, withGnumeric, withHucre, withLibreOffice, withWriteExcelFile } from './programs.js';

const folder = sharedFolder();

const at = (name: string): string => join(folder, name);
const env = { EDU_CONFIG_DIR: at('config'), EDU_STATE_DIR: at('state'), EDU_OFFLINE: '1' };
const edu = (...argv: readonly string[]): Promise<Ran> => run(argv, { env, randomBytes });

const HEADER = ['school', 'class', 'first-name', 'last-name', 'email', 'role', 'code', 'since', 'share'];
const NBSP = '\u00a0';

/** With a hidden row, a merged school, a blank row, a second sheet with notes, and a hidden one. */
const PEOPLE: OfficeBook = {
  sheets: [
    {
      name: 'Personen',
      rows: [
        HEADER,
        [
          's1',
          '7b',
          'Jürgen & <Söhne>',
          '007',
          'noor@new.example',
          'Teacher',
          { number: 123, format: 'code' },
          { day: '2031-07-31' },
          { number: 0.5, format: 'share' },
        ],
        [null, '7b', '=1+1', '12e5', 'mia@new.example', 'Teacher', '00456', null, null],
        [],
        ['s1', '5/6', `Zoë${NBSP} `, "O'Brien", 'tom@new.example', 'Teacher', null, null, null],
      ],
      hiddenRows: [1],
      merge: { row: 1, column: 0, rows: 2 },
    },
    { name: 'Notizen', rows: [['Stand'], ['August']] },
    { name: 'Alt', rows: [HEADER], isHidden: true },
  ],
};
const PEOPLE_ROWS = [
  ['s1', '7b', 'Jürgen & <Söhne>', '007', 'noor@new.example', 'Teacher', '00123', '2031-07-31', '50%'],
  ['s1', '7b', '=1+1', '12e5', 'mia@new.example', 'Teacher', '00456', undefined, undefined],
  ['s1', '5/6', 'Zoë', "O'Brien", 'tom@new.example', 'Teacher', undefined, undefined, undefined],
];

/** One person, with a cell in place of the address. */
const withAddress = (email: OfficeBook['sheets'][number]['rows'][number][number]): OfficeBook => ({
  sheets: [{ name: 'A', rows: [HEADER.slice(0, 6), ['s1', '7b', 'Mia', 'Berg', email, 'Teacher']] }],
});

const DATES: OfficeBook = {
  is1904: true,
  sheets: [
    {
      name: 'A',
      rows: [
        ['name', 'until'],
        ['Mac', { day: '2031-07-31' }],
        ['Leap', { day: '2032-02-29' }],
      ],
    },
  ],
};

const LATIN: OfficeBook = {
  sheets: [
    {
      name: 'A',
      rows: [
        HEADER.slice(0, 6),
        ['s1', '7b', 'Zoë', 'Größe', 'zoe@new.example', 'Teacher'],
        ['s1', '7b', 'Ann', 'Lee', 'ann@new.example', 'Teacher'],
      ],
    },
  ],
};

const BOOKS = {
  people: PEOPLE,
  error: withAddress({ error: true }),
  date: withAddress({ day: '2031-05-06' }),
  dates: DATES,
};

/** Files of the corpus by program, without the ending. */
const PROGRAMS = {
  people: ['libreoffice', 'gnumeric', 'hucre', 'hucre-inline', 'write-excel-file'],
  error: ['libreoffice', 'gnumeric', 'hucre'],
  date: ['libreoffice', 'gnumeric', 'hucre', 'write-excel-file'],
  dates: ['libreoffice', 'gnumeric', 'hucre'],
} as const;

beforeAll(async () => {
  withLibreOffice(
    folder,
    Object.fromEntries(Object.entries(BOOKS).map(([name, book]) => [`${name}-libreoffice`, book])),
  );
  // 59: semicolon, 34: quotes, 1: windows-1252.
  withLibreOffice(folder, { 'latin-libreoffice': LATIN }, 'csv:Text - txt - csv (StarCalc):59,34,1');
  for (const [name, book] of Object.entries(BOOKS)) {
    withGnumeric(at(`${name}-libreoffice.xlsx`), at(`${name}-gnumeric.xlsx`));
    await withHucre(at(`${name}-hucre.xlsx`), book, 'shared');
    await withHucre(at(`${name}-hucre-inline.xlsx`), book, 'inline');
    await withWriteExcelFile(at(`${name}-write-excel-file.xlsx`), book);
  }
});

async function rowsOf(file: string, sheet?: string) {
  const { columns, batches } = await openFile(file, { name: file, reading: sheet === undefined ? {} : { sheet } });
  const rows: (readonly unknown[])[] = [];
  for await (const batch of batches) {
    expect(batch.problems).toEqual([]);
    for (const { cells } of batch.rows) rows.push(columns.map((_, place) => cells[place]));
  }
  return { columns, rows };
}

/** The four readers of a table of people: a command line, and whether it shows names or addresses only. */
const READERS: Readonly<Record<string, (file: string, flags: readonly string[]) => Promise<Ran>>> = {
  bulk: (file, flags) =>
    edu(
      'users',
      'create',
      '--from',
      file,
      '--ignore-unknown',
      '--organization',
      's1',
      '--organization-type',
      'School',
      '--dry-run',
      '-o',
      'ndjson',
      ...flags,
    ),
  plan: (file, flags) => {
    mkdirSync(at('want'), { recursive: true });
    const want = at(`want/users${/\.\w+$/.exec(file)?.[0]}`);
    copyFileSync(file, want);
    return edu(
      'plan',
      want,
      '--map',
      'school=organization',
      '--map',
      'role=roles',
      '--ignore-unknown',
      '-o',
      'ndjson',
      ...flags,
    );
  },
  roster: (file, flags) =>
    edu('roster', 'plan', file, '--default-subject', 'Mathematics', '--leavers', 'keep', '-o', 'ndjson', ...flags),
  sync: (file, flags) => edu('classes', 'sync', 'c1', '--from', file, '--dry-run', '-o', 'ndjson', ...flags),
};

/** The people that a reader shows: the names of those it would create, or the addresses that it does not know. */
const shown = (reader: string, { stdout }: Ran): readonly string[] => {
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const names = records
    .flatMap(({ body, after }) => body ?? after ?? [])
    .flatMap((one) => (one.email === undefined ? [] : [`${one.firstName}|${one.lastName}|${one.email}`]));
  return (reader === 'sync' ? records.flatMap(({ key }) => /\S+@\S+/.exec(key ?? '')?.[0] ?? []) : names).sort();
};

describe('a list of people', () => {
  test.each(PROGRAMS.people)('of %s has the rows as they are shown', async (program) => {
    expect(await rowsOf(at(`people-${program}.xlsx`), 'Personen')).toEqual({ columns: HEADER, rows: PEOPLE_ROWS });
  });

  test.each(PROGRAMS.people.flatMap((program) => Object.keys(READERS).map((reader) => [program, reader] as const)))(
    'of %s is read by %s',
    async (program, reader) => {
      const ran = await READERS[reader]?.(at(`people-${program}.xlsx`), ['--sheet', 'Personen']);
      const people = [
        'Jürgen & <Söhne>|007|noor@new.example',
        '=1+1|12e5|mia@new.example',
        "Zoë|O'Brien|tom@new.example",
      ];
      const expected = reader === 'sync' ? people.map((one) => one.split('|')[2]) : people;
      expect(ran && shown(reader, ran), ran?.stderr).toEqual(expected.sort());
    },
  );

  test.each(Object.keys(READERS))('of several sheets needs --sheet: %s', async (reader) => {
    const ran = await READERS[reader]?.(at('people-libreoffice.xlsx'), []);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 sheets with cells: \\?"Personen\\?", \\?"Notizen/),
    });
  });
});

describe('a damaged cell', () => {
  /** Each program with one reader, and the first with all. */
  const withOneReader = ([first, ...others]: readonly string[]) => [
    ...Object.keys(READERS).map((reader) => [first, reader] as const),
    ...others.map((program) => [program, 'bulk'] as const),
  ];

  test.each(withOneReader(PROGRAMS.error))('of %s, an error value, is refused by %s', async (program, reader) => {
    const ran = await READERS[reader]?.(at(`error-${program}.xlsx`), []);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/E2.*#N\/A/) });
  });

  test.each(withOneReader(PROGRAMS.date))('of %s, a date for an address, is refused by %s', async (program, reader) => {
    const ran = await READERS[reader]?.(at(`date-${program}.xlsx`), []);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/E2.*is a date \(2031-05-06\)/) });
  });
});

test.each(PROGRAMS.dates)('the dates from 1904 of %s are the days that it shows', async (program) => {
  const file = at(`dates-${program}.xlsx`);
  expect((await rowsOf(file)).rows).toEqual([
    ['Mac', '2031-07-31'],
    ['Leap', '2032-02-29'],
  ]);
  const create = ['licenses', 'create', '--type', 'Books', '--book', 'B1', '--maximum-activations', '1'];
  const { stdout } = await edu(...create, '--from', file, '--dry-run', '-o', 'ndjson');
  const dates = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).body.expiration.date);
  expect(dates).toEqual(['2031-07-31', '2032-02-29']);
});

describe('a CSV', () => {
  test.each(Object.keys(READERS))(
    'of LibreOffice in windows-1252, with surplus blank cells as of Excel, is read by %s',
    async (reader) => {
      const file = at('latin-libreoffice.csv');
      const bytes = readFileSync(file);
      expect(bytes.toString('latin1').split('\n')[1]).toBe('s1;7b;Zoë;Größe;zoe@new.example;Teacher');
      writeFileSync(at('latin.csv'), Buffer.from(bytes.toString('latin1').replace(/(zoe@.*)/, '$1;;;'), 'latin1'));
      const ran = await READERS[reader]?.(at('latin.csv'), ['--encoding', 'windows-1252']);
      const people = ['Zoë|Größe|zoe@new.example', 'Ann|Lee|ann@new.example'];
      const expected = reader === 'sync' ? people.map((one) => one.split('|')[2]) : people;
      expect(ran && shown(reader, ran), ran?.stderr).toEqual(expected.sort());
    },
  );
});

describe('a list of edu', () => {
  test('that LibreOffice and Gnumeric saved goes back into update, and only what was edited changes', async () => {
    const own = at('own.xlsx');
    expect((await edu('users', 'list', '--organization', 's1', '--to', own)).code).toBe(0);
    const { columns, rows } = await rowsOf(own);
    convert(folder, 'fods', [own]);
    const [first] = rows;
    const name = `${first?.[columns.indexOf('lastName')]}`;
    const flat = readFileSync(at('own.fods'), 'utf8');
    expect(flat).toContain(`<text:p>${name}</text:p>`);
    writeFileSync(at('edited.fods'), flat.replace(`<text:p>${name}</text:p>`, '<text:p>Neu</text:p>'));
    convert(folder, 'xlsx', [at('edited.fods')]);
    withGnumeric(at('edited.xlsx'), at('edited-gnumeric.xlsx'));
    for (const file of ['edited.xlsx', 'edited-gnumeric.xlsx']) {
      const back = await rowsOf(at(file));
      expect(back.columns).toEqual(columns);
      expect(back.rows.slice(1)).toEqual(rows.slice(1));
      expect(back.rows[0]?.[columns.indexOf('lastName')]).toBe('Neu');
      const ran = await edu('users', 'update', '--from', at(file), '--ignore-unknown', '--dry-run', '-o', 'ndjson');
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout).toContain('"lastName":"Neu"');
    }
  });
});
