/** The interface of a SQLite driver: a synchronous database. */

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

/** Opens a database file, creating it if needed. @throws the driver's error */
export type OpenDatabase = (file: string) => Database;

/** Maximum time to wait for another process' write. */
export const BUSY_TIMEOUT_MS = 30_000;
