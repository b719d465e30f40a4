/** Rows are identified by their values: whatever is done to the file, exactly the missing items are created. */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';

interface Resource {
  readonly header: string;
  /** The row with a number, from 1. */
  readonly row: (number: number) => string;
  readonly argv: readonly string[];
  /** The ledger is needed: the service does not return the items, or they have no key. */
  readonly needsLedger?: true;
}

const FOLDER = () => temporaryFolder();

const RESOURCES: Readonly<Record<string, Resource>> = {
  'licences without a code': {
    argv: ['licenses', 'create'],
    header: 'name,type,maximum-activations',
    row: (n) => `Autumn ${n},Teacher,${n}`,
  },
  'licences with a code': {
    argv: ['licenses', 'create'],
    header: 'name,type,maximum-activations,code',
    row: (n) => `Autumn ${n},Teacher,${n},autumn${n}`,
  },
  classes: {
    argv: ['classes', 'create'],
    header: 'school,subject,name',
    row: (n) => `s1,0001,Row ${n}`,
  },
  schools: { argv: ['schools', 'create'], header: 'name,country,city', row: (n) => `Row School ${n},NL,Delft` },
  users: {
    argv: ['users', 'create'],
    header: 'first-name,last-name,email',
    row: (n) => `Ann,Row${n},row${n}@rows.example`,
  },
  subscriptions: {
    argv: ['subscriptions', 'create'],
    header: 'maximum-activations,expiration-date',
    row: (n) => `${n},2031-07-31`,
    needsLedger: true,
  },
  readers: {
    argv: ['readers', 'create', '--content-language', 'EN'],
    header: 'title,subject,file-id',
    row: (n) => `Reader ${n},0001,FILE`,
    needsLedger: true,
  },
  'end users': {
    argv: ['end-users', 'create'],
    header: 'first-name,last-name,email',
    row: (n) => `Lea,Row${n},lea${n}@rows.example`,
    needsLedger: true,
  },
};

/** A file of rows in one of the forms in which people save it. */
interface Saved {
  readonly name: string;
  readonly text: string;
  readonly env?: Readonly<Record<string, string>>;
}

type Edit = (header: string, rows: readonly string[]) => Saved;
const csv = (header: string, rows: readonly string[], end = '\n'): string => [header, ...rows].join(end) + end;

const asJson = (header: string, rows: readonly string[]): string =>
  rows
    .map((row) => {
      const cells = row.split(',');
      return JSON.stringify(Object.fromEntries(header.split(',').map((name, place) => [name, cells[place]])));
    })
    .join('\n');

const EDITS: Readonly<Record<string, Edit>> = {
  'a row added': (header, rows) => ({ name: 'a.csv', text: csv(header, rows) }),
  'another order': (header, rows) => ({ name: 'a.csv', text: csv(header, [...rows].reverse()) }),
  CRLF: (header, rows) => ({ name: 'a.csv', text: csv(header, rows, '\r\n') }),
  'blank lines at the end': (header, rows) => ({ name: 'a.csv', text: `${csv(header, rows)}\n\n` }),
  'a byte order mark': (header, rows) => ({ name: 'a.csv', text: `\ufeff${csv(header, rows)}` }),
  'another format and name': (header, rows) => ({ name: 'b.ndjson', text: asJson(header, rows) }),
  'semicolons and another order of columns': (header, rows) => {
    const turned = (line: string): string => line.split(',').reverse().join(';');
    return { name: 'a.csv', text: csv(turned(header), rows.map(turned)) };
  },
  'another language': (header, rows) => ({ name: 'a.csv', text: csv(header, rows), env: { EDU_LANGUAGE: 'DE' } }),
};

async function machine(resource: Resource) {
  const env = { ...home(), EDU_OFFLINE: '1', EDU_CODE_SECRET: 'a secret of all machines' };
  const folder = FOLDER();
  const edu = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(argv, { env: { ...env, ...more }, randomBytes });
  writeFileSync(join(folder, 'a.pdf'), '%PDF-1.7\n');
  const upload = resource.header.includes('file-id')
    ? await edu(['files', 'upload', join(folder, 'a.pdf'), '-q'])
    : undefined;
  const rows = (numbers: readonly number[]): readonly string[] =>
    numbers.map((number) => resource.row(number).replace('FILE', upload?.stdout.trim() ?? ''));
  const create = async ({ name, text, env: more = {} }: Saved, ...flags: readonly string[]) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const ran = await edu([...resource.argv, '--from', file, '--json', ...flags], more);
    expect([ran.code, ran.stderr]).toEqual([0, expect.anything()]);
    return JSON.parse(ran.stdout);
  };
  return { env, rows, create, edu };
}

describe.each(Object.entries(RESOURCES))('%s', (_, resource) => {
  const { header } = resource;

  test('creates exactly the row that was added with each edit of the file', async () => {
    const { rows, create } = await machine(resource);
    const numbers = [1, 2, 3];
    expect(await create({ name: 'a.csv', text: csv(header, rows(numbers)) })).toMatchObject({ created: 3 });
    const first = { name: 'a.csv', text: csv(header, rows([...numbers, 4])) };
    const plan = { create: 1, exist: 3, conflict: 0, doubt: 0, fail: 0 };
    expect(await create(first, '--dry-run')).toMatchObject(plan);
    for (const [name, edit] of Object.entries(EDITS)) {
      const exists = numbers.length;
      numbers.push(exists + 1);
      const grown = edit(header, rows(numbers));
      expect(await create(grown), name).toMatchObject({ created: 1, exists, done: true });
    }
    const last = EDITS['another order']?.(header, rows(numbers)) ?? first;
    expect(await create(last)).toMatchObject({ created: 0, done: true });
    expect(await create(last)).toMatchObject({ rows: numbers.length, left: 0, done: true });
    expect(await create({ name: 'c.csv', text: csv(header, rows([4, 2])) })).toMatchObject({ created: 0, exists: 2 });
  });

  test('creates the same rows once more in another batch', async () => {
    if (/schools|classes/.test(resource.argv[0] ?? '') || /code|email/.test(header)) return;
    const { rows, create } = await machine(resource);
    const file = { name: 'a.csv', text: csv(header, rows([1, 2])) };
    expect(await create(file)).toMatchObject({ created: 2 });
    expect(await create(file, '--batch', 'second')).toMatchObject({ created: 2, exists: 0 });
    expect(await create(file, '--batch', 'second')).toMatchObject({ rows: 2, done: true });
    expect(await create({ ...file, text: csv(header, rows([2])) }, '--batch', 'second')).toMatchObject({ exists: 1 });
  });

  if (!resource.needsLedger)
    test('finds existing items when the job state is lost', async () => {
      const { rows, create, env } = await machine(resource);
      await create({ name: 'a.csv', text: csv(header, rows([1, 2, 3])) });
      rmSync(join(env.EDU_STATE_DIR, 'jobs'), { recursive: true });
      expect(await create({ name: 'a.csv', text: csv(header, rows([1, 2, 3, 4])) })).toMatchObject({
        created: 1,
        exists: 3,
      });
    });

  test('remembers created items when the job is removed', async () => {
    const { rows, create, edu } = await machine(resource);
    const file = { name: 'a.csv', text: csv(header, rows([1, 2])) };
    const { job } = await create(file);
    expect((await edu(['jobs', 'remove', job])).code).toBe(0);
    expect(await create(file)).toMatchObject({ created: 0, exists: 2 });
  });
});

test('creates no licence again when the input has the form of an API response', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const file = join(FOLDER(), 'a.ndjson');
  const create = async (row: object) => {
    writeFileSync(file, JSON.stringify({ name: 'A', type: 'Books', books: ['B1'], maximumActivations: 3, ...row }));
    return JSON.parse((await run(['licenses', 'create', '--from', file, '--json'], { env, randomBytes })).stdout);
  };
  expect(await create({ until: '2031-07-31' })).toMatchObject({ created: 1 });
  expect(await create({ expiration: { type: 'Date', days: null, date: '2031-07-31' } })).toMatchObject({
    rows: 1,
    left: 0,
  });
  expect(await create({ expiration: { type: 'Days', days: 365, date: null } })).toMatchObject({ created: 1 });
  expect(await create({ type: 'Teacher', books: null, expiration: null, organization: null })).toMatchObject({
    created: 1,
  });
});

test.each([
  ['a short secret', { EDU_CODE_SECRET: 'abc' }, ['--count', '2'], 'EDU_CODE_SECRET has 3 characters'],
  [
    'none in CI',
    { CI: 'true' },
    ['--count', '2'],
    'EDU_CODE_SECRET is not set: another machine derives other licence codes',
  ],
  ['a long one', { EDU_CODE_SECRET: 'abcdefghijklmnop', CI: 'true' }, ['--count', '2'], undefined],
  ['codes that are given', { EDU_CODE_SECRET: 'abc' }, ['--code', 'autumn7', '--count', '1'], undefined],
])('warns of a secret from which codes cannot be derived safely: %s', async (_, secret, flags, warning) => {
  const env = { ...home(), EDU_OFFLINE: '1', ...secret };
  const line = ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'];
  const { code, stderr } = await run([...line, ...flags], { env, randomBytes });
  expect(code, stderr).toBe(0);
  if (warning === undefined) expect(stderr).not.toContain('EDU_CODE_SECRET');
  else expect(stderr).toContain(warning);
});

test('--count 6 after --count 5 creates one more', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const line = ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1', '--json'];
  const make = async (count: string) =>
    JSON.parse((await run([...line, '--count', count], { env, randomBytes })).stdout);
  expect(await make('5')).toMatchObject({ created: 5 });
  expect(await make('6')).toMatchObject({ created: 1, exists: 5 });
  expect(await make('5')).toMatchObject({ rows: 5, done: true });
});

test('of two creates with equal rows that begin at the same time, at most one is refused', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const line = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--from', '-'];
  const edu = (names: string) => run(line, { env, input: `name\n${names}`, randomBytes });
  const ran = await Promise.all(['Ash\nOak\n', 'Ash\nOak\nElm\n'].map(edu));
  expect(
    ran.map(({ code }) => code),
    ran.map(({ stderr }) => stderr).join(),
  ).toContain(0);
});
