/** The SQLite driver of the package `libsql`, for Node before 22.13. Remove it when Node 20 is dropped. */
import { BUSY_TIMEOUT_MS, type OpenDatabase, type Row, type SqlValue, type Statement } from './sqlite-types.js';

interface LibsqlStatement {
  run(values: readonly SqlValue[]): unknown;
  get(values: readonly SqlValue[]): unknown;
  all(values: readonly SqlValue[]): unknown;
}

type Libsql = new (
  file: string,
  options: { timeout: number },
) => {
  exec(sql: string): void;
  prepare(sql: string): LibsqlStatement;
  close(): void;
};

/** @throws the loader's error when `libsql` is not installed, or not for this platform */
export async function libsqlSqlite(): Promise<OpenDatabase> {
  const { default: libsql } = (await import('libsql')) as unknown as { readonly default: Libsql };
  return (file) => {
    const database = new libsql(file, { timeout: BUSY_TIMEOUT_MS });
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql): Statement {
        const statement = database.prepare(sql);
        return {
          run: (values) => void statement.run(values),
          get: (values) => statement.get(values) as Row | undefined,
          all: (values) => statement.all(values) as readonly Row[],
        };
      },
      close: () => database.close(),
    };
  };
}
