/**
 * The one place that knows SQLite drivers: `node:sqlite` where Node has it (22.13 and later), the package `libsql` on
 * Node 20. Both give the same synchronous `Database`. It knows no tables.
 */
import { noSqlite } from './damage.js';

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(values: readonly SqlValue[]): void;
  get(values: readonly SqlValue[]): Row | undefined;
  all(values: readonly SqlValue[]): readonly Row[];
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a database file, making it if it is not there. Throws the driver's error. */
export type OpenDatabase = (file: string) => Database;

/** How long a process waits for another one to finish its write, in milliseconds. */
export const BUSY_TIMEOUT = 30_000;

interface NativeStatement {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown;
}

interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): NativeStatement;
    close(): void;
  };
}

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

const hasNodeSqlite = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
};

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

async function nodeDriver(): Promise<OpenDatabase> {
  const { DatabaseSync } = await importNodeSqlite();
  return (file) => {
    const database = new DatabaseSync(file);
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

async function libsqlDriver(): Promise<OpenDatabase> {
  let libsql: Libsql;
  try {
    const module = (await import('libsql')) as unknown as { readonly default: Libsql };
    libsql = module.default;
  } catch (error) {
    throw noSqlite(error);
  }
  return (file) => {
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
  };
}

let driver: Promise<OpenDatabase> | undefined;

/**
 * The driver of this Node, loaded when first asked for.
 * @throws StateError when there is none
 */
export function loadSqlite(): Promise<OpenDatabase> {
  driver ??= hasNodeSqlite(process.versions.node) ? nodeDriver() : libsqlDriver();
  return driver;
}
