/** The store of the bundled service: collections of records in one SQLite file, or in memory. */
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
import { APPLICATION_ID, listsOf, SCHEMA, SCHEMA_VERSION, TABLES, type TableName } from './schema.js';
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
  /** The number of records that have left a list. @param list of a `Page` */
  removals(list: string): number;
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): void;
  /** Replaces all records. @param kept tables whose records stay, unless new ones have their IDs */
  refill(fill: (store: Store) => void, kept?: readonly TableName[]): void;
  /** @param file must not exist */
  copyTo(file: string): void;
  /** Removes unfinished uploads of killed processes, and blobs that no record names. */
  sweepBlobs(): void;
  /** Like `refill`, with all records and settings of a file, apart from the secret of cursors. */
  restoreFrom(file: string, kept?: readonly TableName[]): void;
  close(): void;
}

export interface StoreOptions {
  /** Default: in memory. */
  readonly directory?: string | undefined;
  /** Ends the wait for another process that has locked the state. */
  readonly signal?: AbortSignal | undefined;
  /** Receives a line about a long wait for such a process. */
  readonly say?: ((line: string) => void) | undefined;
  /** Called once, in the transaction that creates the state. */
  readonly fill?: ((store: Store) => void) | undefined;
}

/** The setting with the secret that signs cursors. */
export const CURSOR_SECRET = 'cursorSecret';

/** Counts the removals of everything. */
const ALL_LISTS = 'all';

const STATE_FILE = 'service.db';
const BLOBS = 'files';

/** All files and folders of a state. */
export const STATE_NAMES: readonly string[] = [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`, BLOBS];

export const stateFile = (directory: string): string => join(directory, STATE_FILE);

const TABLE_NAMES = Object.keys(TABLES) as TableName[];

function storeOn(database: Database, file: string | undefined, blobs: Blobs, whenFree: WhenFree): Store {
  const prepare = statementCache(database);
  let writes = 0;
  let closed = false;
  // Only a store in memory has a cache, because no other process can change it.
  const newCache = (): Cache | undefined => (file === undefined ? cacheBetweenWrites(() => writes) : undefined);
  const noteRemoval = (list: string): void =>
    void prepare('INSERT INTO removals VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1').run(list);
  const collections = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, collection(name, prepare, noteRemoval, newCache())]),
  ) as unknown as Collections;

  /** Keeps the settings, which include the state's secrets, and the removal counts. */
  const replace = (fill: () => void, kept: readonly TableName[]): void => {
    for (const name of kept) database.exec(`CREATE TEMP TABLE kept_${name} AS SELECT doc FROM main.${name}`);
    for (const name of TABLE_NAMES) prepare(`DELETE FROM ${name}`).run();
    noteRemoval(ALL_LISTS);
    fill();
    for (const name of kept) {
      database.exec(`INSERT OR IGNORE INTO ${name} (doc) SELECT doc FROM kept_${name}; DROP TABLE kept_${name}`);
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
      return pageOf(
        rows.all(ownerId, after, bookId, limit + 1),
        limit,
        listsOf('licences', { ownerId, bookIds: bookId }),
      );
    },
    // In memory there is no other writer, and a transaction would cost more than most reads.
    read: (work) => withStateErrors(() => (file === undefined ? work() : transaction(database, 'BEGIN', work))),
    write,
    whenFree,
    removals: (list) =>
      Number(prepare('SELECT sum(count) AS n FROM removals WHERE name IN (?, ?)').get(list, ALL_LISTS)?.n ?? 0),
    setting(name) {
      const row = prepare('SELECT CAST(value AS BLOB) AS value FROM settings WHERE name = ?').get(name);
      return row === undefined ? undefined : Buffer.from(row.value as Uint8Array).toString();
    },
    setSetting(name, value) {
      prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(name, value);
    },
    refill: (fill, kept = []) => write(() => replace(() => fill(store), kept)),
    // Inside a write, because uploads get their names inside writes.
    sweepBlobs: () => write(() => blobs.sweep(new Set(store.files.all({}).map(({ blob }) => blob)))),
    copyTo: (target) => withStateErrors(() => void prepare('VACUUM INTO ?').run(target)),
    restoreFrom(source, kept = []) {
      prepare('ATTACH ? AS source').run(source);
      try {
        const copy = (): void => {
          for (const name of TABLE_NAMES)
            database.exec(`INSERT INTO main.${name} (seq, doc) SELECT seq, doc FROM source.${name} ORDER BY seq`);
          const others = `settings WHERE name <> '${CURSOR_SECRET}'`;
          database.exec(`DELETE FROM main.${others}; INSERT INTO main.settings SELECT * FROM source.${others}`);
        };
        write(() => replace(copy, kept));
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
  whenFree = createWhenFree(),
): Store {
  const blobs = blobsIn(file === undefined ? undefined : join(dirname(file), BLOBS));
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const store = storeOn(database, file, blobs, whenFree);
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

function openFile(openDatabase: (file: string) => Database, file: string, whenFree: WhenFree): Store {
  if (statSync(file).size === 0) throw damaged(file, new Error('it is empty'));
  const check = (database: Database): void => {
    // WAL lets readers continue during a write. With NORMAL, commits survive the death of the process; a power failure
    // may lose the last ones, but leaves the file intact.
    if (database.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal')
      database.prepare('PRAGMA journal_mode = wal').all();
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
    checkVersion(database, file);
  };
  return openOn(openDatabase, file, file, check, whenFree);
}

/** Removes files of killed processes. If this fails, as on a full disk, the next process tries again. */
function cleanUp(store: Store, file: string, isFirst: boolean): void {
  removeAbandoned(dirname(file), (name) => name.startsWith(`${STATE_FILE}.`));
  try {
    // An attempt to create this state that failed may have left files that no record names.
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
    const whenFree = createWhenFree(() =>
      options.say?.(`Waiting for another process that uses the offline data in ${file}.\n`),
    );
    const store = await whenFree(() => openFile(openDatabase, file, whenFree), options.signal);
    cleanUp(store, file, isFirst);
    return store;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw stateErrorOf(file, error) ?? unreachableState(file, error);
  }
}
