/** DuckDB, which takes 70 MB and is therefore no dependency: it is installed once, beside the dependencies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const VERSION = '1.5.6-r.1';
const FOLDER = resolve('node_modules/.cache/engines');

type Row = Readonly<Record<string, unknown>>;
interface Connection {
  readonly run: (sql: string) => Promise<unknown>;
  readonly runAndReadAll: (sql: string) => Promise<{ readonly getRowObjectsJson: () => readonly Row[] }>;
}
interface Package {
  readonly DuckDBInstance: {
    readonly create: (file: string) => Promise<{ readonly connect: () => Promise<Connection> }>;
  };
}

/** Opens a database. */
export async function duckdb(file = ':memory:') {
  if (!existsSync(join(FOLDER, 'node_modules/@duckdb'))) {
    mkdirSync(FOLDER, { recursive: true });
    const line = ['install', '--prefix', FOLDER, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', [...line, `@duckdb/node-api@${VERSION}`], { stdio: 'ignore' });
  }
  const { DuckDBInstance } = createRequire(join(FOLDER, 'package.json'))('@duckdb/node-api') as Package;
  const connection = await (await DuckDBInstance.create(file)).connect();
  return {
    run: connection.run.bind(connection),
    rows: async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
  };
}
