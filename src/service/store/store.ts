/** The store of the bundled service: collections of records in one SQLite file, or in memory. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { processTag, removeAbandoned } from '../../core/fs/temporary.js';
import { renameExclusive } from '../../core/fs/write-file.js';
import { type Blobs, blobsIn } from './blobs.js';
import {
  type Cache,
  type Collection,
  cacheBetweenWrites,
  collection,
  DOC,
  type Page,
  pageOf,
  statementCache,
} from './collection.js';
import type { Licence } from './records.js';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION, TABLES, type TableName } from './schema.js';
import { type Database, loadSqlite, numberFrom, transaction } from './sqlite.js';
import {
  createWhenFree,
  damaged,
  foreign,
  otherVersion,
  stateErrorOf,
  unreachableState,
  type WhenFree,
} from './state-error.js';

/** Maximum memory that SQLite uses for pages of the file. */
const CACHE_KIB = 32 * 1024;

/** The write-ahead log is truncated to this size, because after a kill the next process reads it again. */
const MAX_IDLE_LOG_BYTES = 4 * 1024 * 1024;

type Collections = { readonly [N in TableName]: Collection<N> };

export interface Store extends Collections {
  /** The database file; undefined if in memory. */
  readonly file: string | undefined;
  readonly blobs: Blobs;
  /** Like `Collection.page`, for the licences of one owner that contain a book. */
  licencesOfBook(bookId: string, ownerId: string, after: number, limit: number): Page<Licence>;
  /** Runs `work` on a consistent snapshot of the data. Not to be nested. */
  read<T>(work: () => T): T;
  /** Runs `work` in a write transaction, which is rolled back if it throws. Not to be nested. */
  write<T>(work: () => T): T;
  /** Repeats a read or write of the state while another process has locked it. */
  readonly whenFree: WhenFree;
  removals(name: TableName): number;
  /** Counts a removal for an item that leaves a list without being deleted. */
  noteRemoval(name: TableName): void;
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): void;
  refill(fill: (store: Store) => void): void;
  /** @param file must not exist */
  copyTo(file: string): void;
  /** Removes unfinished uploads of killed processes, and blobs that no record names. */
  sweepBlobs(): void;
  /** Replaces all data and settings, apart from the secret of cursors, by those of a file, in one transaction. */
  restoreFrom(file: string): void;
  close(): void;
}

export interface StoreOptions {
  readonly directory?: string | undefined;
  /** Set instead of `directory`. */
  readonly memory?: true | undefined;
  /** Ends the wait for another process that has locked the state. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, in the transaction that creates the state. */
  readonly fill?: ((store: Store) => void) | undefined;
}

/** The setting with the secret that signs cursors. */
export const CURSOR_SECRET = 'cursorSecret';

const STATE_FILE = 'service.db';
const BLOBS = 'files';

/** All files and folders of a state. */
export const STATE_NAMES: readonly string[] = [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`, BLOBS];

export const stateFile = (directory: string): string => join(directory, STATE_FILE);

/** The id of a stored token or code: its SHA-256 in hex, so that the state contains no usable secret. */
export const secretId = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const TABLE_NAMES = Object.keys(TABLES) as TableName[];

function storeOn(database: Database, file: string | undefined, blobs: Blobs): Store {
  const prepare = statementCache(database);
  let writes = 0;
  let closed = false;
  // Only a store in memory has a cache, because no other process can change it.
  const newCache = (): Cache | undefined => (file === undefined ? cacheBetweenWrites(() => writes) : undefined);
  const noteRemoval = (name: TableName): void =>
    void prepare('INSERT INTO removals VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1').run(name);
  const collections = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, collection(name, prepare, noteRemoval, newCache())]),
  ) as unknown as Collections;

  /** Keeps the settings, which include the state's secrets, and the removal counts. */
  const empty = (): void => {
    for (const name of TABLE_NAMES) {
      prepare(`DELETE FROM ${name}`).run();
      noteRemoval(name);
    }
  };
  const withStateErrors = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw (file === undefined ? undefined : stateErrorOf(file, error)) ?? error;
    }
  };
  const write = <T>(work: () => T): T =>
    withStateErrors(() => {
      writes++;
      try {
        return transaction(database, 'BEGIN IMMEDIATE', work);
      } finally {
        writes++;
      }
    });
  const store: Store = {
    ...collections,
    file,
    blobs,
    licencesOfBook(bookId, ownerId, after, limit) {
      const rows = prepare(
        `SELECT seq, ${DOC} FROM licences WHERE doc ->> 'ownerId' = ? AND seq > ? ` +
          "AND EXISTS (SELECT 1 FROM json_each(doc, '$.bookIds') WHERE value = ?) ORDER BY seq LIMIT ?",
      );
      return pageOf(rows.all(ownerId, after, bookId, limit + 1), limit);
    },
    // In memory there is no other writer, and a transaction would cost more than most reads.
    read: (work) => withStateErrors(() => (file === undefined ? work() : transaction(database, 'BEGIN', work))),
    write,
    whenFree: createWhenFree(),
    removals: (name) => Number(prepare('SELECT count FROM removals WHERE name = ?').get(name)?.count ?? 0),
    noteRemoval,
    setting(name) {
      const row = prepare('SELECT CAST(value AS BLOB) AS value FROM settings WHERE name = ?').get(name);
      return row === undefined ? undefined : Buffer.from(row.value as Uint8Array).toString();
    },
    setSetting(name, value) {
      prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(name, value);
    },
    refill: (fill) =>
      write(() => {
        empty();
        fill(store);
      }),
    // Inside a write, because uploads get their names inside writes.
    sweepBlobs: () => write(() => blobs.sweep(new Set(store.files.all({}).map(({ blob }) => blob)))),
    copyTo: (target) => withStateErrors(() => void prepare('VACUUM INTO ?').run(target)),
    restoreFrom(source) {
      prepare('ATTACH ? AS source').run(source);
      try {
        write(() => {
          empty();
          for (const name of TABLE_NAMES) {
            database.exec(`INSERT INTO main.${name} (seq, doc) SELECT seq, doc FROM source.${name} ORDER BY seq`);
          }
          const others = `settings WHERE name <> '${CURSOR_SECRET}'`;
          database.exec(`DELETE FROM main.${others}; INSERT INTO main.settings SELECT * FROM source.${others}`);
        });
      } finally {
        database.exec('DETACH source');
      }
    },
    close() {
      if (closed) return;
      closed = true;
      database.close();
      if (file === undefined) blobs.clear();
    },
  };
  return store;
}

/** Creates the tables of a new state, and fills it. */
function createTables(database: Database, store: Store, { fill }: StoreOptions): void {
  store.write(() => {
    database.exec(SCHEMA);
    fill?.(store);
  });
}

/** @throws StateError if the database is not a state of this version */
function checkVersion(database: Database, file: string): void {
  if (numberFrom(database, 'application_id') !== APPLICATION_ID) throw foreign(file);
  const version = numberFrom(database, 'user_version');
  if (version !== SCHEMA_VERSION) throw otherVersion(file, version, SCHEMA_VERSION);
}

/**
 * Opens a database and prepares it for its store.
 * @param prepare creates the tables, or checks them
 */
function openOn(
  openDatabase: (file: string) => Database,
  path: string,
  file: string | undefined,
  prepare: (database: Database, store: Store) => void,
): Store {
  const blobs = blobsIn(file === undefined ? undefined : join(dirname(file), BLOBS));
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const store = storeOn(database, file, blobs);
    prepare(database, store);
    return store;
  } catch (error) {
    database.close();
    if (file === undefined) blobs.clear();
    throw error;
  }
}

/**
 * Creates a state under a temporary name and renames it when it is complete: an empty or incomplete file under the final
 * name is damaged, and is never filled. Another process may be first.
 * @returns false if another process was first
 */
function createFile(openDatabase: (file: string) => Database, file: string, options: StoreOptions): boolean {
  const temporary = `${file}.${processTag()}.new`;
  try {
    // Created here because SQLite would let other users read it.
    closeSync(openSync(temporary, 'wx', 0o600));
    const create = (database: Database, store: Store): void => {
      // One file: a journal or log on disk would have to be renamed with it.
      database.prepare('PRAGMA journal_mode = memory').all();
      createTables(database, store, options);
    };
    openOn(openDatabase, temporary, file, create).close();
    renameExclusive(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function openFile(openDatabase: (file: string) => Database, file: string): Store {
  if (statSync(file).size === 0) throw damaged(file, new Error('it is empty'));
  return openOn(openDatabase, file, file, (database) => {
    // WAL lets readers continue during a write. With NORMAL, commits survive the death of the process; a power failure
    // may lose the last ones, but leaves the file intact.
    if (database.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal') {
      database.prepare('PRAGMA journal_mode = wal').all();
    }
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
    checkVersion(database, file);
  });
}

/** Closes a store after work with it. */
export async function closing<T>(store: Store, work: (store: Store) => T | Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** Removes files of killed processes. If this fails, as on a full disk, the next process tries again. */
function cleanUp(store: Store, file: string, isFirst: boolean): void {
  removeAbandoned(dirname(file), (name) => name.startsWith(`${STATE_FILE}.`));
  try {
    // The files of a state that was created in vain are not named by this one.
    if (!isFirst || store.blobs.hasAbandoned()) store.sweepBlobs();
  } catch {
    // The command itself can still succeed.
  }
}

/** Opens the state in a folder, creating and filling it if missing; or a new one in memory. @throws StateError */
export async function openStore(options: StoreOptions): Promise<Store> {
  const openDatabase = await loadSqlite();
  const { directory } = options;
  if (directory === undefined) {
    return openOn(openDatabase, ':memory:', undefined, (database, store) => createTables(database, store, options));
  }
  const file = stateFile(directory);
  try {
    ensureFolder(directory);
    const isFirst = existsSync(file) || createFile(openDatabase, file, options);
    const store = await createWhenFree()(() => openFile(openDatabase, file), options.signal);
    cleanUp(store, file, isFirst);
    return store;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw stateErrorOf(file, error) ?? unreachableState(file, error);
  }
}
