/** DuckDB, which takes 70 MB and is therefore no dependency. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from '../support/installed.js';

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
  const { DuckDBInstance } = createRequire(join(installed('@duckdb/node-api@1.5.6-r.1'), 'x'))(
    '@duckdb/node-api',
  ) as Package;
  const connection = await (await DuckDBInstance.create(file)).connect();
  return {
    run: connection.run.bind(connection),
    rows: async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
  };
}
