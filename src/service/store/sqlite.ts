/** The SQLite driver: `node:sqlite` from Node 22.13 on, the package `libsql` before. */
import { noSqlite } from './state-error.js';

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue | Uint8Array>>;

export interface Statement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
}

export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** Runs `work` in a transaction, which is rolled back if it throws. @param begin the statement that begins it */
export function transaction<T>(database: Database, begin: string, work: () => T): T {
  database.exec(begin);
  let result: T;
  try {
    result = work();
    database.exec('COMMIT');
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back; the first error is the one to report.
    }
    throw error;
  }
  return result;
}

/** The value of a pragma that is a number. */
export const numberFrom = (database: Database, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).all()[0] ?? {})[0]);

type Driver = new (file: string) => Database;

/** Maximum time to wait for another process' write. It blocks the thread and its signals; `whenFree` waits longer. */
const BUSY_TIMEOUT_MS = 250;

/** @param version of Node: `22.13.0` */
export function hasNodeSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

/** Imports `node:sqlite` without the warning that Node 22 prints about it. */
async function nodeSqlite(): Promise<Driver> {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite/.test(String(warning))) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return ((await import('node:sqlite' as string)) as { readonly DatabaseSync: Driver }).DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function load(): Promise<Driver> {
  if (hasNodeSqlite(process.versions.node)) return nodeSqlite();
  try {
    return ((await import('libsql')) as unknown as { readonly default: Driver }).default;
  } catch (error) {
    throw noSqlite(error, __dirname);
  }
}

let driver: Promise<Driver> | undefined;

/** Loads the driver, and returns a function that opens or creates a file. @throws StateError if `libsql` is missing */
export async function loadSqlite(): Promise<(file: string) => Database> {
  driver ??= load();
  const Sqlite = await driver;
  return (file) => {
    const database = new Sqlite(file);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return database;
  };
}
