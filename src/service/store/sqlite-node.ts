/** The SQLite driver `node:sqlite`, for Node 22.13 and later. */
import { BUSY_TIMEOUT_MS, type OpenDatabase, type Row, type SqlValue, type Statement } from './sqlite-types.js';

interface NodeStatement {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown;
}

interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): NodeStatement;
    close(): void;
  };
}

/** Imports `node:sqlite` without the warning that Node 22 prints about it. */
async function importNodeSqlite(): Promise<NodeSqlite> {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite/.test(String(warning))) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return (await import('node:sqlite' as string)) as NodeSqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}

export async function nodeSqlite(): Promise<OpenDatabase> {
  const { DatabaseSync } = await importNodeSqlite();
  return (file) => {
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql): Statement {
        const statement = database.prepare(sql);
        return {
          run: (values) => void statement.run(...values),
          get: (values) => statement.get(...values) as Row | undefined,
          all: (values) => statement.all(...values) as readonly Row[],
        };
      },
      close: () => database.close(),
    };
  };
}
