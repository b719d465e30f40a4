/** A column `count` in a create: a row creates so many equal items. */
import { expect, test } from 'vitest';
import { offline } from '../support/offline.js';

const TEACHER = ['--type', 'Teacher', '--maximum-activations', '1'];

function world() {
  const { edu, write } = offline();
  const create = (text: string, ...flags: readonly string[]) =>
    edu('licenses', 'create', '--from', write('prices.csv', text), ...TEACHER, ...flags);
  return { edu, create };
}

const PRICES = 'Titel;Anzahl\nAlgebra;3\nBiology;0\nChemistry;"1"\n';
const MAP = ['--map', 'Titel=name', '--map', 'Anzahl=count'];

test('a price list creates so many licences of each row, with name and code in a line each', async () => {
  const { create } = world();
  expect((await create(PRICES)).stderr).toContain('there is no column "Anzahl". Add --map Anzahl=count');
  const made = await create(PRICES, ...MAP, '--results', '-');
  expect(made.stderr).toMatch(/^Warning: 1 row with the count 0 creates nothing\.\nJob \w+, 4 rows: 4 created;/);
  const lines = made.stdout.trim().split('\n');
  expect(lines[0]).toBe('Titel,Anzahl,edu_row,edu_status,edu_id,edu_code,edu_error,edu_equal');
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'Algebra,1,1,created',
    'Algebra,1,2,created',
    'Algebra,1,3,created',
    'Chemistry,1,4,created',
  ]);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[5])).size).toBe(4);
  // The results are read again, and create nothing.
  expect((await create(made.stdout, ...MAP)).stderr).toContain('Nothing to do: 4 of 4 rows were done before.');
});

test('a count is so many equal rows: a higher one creates what is missing, in any form of the file', async () => {
  const { create } = world();
  expect((await create('name,count\nAlgebra,2\n')).stderr).toContain('2 rows: 2 created');
  expect((await create('name,count\nAlgebra,2\n')).stderr).toContain('Nothing to do: 2 of 2 rows were done before.');
  expect((await create('name,count\nAlgebra,3\n')).stderr).toContain('3 rows: 1 created, 2 existed already');
  expect((await create('name\nAlgebra\nAlgebra\nAlgebra\nAlgebra\n')).stderr).toContain('4 rows: 1 created, 3 existed');
  expect((await create('[{"name":"Algebra","count":4},{"name":"Biology","count":1}]')).stderr).toContain(
    '5 rows: 1 created, 4 existed already',
  );
});

test('a count that is no whole number is an error of its cell', async () => {
  const { create } = world();
  const { code, stderr } = await create('name,count\nA,x\nB,\nC,-1\nD,1.5\nE,1e3\nF,"1.000.001"\n');
  expect(code).toBe(2);
  const wrong = [...stderr.matchAll(/- line (\d), column 2 "count": (.*)/g)].map(([, line, why]) => `${line} ${why}`);
  expect(wrong).toEqual([
    '2 must be a whole number from 0 to 1000000, not "x"',
    '3 is blank; write 0 for a row that creates nothing',
    '4 must be a whole number from 0 to 1000000, not "-1"',
    '5 must be a whole number from 0 to 1000000, not "1.5"',
    '6 must be a whole number from 0 to 1000000, not "1e3"',
    '7 must be a whole number from 0 to 1000000, not "1000001"',
  ]);
});

test('a row that cannot be read is an error although its count is 0', async () => {
  const { code, stderr } = await world().create('name,count\nA,1\nKlasse 5,0,20\n');
  expect([code, stderr]).toEqual([2, expect.stringContaining('line 3: has 3 cells, but the header has 2 columns')]);
});

test.each([
  ['with a wrong count', 'name,count\nA,2\nB,x\nC,2\n'],
  ['that cannot be read', '{"name":"A","count":2}\n{"name":"B","count":5\n{"name":"C","count":2}\n'],
])('a row %s is one that --skip-invalid skips, and the others are numbered by their counts', async (_, text) => {
  const made = await world().create(text, '--skip-invalid', '--results', '-');
  expect(made.code).toBe(3);
  expect([...made.stdout.matchAll(/^([AC]),1,.*?(\d+),created/gm)].map(([, name, row]) => `${name}${row}`)).toEqual([
    'A1',
    'A2',
    'C4',
    'C5',
  ]);
  expect(made.stdout).toMatch(/,3,invalid/);
});

test('a code and a count above 1 exclude each other', async () => {
  const { create } = world();
  const { code, stderr } = await create('name,count,code\nA,2,mine\nB,1,yours\n');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('line 2: has the count 2, but only one item can have the code "mine"'),
  ]);
});
