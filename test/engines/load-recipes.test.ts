/** Runs the recipes of docs/recipes/load.md, each load twice: the second time after licences were changed, added and removed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { home, temporaryFolder } from '../support/run.js';
import { duckdb } from './duckdb.js';
import { startPostgres } from './postgres.js';

const page = readFileSync('docs/recipes/load.md', 'utf8');
const [first = '', jq = '', sqlite = '', postgres = '', singer = ''] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);
const duck = /```sql\n(BEGIN[\s\S]*?)```/.exec(page)?.[1] ?? '';

/** A folder with an `edu` of the bundled service. @returns its path, and a function that runs blocks of the page in it */
function place(more: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const edu = join(folder, 'edu');
  writeFileSync(edu, `#!/usr/bin/env bash\nexec ${process.execPath} ${resolve('bin/edu.js')} "$@"\n`);
  chmodSync(edu, 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}`, ...home(), EDU_OFFLINE: '1', ...more };
  const run = (...blocks: readonly string[]): string =>
    execFileSync('bash', ['-eo', 'pipefail', '-c', blocks.join('\n')], { cwd: folder, env, encoding: 'utf8' });
  return { folder, run };
}

/** Changes one licence, removes another and adds a third. */
const CHANGES = `edu licenses update code:0012345 --name 'Zwölf' --license-category 01 --quiet
edu licenses create --code neu1 --name Neu --type Teacher --maximum-activations 5 --quiet
edu licenses delete $(edu licenses list --unused --query "[?code!='0012345']|[0].id" -o tsv) --yes`;

type Licence = {
  id: string;
  code: string;
  name: string;
  type: string;
  maximumActivations: number;
  books: readonly { readonly id: string }[];
};

const licencesIn = (folder: string): Licence[] =>
  readFileSync(join(folder, 'backup/licenses.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Licence);

/** What a table must hold: a line for each licence. */
const expected = (folder: string): string =>
  licencesIn(folder)
    .map(({ id, code, name, maximumActivations, books }) =>
      [id, code, name, maximumActivations, books.length].join('|'),
    )
    .join('\n');

describe('docs/recipes/load.md', () => {
  let server: ReturnType<typeof startPostgres>;
  beforeAll(() => {
    server = startPostgres();
  });
  afterAll(() => server.stop());

  it('loads with jq, and feeds a Singer target', () => {
    const { folder, run } = place();
    run(first, jq, singer);
    const licences = licencesIn(folder);
    const rows = licences.filter(({ type }) => type === 'Books');
    expect(readFileSync(join(folder, 'licenses.tsv'), 'utf8')).toBe(
      rows.map(({ id, code, maximumActivations }) => `${id}\t${code}\t${maximumActivations}\n`).join(''),
    );
    const [schema, record] = readFileSync(join(folder, 'licenses.singer'), 'utf8').split('\n');
    expect(JSON.parse(schema ?? '')).toMatchObject({ type: 'SCHEMA', schema: { $id: 'urn:edu:export:1:licenses' } });
    expect(JSON.parse(record ?? '').record).toEqual(licences[0]);
  });

  it('loads into SQLite every night', () => {
    const { folder, run } = place();
    const all =
      'sqlite3 content.db "SELECT id, code, name, maximumActivations, json_array_length(books) FROM licenses ORDER BY id"';
    for (const change of ['', CHANGES]) {
      run(change, first, sqlite);
      expect(run(all).trimEnd()).toBe(expected(folder));
    }
  });

  it('loads into PostgreSQL every night, with \\u0000 replaced', () => {
    const { folder, run } = place(server.env);
    const all =
      'psql -qAt -c "SELECT id, code, name, \\"maximumActivations\\", jsonb_array_length(books) FROM licenses ORDER BY id COLLATE \\"C\\""';
    for (const change of ['', CHANGES]) {
      run(change, first, postgres);
      expect(run(all).trimEnd()).toBe(expected(folder));
    }
    const [line = '', ...rest] = readFileSync(join(folder, 'backup/licenses.ndjson'), 'utf8').split('\n');
    const odd = line.replace(/"name":"[^"]*"/, String.raw`"name":"a\u0000b\\u0000"`);
    writeFileSync(join(folder, 'backup/licenses.ndjson'), [odd, ...rest].join('\n'));
    run(postgres);
    expect(run(all).split('\n')[0]?.split('|')[2]).toBe('a\ufffdb\\u0000');
  });

  it('loads into DuckDB every night', async () => {
    const { folder, run } = place();
    const database = await duckdb(join(folder, 'content.duckdb'));
    for (const change of ['', CHANGES]) {
      run(change, first);
      await database.run(duck.replaceAll("'backup/", `'${folder}/backup/`));
      const rows = await database.rows(
        "SELECT concat_ws('|', id, code, name, maximumActivations::INTEGER, len(books)) AS line FROM licenses ORDER BY id",
      );
      expect(rows.map(({ line }) => line).join('\n')).toBe(expected(folder));
    }
  });

  it.each(['duckdb', 'postgres', 'sqlite'] as const)('the statements for %s create tables', async (dialect) => {
    const { folder, run } = place(server.env);
    const line = `edu export --schema --dialect ${dialect}`;
    if (dialect === 'duckdb') await (await duckdb()).run(run(line));
    else run(`${line} | ${dialect === 'sqlite' ? `sqlite3 -bail ${folder}/x.db` : 'psql -q -v ON_ERROR_STOP=1'}`);
  });
});
