/** Runs the recipes of docs/recipes/load.md for the programs that are installed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { home, temporaryFolder } from '../support/run.js';

const page = readFileSync('docs/recipes/load.md', 'utf8');
const [first = '', jq = '', sqlite = '', singer = ''] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

const has = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

/**
 * Runs blocks of the page in a new folder.
 * @returns its path
 */
function ran(...blocks: readonly string[]): string {
  const folder = temporaryFolder();
  const edu = join(folder, 'edu');
  writeFileSync(edu, `#!/usr/bin/env bash\nexec ${process.execPath} ${resolve('bin/edu.js')} "$@"\n`);
  chmodSync(edu, 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}`, ...home(), EDU_OFFLINE: '1' };
  execFileSync('bash', ['-eo', 'pipefail', '-c', [first, ...blocks].join('\n')], { cwd: folder, env });
  return folder;
}

type Licence = { id: string; code: string; type: string; maximumActivations: number; books: unknown[] };

const licencesIn = (folder: string): Licence[] =>
  readFileSync(join(folder, 'backup/licenses.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Licence);

describe('docs/recipes/load.md', () => {
  it.runIf(has('jq'))('loads with jq, and feeds a Singer target', () => {
    const folder = ran(jq, singer);
    const licences = licencesIn(folder);
    const rows = licences.filter(({ type }) => type === 'Books');
    expect(readFileSync(join(folder, 'licenses.tsv'), 'utf8')).toBe(
      rows.map(({ id, code, maximumActivations }) => `${id}\t${code}\t${maximumActivations}\n`).join(''),
    );
    const [schema, record] = readFileSync(join(folder, 'licenses.singer'), 'utf8').split('\n');
    expect(JSON.parse(schema ?? '')).toMatchObject({ type: 'SCHEMA', schema: { $id: 'urn:edu:export:1:licenses' } });
    expect(JSON.parse(record ?? '').record).toEqual(licences[0]);
  });

  it.runIf(has('sqlite3'))('loads with SQLite, every licence with its types', () => {
    const folder = ran(sqlite);
    const licences = licencesIn(folder);
    const ask = (sql: string): string =>
      execFileSync('sqlite3', [join(folder, 'content.db'), sql], { encoding: 'utf8' }).trim();
    expect(ask('SELECT count(*), sum(maximum) FROM licenses')).toBe(
      `${licences.length}|${licences.reduce((sum, { maximumActivations }) => sum + maximumActivations, 0)}`,
    );
    expect(ask("SELECT code FROM licenses WHERE code = '0012345'")).toBe('0012345');
    expect(ask('SELECT count(*) FROM licence_books')).toBe(String(licences.flatMap(({ books }) => books).length));
  });
});
