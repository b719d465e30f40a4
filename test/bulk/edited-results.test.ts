/** Results files that people have edited, as input of the create that wrote them. */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settleAtOnce } from '../support/skip-waits.js';
import { offline } from './on-the-bundled-service.js';

settleAtOnce();

interface Kind {
  readonly group: string;
  readonly flags: readonly string[];
  /** The column that the tests edit, the values of two rows, and another one. */
  readonly column: string;
  readonly values: readonly [string, string, string];
  readonly list: readonly string[];
  readonly shown: string;
}

const KINDS: readonly Kind[] = [
  {
    group: 'licenses',
    flags: ['--type', 'Teacher', '--maximum-activations', '1'],
    column: 'name',
    values: ['Ash', 'Oak', 'Elm'],
    list: ['licenses', 'list', '--type', 'TEACHER'],
    shown: 'name',
  },
  {
    group: 'classes',
    flags: ['--school', 's1', '--subject', '0001'],
    column: 'name',
    values: ['Ash', 'Oak', 'Elm'],
    list: ['classes', 'list', '--school', 's1'],
    shown: 'className',
  },
  {
    group: 'subscriptions',
    flags: ['--expiration-date', '2031-07-31'],
    column: 'maximum-activations',
    values: ['701', '702', '703'],
    list: ['subscriptions', 'list'],
    shown: 'maximumActivations',
  },
];

function machine({ group, flags, column, list, shown }: Kind, more: Readonly<Record<string, string>> = {}) {
  const one = offline(more);
  const { edu, json, path } = one;
  const results = path('results.csv');
  return {
    ...one,
    /** Creates from a file, and returns its results file. */
    async create(text: string, ...more: readonly string[]) {
      writeFileSync(results, '');
      const ran = await edu([group, 'create', ...flags, '--from', '-', '--results', results, ...more], text);
      return { ...ran, text: readFileSync(results, 'utf8') };
    },
    plain: (...values: readonly string[]): string => `${column}\n${values.join('\n')}\n`,
    /** The value of each item, by its ID. */
    async items(): Promise<ReadonlyMap<string, string>> {
      const found: readonly Record<string, unknown>[] = await json(...list);
      return new Map(found.map((item) => [String(item.id ?? item.classId), String(item[shown])]));
    },
  };
}

const tableOf = (text: string): readonly string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
const textOf = (table: readonly (readonly string[])[]): string => table.map((line) => `${line.join(',')}\n`).join('');
const cellsOf = (text: string, name: string): readonly string[] => {
  const [header = [], ...rows] = tableOf(text);
  return rows.map((row) => row[header.indexOf(name)] ?? '');
};

describe.each(KINDS)('an edited results file of $group create', (kind) => {
  const [first, second, other] = kind.values;

  test('with a copied line is refused, and creates the row once its cells are empty', async () => {
    const { create, plain, items } = machine(kind);
    const made = await create(plain(first, second));
    const [header = [], ash = [], oak = []] = tableOf(made.text);
    const copied = textOf([header, ash, oak, [other, ...oak.slice(1)]]);
    const refused = await create(copied);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/line 4.*has the edu_id ".+" of line 3/s);
    const mended = textOf([header, ash, oak, [other, '3', ...oak.slice(2).map(() => '')]]);
    const ran = await create(mended);
    expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([0, ['exists', 'exists', 'created']]);
    const values = [...(await items()).values()];
    for (const value of kind.values) expect(values.filter((one) => one === value)).toHaveLength(1);
  });

  test('with a changed row is a conflict that no later file inherits', async () => {
    const { create, plain, items } = machine(kind);
    const made = await create(plain(first, second));
    const changed = made.text.replace(`\n${second},`, `\n${other},`);
    const planned = await create(changed, '--dry-run');
    expect(planned.stderr).toContain('1 in conflict with existing items');
    const ran = await create(changed);
    expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([3, ['exists', 'conflict']]);
    expect(ran.stderr).toMatch(new RegExp(`with other values: .*${second}.*not.*${other}`));
    const again = await create(plain(other));
    expect([again.code, cellsOf(again.text, 'edu_status')]).toEqual([0, ['created']]);
    expect((await items()).get(cellsOf(again.text, 'edu_id')[0] ?? '')).toBe(other);
  });

  test('with a status or an ID only is checked, too', async () => {
    const { create, plain } = machine(kind);
    const made = await create(plain(first));
    const id = cellsOf(made.text, 'edu_id')[0] ?? '';
    const ran = await create(`${kind.column},edu_id\n${other},${id}\n`);
    expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([3, ['conflict']]);
    const same = await create(`${kind.column},edu_id\n${first},${id}\n`);
    expect([same.code, cellsOf(same.text, 'edu_status'), cellsOf(same.text, 'edu_id')]).toEqual([0, ['exists'], [id]]);
  });

  if (kind.group !== 'subscriptions')
    test('creates a deleted item again, and says so', async () => {
      const { create, plain, edu } = machine(kind);
      const made = await create(plain(first, second));
      const [id = ''] = cellsOf(made.text, 'edu_id');
      expect((await edu([kind.group, 'delete', id, '--yes'])).code).toBe(0);
      const ran = await create(made.text);
      expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([0, ['created', 'exists']]);
      expect(ran.stderr).toContain('The item of 1 row had been deleted and created again.');
      expect(cellsOf(ran.text, 'edu_id')[0]).not.toBe(id);
    });

  test.each([
    ['as it is', (text: string) => text],
    [
      'without its codes',
      (text: string) => cellsOf(text, 'edu_code').reduce((all, code) => all.replace(code, ''), text),
    ],
  ])('from another machine, %s, is believed where the service shows the same', async (_, edited) => {
    const one = machine(kind);
    const made = await one.create(one.plain(first, second));
    expect((await one.edu(['jobs', 'remove', cellsOf(await jobsOf(one), 'id')[0] ?? '', '--forget'])).code).toBe(0);
    const ran = await machine(kind, { EDU_STATE_DIR: one.env.EDU_STATE_DIR }).create(edited(made.text));
    expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([0, ['exists', 'exists']]);
    expect(cellsOf(ran.text, 'edu_id')).toEqual(cellsOf(made.text, 'edu_id'));
  });
});

test('a claim that nothing can decide is a conflict', async () => {
  const [, , subscriptions] = KINDS as readonly [Kind, Kind, Kind];
  const { create, edu } = machine(subscriptions);
  const claimed = await create('maximum-activations,edu_status\n701,created\n');
  const problem = 'edu_status says that it was created, without an edu_id. Empty its edu_ cells to create it.';
  expect([claimed.code, claimed.text]).toEqual([3, expect.stringContaining(problem)]);
  const hidden = 'first-name,last-name,email,edu_id\nA,B,a@b.example,E1\n';
  const ran = await edu(['end-users', 'create', '--from', '-'], hidden);
  expect([ran.code, ran.stderr]).toEqual([
    3,
    expect.stringContaining('cannot check edu_id E1: the service does not show'),
  ]);
});

const jobsOf = async ({ edu }: ReturnType<typeof machine>): Promise<string> =>
  (await edu(['jobs', 'list', '-o', 'csv'])).stdout;

test('a licence code of a file does not stand for another row', async () => {
  const [kind] = KINDS as readonly [Kind];
  const { create, plain } = machine(kind);
  const made = await create(plain('Ash', 'Oak'));
  const codes = cellsOf(made.text, 'edu_code');
  const ran = await create(`name,edu_code\nAsh,${codes[1]}\n`);
  expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([0, ['exists']]);
  expect(cellsOf(ran.text, 'edu_id')).toEqual([cellsOf(made.text, 'edu_id')[0]]);
  const other = await create(`name,edu_code\nElm,${codes[1]}\n`);
  expect([other.code, cellsOf(other.text, 'edu_status')]).toEqual([3, ['conflict']]);
});

test.each([
  { kind: KINDS[0] as Kind, input: 'name\n701\n701\n' },
  { kind: KINDS[0] as Kind, input: 'name,count\n701,2\n' },
  { kind: KINDS[2] as Kind, input: 'maximum-activations\n701\n701\n' },
])('an added row of $kind.group equal to others has none of their IDs: $input', async ({ kind, input }) => {
  const { create, items } = machine(kind);
  const value = '701';
  const made = await create(input);
  const [header = [], one = [], two = []] = tableOf(made.text);
  const added = one.map((cell, at) => (header[at]?.startsWith('edu_') ? '' : cell));
  const replaced = await create(textOf([header, two, added]));
  expect(cellsOf(replaced.text, 'edu_id')).toEqual([two, one].map((row) => row[header.indexOf('edu_id')]));
  const ran = await create(textOf([header, added, one, two]));
  expect([ran.code, cellsOf(ran.text, 'edu_status')]).toEqual([0, ['created', 'exists', 'exists']]);
  expect([...(await items()).values()].filter((shown) => shown === value)).toHaveLength(3);
});

/** An edit of a table with a header: what people do with a file in a spreadsheet. */
type Edit = (rows: string[][], header: readonly string[]) => void;

const at = fc.nat({ max: 9 });
const edits: fc.Arbitrary<Edit> = fc.oneof(
  at.map(
    (from): Edit =>
      (rows) =>
        void rows.push([...(rows[from % rows.length] ?? [])]),
  ),
  fc.tuple(at, at).map(
    ([place, value]): Edit =>
      (rows) => {
        const row = rows[place % rows.length];
        if (row !== undefined) row[0] = String(701 + (value % 5));
      },
  ),
  fc.tuple(at, fc.subarray(['edu_id', 'edu_status', 'edu_code', 'edu_equal'], { minLength: 1 })).map(
    ([place, names]): Edit =>
      (rows, header) => {
        const row = rows[place % rows.length];
        for (const name of names) if (row !== undefined && header.includes(name)) row[header.indexOf(name)] = '';
      },
  ),
  fc.tuple(at, at).map(
    ([a, b]): Edit =>
      (rows) => {
        const [one, two] = [rows[a % rows.length], rows[b % rows.length]];
        if (one !== undefined && two !== undefined) [one[0], two[0]] = [two[0] ?? '', one[0] ?? ''];
      },
  ),
  at.map(
    (place): Edit =>
      (rows) =>
        void rows.push(...rows.splice(0, place % rows.length)),
  ),
);

test('no edit of a results file gives a row the ID of another thing', async () => {
  const kinds = fc.constantFrom(...KINDS.map((kind) => ({ ...kind, values: ['701', '702', '703'] as const })));
  await fc.assert(
    fc.asyncProperty(kinds, fc.array(edits, { minLength: 1, maxLength: 5 }), async (kind, all) => {
      const { create, plain, items } = machine(kind);
      const isDistinct = kind.group === 'classes';
      const made = await create(plain('701', '702', ...(isDistinct ? ['704'] : ['702'])));
      const [header = [], ...rows] = tableOf(made.text).map((row) => [...row]);
      for (const edit of all) edit(rows, header);
      const edited = textOf([header, ...rows]);
      const ran = await create(edited);
      const after = await create(plain(...rows.map(([value = '']) => value)));
      const shown = await items();
      for (const { text } of [ran, after]) {
        const ids = cellsOf(text, 'edu_id');
        const states = cellsOf(text, 'edu_status');
        const values = cellsOf(text, kind.column);
        const given = ids.filter((id) => id !== '');
        expect(new Set(given).size, `one ID in two rows of\n${edited}\n${text}`).toBe(given.length);
        for (const [row, id] of ids.entries())
          if (['created', 'exists'].includes(states[row] ?? ''))
            expect(shown.get(id), `row ${row + 1} of\n${edited}\n${text}`).toBe(values[row]);
      }
    }),
    { numRuns: 8 },
  );
}, 60_000);
