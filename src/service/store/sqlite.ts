/**
 * The drivers of SQLite as the store sees them, and which one this Node gets: `node:sqlite` where Node has it (22.13 and
 * later), the package `libsql` where it is installed, else SQLite as WebAssembly. All give the same synchronous
 * `Database`. It knows no tables.
 */
import { noSqlite } from './state-error.js';

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

export interface Sqlite {
  /** Native drivers share files as SQLite does; the portable one can't, and keeps its own (place.ts). */
  readonly isNative: boolean;
  readonly open: OpenDatabase;
}

const hasNodeSqlite = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
};

/** The native driver of this Node; undefined when it has none. */
export async function nativeSqlite(): Promise<Sqlite | undefined> {
  if (hasNodeSqlite(process.versions.node)) return (await import('./sqlite-node.js')).nodeSqlite();
  return (await import('./sqlite-libsql.js')).libsqlSqlite();
}

/** SQLite as WebAssembly, for every Node. @throws StateError when it is not part of this installation */
export async function portableSqlite(): Promise<Sqlite> {
  try {
    return await (await import('./sqlite-wasm.js')).wasmSqlite();
  } catch (error) {
    throw noSqlite(error);
  }
}

let driver: Promise<Sqlite> | undefined;

/**
 * The driver of this Node, loaded when first asked for.
 * @throws StateError when there is none
 */
export function loadSqlite(): Promise<Sqlite> {
  driver ??= nativeSqlite().then((native) => native ?? portableSqlite());
  return driver;
}
