/** SQLite as the store uses it: a synchronous database, whichever driver opened it. */

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

/** Opens a database file, creating it if needed. Throws the driver's error. */
export type OpenDatabase = (file: string) => Database;

/** How long a process waits for another one's write, in milliseconds. */
export const BUSY_TIMEOUT_MS = 30_000;
