/** Files from spreadsheets and other systems, read by the program: columns, forms of cells, workbooks. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.js';
import { styled, workbookOf } from '../support/workbook.js';
import { offline } from './on-the-bundled-service.js';

const HEADER = ['Bezeichnung', 'Gültig bis', 'Anzahl', 'Buch', 'Notiz'];
const CREATE = ['licenses', 'create', '--type', 'Books', '--json'];
const MAPPED = [
  ...['--map', 'Bezeichnung=name', '--map', 'gültig bis =until', '--map', 'Anzahl=maximumActivations'],
  ...['--map', 'Buch=book', '--ignore', 'Notiz', '--date-format', 'dd.MM.yyyy'],
];
const CSV = `\ufeff${HEADER.join(';')}\r\nHerbst;31.07.2031;1.000;9783100000019;"a;b"\r\nWinter;31.12.2031;20;B2;\r\n`;
const ENGLISH = 'name,until,maximum-activations,book\nHerbst,2031-07-31,1000,B1\nWinter,2031-12-31,20,B2\n';

const WORKBOOK = workbookOf({
  formats: [14, '#,##0'],
  sheets: [
    { name: 'Anleitung', rows: [['Bitte ausfüllen']] },
    {
      name: 'Lizenzen',
      rows: [
        HEADER,
        ['Herbst', styled(48060, 1), styled(1000, 2), 9783100000019, 'x'],
        ['Winter', '31.12.2031', 20, 'B2', null],
      ],
    },
  ],
});

describe('the same rows', () => {
  test('are the same job in a German export, in a workbook and with other headers', async () => {
    const { edu, write } = offline();
    const first = await edu([...CREATE, ...MAPPED, '--from', write('export.csv', CSV)]);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ created: 2 });
    for (const [name, content, flags] of [
      ['list.csv', ENGLISH, []],
      ['list.xlsx', WORKBOOK, [...MAPPED, '--sheet', 'Lizenzen']],
      // The content decides, not the file name.
      ['list.txt', WORKBOOK, [...MAPPED, '--sheet', 'lizenzen']],
    ] as const) {
      const again = await edu([...CREATE, ...flags, '--from', write(name, content)]);
      expect(again, again.stderr).toMatchObject({ code: 0 });
      const query = "[?name=='Herbst' || name=='Winter'].maximumActivations";
      const { stdout } = await edu(['licenses', 'list', '--json', '--query', query]);
      expect(JSON.parse(stdout), name).toEqual([1000, 20]);
    }
  });

  test('come from a workbook in a pipe, of which the job keeps only the rows', async () => {
    const { env } = offline();
    const input = Readable.from([WORKBOOK.subarray(0, 5), WORKBOOK.subarray(5)]);
    const line = [...CREATE, ...MAPPED, '--sheet', 'Lizenzen', '--from', '-'];
    const { code, stderr } = await run(line, { env, input, randomBytes });
    expect(code, stderr).toBe(0);
    const names = readdirSync(join(env.EDU_STATE_DIR, 'jobs'), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /workbook|input$/.test(name))).toEqual([expect.stringMatching(/input$/)]);
  });

  test('may have members of any form that are not read', async () => {
    const { edu, write } = offline();
    const row = { name: 'A', type: 'Teacher', maximumActivations: 1, log: [{ at: 'x' }], serial: 1e20 };
    const create = ['licenses', 'create', '--json', '--dry-run', '--from', write('a.json', JSON.stringify([row]))];
    for (const flags of [['--ignore-unknown'], ['--ignore', 'log', '--ignore', 'serial']]) {
      const plan = await edu([...create, ...flags]);
      expect(plan, plan.stderr).toMatchObject({ code: 0 });
    }
  });

  test('may lack edu_ columns that --ignore names, as a results file that was cut', async () => {
    const { edu, write } = offline();
    const from = write('list.csv', 'name,country\nA,NL\n');
    const create = ['schools', 'create', '--city', 'Delft', '--from', from, '--dry-run'];
    expect((await edu([...create, '--ignore', 'edu_error'])).code).toBe(0);
  });

  test('are read again with other flags', async () => {
    const { edu, write } = offline();
    const from = write('list.csv', 'name,Ort,Stadt\nA,Delft,Gouda\n');
    const create = ['schools', 'create', '--country', 'NL', '--from', from, '--json'];
    expect((await edu([...create, '--map', 'Ort=city', '--ignore-unknown'])).code).toBe(0);
    const other = await edu([...create, '--map', 'Stadt=city', '--ignore-unknown', '--batch', 'b']);
    expect(JSON.parse(other.stdout)).toMatchObject({ created: 0, conflict: 1 });
  });
});

describe('problems are reported with the flag to add', () => {
  test('for usual headers, and for dates', async () => {
    const { edu, write } = offline();
    const from = write('people.csv', 'givenName,Nachname,E-Mail,Straße\nAda,Byron,ada@x.example,Weg 1\n');
    const refused = await edu(['users', 'create', '--from', from]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('there is no column "givenName". Add --map givenName=first-name\n');
    expect(refused.stderr).toContain('there is no column "Nachname". Add --map Nachname=last-name\n');
    expect(refused.stderr).toContain("add --ignore 'Straße'\n");
    const flags = ['--map', 'givenName=first-name', '--map', 'Nachname=last-name', '--ignore', 'Straße'];
    const done = await edu(['users', 'create', '--from', from, ...flags]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const dates = await edu([...CREATE, '--from', write('a.csv', 'name,until,book\nA,1.8.2031,B1\n')]);
    expect(dates.stderr).toContain('Add --date-format dd.MM.yyyy');
    const wrong = write('b.csv', 'name,until,book\nA,30.2.2031,B1\n');
    const { stderr } = await edu([...CREATE, '--from', wrong, '--date-format', 'dd.MM.yyyy']);
    expect(stderr).toContain('not \\"30.2.2031\\" (--date-format dd.MM.yyyy)');
  });

  test.each([
    [['--map', 'Ort'], '--map "Ort" must be HEADER=COLUMN'],
    [['--map', 'Ort=town'], '--map "Ort=town": there is no column "town".'],
    [['--map', 'Ort=city', '--map', 'Stadt=city'], '--map fills city twice: from "Ort" and "Stadt".'],
    [['--map', 'Ort=city', '--map', 'ort=name'], '--map reads the column "ort" twice.'],
    [['--map', 'Ort=city', '--ignore', 'ORT'], '--ignore leaves out the column "Ort", which --map reads.'],
    [['--map', 'Dorf=city'], 'there is no column "Dorf", which --map names'],
    [['--ignore', 'Contry'], 'there is no column "Contry", which --ignore names. Did you mean country?'],
    [['--date-format', 'dd.MM'], '--date-format "dd.MM" must contain a year, a month and a day.'],
    [['--sheet', 'A'], 'is not an Excel workbook, so it has no sheets.'],
  ])('for invalid flags: %j', async (flags, message) => {
    const { edu, write } = offline();
    const from = write('list.csv', 'name,country\nA,NL\n');
    const refused = await edu(['schools', 'create', '--city', 'Delft', '--from', from, ...flags]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
  });
});

test('does not read a number with three decimals as thousands', async () => {
  const { edu, write } = offline();
  const rows = [
    ['name', 'maximum-activations'],
    ['A', 30.125],
    ['B', '1.000'],
    ['C', 1000],
  ];
  const book = workbookOf({ sheets: [{ name: 'A', rows, merges: ['B2:B3'] }] });
  const json = JSON.stringify(rows.slice(1).map(([name, maximumActivations]) => ({ name, maximumActivations })));
  for (const from of [write('a.xlsx', book), write('a.json', json)]) {
    const { code, stderr } = await edu(['licenses', 'create', '--type', 'Teacher', '--from', from]);
    expect(code).toBe(2);
    expect(stderr).toContain('must be a whole number, not "30.125"');
    expect(stderr).not.toContain('1.000');
  }
});

test('writes failed rows of a workbook as CSV that the same flags can read', async () => {
  const { edu, write, path } = offline();
  const rows = [
    ['Name der Lizenz', 'Lizenzcode'],
    ['A', 'welcome1'],
  ];
  const from = write('list.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }));
  const line = 'licenses create --type Teacher --maximum-activations 7'.split(' ');
  const flags = [...line, '--map', 'Name der Lizenz=name', '--map', 'Lizenzcode=code', '--from'];
  const ran = await edu([...flags, from, '--failed', path('failed.csv')]);
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('1 of 1 row failed.')]);
  expect(readFileSync(path('failed.csv'), 'utf8')).toMatch(
    /^Name der Lizenz,Lizenzcode,edu_row,.*\nA,welcome1,1,conflict/,
  );
  const again = await edu([...flags, path('failed.csv'), '--dry-run']);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('1 of 1 row would fail.')]);
});

test('a date that is not formatted as one is named as the day that it is, and hidden rows are counted', async () => {
  const { edu, write } = offline();
  const rows = [
    ['name', 'until'],
    ['A', 46234],
    ['B', '2030-01-01'],
  ] as const;
  const from = write('list.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }));
  const { code, stderr } = await edu([...CREATE, '--from', from]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('In a spreadsheet 46234 is 2026-07-31: format the column as a date'),
  ]);
  const names = [['name'], ['A'], ['B'], ['C']];
  const filtered = write('filtered.xlsx', workbookOf({ sheets: [{ name: 'A', rows: names, hidden: [2, 4] }] }));
  const planned = await edu(['publishers', 'create', '--from', filtered, '--dry-run']);
  expect(planned.stderr).toContain('2 rows of the sheet are hidden and are read too.');
  const single = write('single.xlsx', workbookOf({ sheets: [{ name: 'A', rows: names, hidden: [2] }] }));
  const one = await edu(['publishers', 'create', '--from', single, '--dry-run']);
  expect(one.stderr).toContain('1 row of the sheet is hidden and is read too.');
  const some = await edu(['publishers', 'create', '--from', filtered, '--where', 'name=B', '--dry-run']);
  expect(some.stderr).not.toContain('hidden');
  const none = await edu(['publishers', 'create', '--from', filtered, '--where', 'name=Z', '--dry-run']);
  expect([none.code, none.stderr]).toEqual([0, expect.stringContaining('Warning: No row has name=Z.')]);
});
