/** The package `libsql` as a driver, where it is installed: native code for a Node without SQLite. */
import { BUSY_TIMEOUT, type Row, type Sqlite, type SqlValue, type Statement } from './sqlite.js';

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

/** @returns undefined when it is not installed, or not for this machine */
export async function libsqlSqlite(): Promise<Sqlite | undefined> {
  let libsql: Libsql;
  try {
    const module = (await import('libsql')) as unknown as { readonly default: Libsql };
    libsql = module.default;
  } catch {
    return undefined;
  }
  return {
    isNative: true,
    open(file) {
      const database = new libsql(file, { timeout: BUSY_TIMEOUT });
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
    },
  };
}
