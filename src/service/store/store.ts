/**
 * The store of the bundled service: collections of records in one SQLite file, or in memory.
 *
 * For seeds: `openStore({ directory, fill })` calls `fill(store)` once, when the state is made, inside the transaction
 * that makes it. In it, use `store.<collection>.insertMany(iterable)`: 100,000 licences take a fraction of a second. Keep
 * the promises that `records.ts` states (ids and codes unique, `numberOfActivations` right); a licence's books are
 * indexed by themselves. `store.blobs.put(name, bytes)` stores the bytes of a small file. Access tokens go in with
 * `secretId(token)` as their id.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { type Blobs, blobsIn } from './blobs.js';
import { type Collection, collection, type Recall, statementCache } from './collection.js';
import { type LicenceCollection, licenceCollection } from './licenses-of-books.js';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION, TABLES, type TableName } from './schema.js';
import { loadSqlite } from './sqlite.js';
import { BUSY_TIMEOUT_MS, type Database, type OpenDatabase } from './sqlite-types.js';
import { foreign, isBusy, otherVersion, stateErrorOf, unreachableState } from './state-error.js';

/** The most memory that SQLite uses for pages of the file, in KiB. */
const CACHE_KIB = 32 * 1024;

/** Bytes that the write-ahead log keeps when it starts anew: what is left after a kill is read again by the next process. */
const LARGEST_IDLE_LOG = 4 * 1024 * 1024;

export type Collections = { readonly [N in Exclude<TableName, 'licences'>]: Collection<N> } & {
  readonly licences: LicenceCollection;
};

export interface Store extends Collections {
  /** The database file; undefined in memory. */
  readonly file: string | undefined;
  readonly blobs: Blobs;
  /** Runs `work` on one unchanging view of the data. Not to be nested. */
  read<T>(work: () => T): T;
  /** Runs `work` as the only writer; all of it is kept or, when it throws, none. Not to be nested. */
  write<T>(work: () => T): T;
  /** Changes whenever the data may have changed, by this process or another. For caches; call it inside `read` or `write`. */
  version(): string;
  /** How often something was removed from a collection. */
  removals(name: TableName): number;
  /** Counts a removal: for items that leave a list without being deleted. */
  noteRemoval(name: TableName): void;
  /** A setting of this state. */
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): void;
  /** Removes everything and fills the state anew, in one transaction. */
  refill(fill: (store: Store) => void): void;
  /** Writes a copy of the database to a file that must not exist. */
  copyTo(file: string): void;
  /** Removes unfinished uploads of killed processes, and the bytes of files that no record names. */
  sweepBlobs(): void;
  /** Replaces everything by what `copyTo` wrote, in one transaction, and with it the settings that are given. */
  restoreFrom(file: string, settings?: Readonly<Record<string, string>>): void;
  /** Closes the database; again does nothing. */
  close(): void;
}

export interface StoreOptions {
  /** The state's folder, made if needed. */
  readonly directory?: string | undefined;
  /** Keep everything in memory instead. */
  readonly memory?: true | undefined;
  /** Called once, when the state is made. */
  readonly fill?: ((store: Store) => void) | undefined;
}

const STATE_FILE = 'service.db';
const BLOBS = 'files';

/** The names of all files and folders of a state. */
export const STATE_NAMES: readonly string[] = [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`, BLOBS];

/** The database file of the state in a folder. */
export const stateFile = (directory: string): string => join(directory, STATE_FILE);

/** The id under which a token or code is stored: its SHA-256 in hex, so that the state holds no usable secret. */
export const secretId = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Waits without an event loop, in milliseconds. Only while a state is being opened. */
const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** Repeats what SQLite refuses with "busy" without having waited: two processes may open a new state at once. */
function patiently<T>(work: () => T): T {
  const step = 20;
  for (let waited = 0; ; waited += step) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || waited >= BUSY_TIMEOUT_MS) throw error;
      pause(step);
    }
  }
}

function transaction<T>(database: Database, begin: string, work: () => T): T {
  database.exec(begin);
  let result: T;
  try {
    result = work();
    database.exec('COMMIT');
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back; the first error is the one to tell.
    }
    throw error;
  }
  return result;
}

const numberFrom = (database: Database, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).all([])[0] ?? {})[0]);

const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Records kept at most for each collection. */
const MOST_RECALLED = 10_000;

/**
 * Remembers records by id from one write to the next; a write that is under way sees the database itself.
 * @param writes how many writes have begun and ended so far: odd while one is under way
 */
function recallBetweenWrites(writes: () => number): (name: TableName) => Recall {
  return () => {
    let known = new Map<string, unknown>();
    let since = -1;
    return <T>(id: string, find: () => T): T => {
      const now = writes();
      if (now % 2 === 1) return find();
      if (now !== since || known.size >= MOST_RECALLED) {
        known = new Map();
        since = now;
      }
      if (known.has(id)) return known.get(id) as T;
      const found = find();
      known.set(id, found);
      return found;
    };
  };
}

function storeOn(database: Database, file: string | undefined, blobs: Blobs): Store {
  const prepare = statementCache(database);
  let writes = 0;
  let closed = false;
  // In memory nothing changes but by this process' own writes.
  const recall = file === undefined ? recallBetweenWrites(() => writes) : undefined;
  const noteRemoval = (name: TableName): void =>
    prepare('INSERT INTO removals VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1').run([name]);
  const collections = {
    ...Object.fromEntries(TABLE_NAMES.map((name) => [name, collection(name, prepare, noteRemoval, recall?.(name))])),
    licences: licenceCollection(collection('licences', prepare, noteRemoval, recall?.('licences')), prepare),
  } as unknown as Collections;

  /** Empties all tables; settings (the state's secrets) and removal counts stay. */
  const empty = (): void => {
    for (const name of TABLE_NAMES) {
      prepare(`DELETE FROM ${name}`).run([]);
      noteRemoval(name);
    }
    prepare('DELETE FROM licencesOfBooks').run([]);
  };
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw (file === undefined ? undefined : stateErrorOf(file, error)) ?? error;
    }
  };
  const write = <T>(work: () => T): T =>
    guarded(() => {
      // Odd while a write is under way.
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
    // In memory nothing else writes meanwhile, and a transaction would cost more than most reads.
    read: (work) => guarded(() => (file === undefined ? work() : transaction(database, 'BEGIN', work))),
    write,
    version() {
      if (file === undefined) return String(writes);
      return `${writes}.${prepare('PRAGMA data_version').get([])?.data_version}`;
    },
    removals: (name) => Number(prepare('SELECT count FROM removals WHERE name = ?').get([name])?.count ?? 0),
    noteRemoval,
    setting(name) {
      const row = prepare('SELECT value FROM settings WHERE name = ?').get([name]);
      return row === undefined ? undefined : String(row.value);
    },
    setSetting: (name, value) =>
      prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run([name, value]),
    refill: (fill) =>
      write(() => {
        empty();
        fill(store);
      }),
    // In a write: uploads get their names inside writes, so none can be about to.
    sweepBlobs: () => write(() => blobs.sweep(new Set(store.files.all({}).map(({ blob }) => blob)))),
    copyTo: (target) => guarded(() => prepare('VACUUM INTO ?').run([target])),
    restoreFrom(source, settings = {}) {
      prepare('ATTACH ? AS source').run([source]);
      try {
        write(() => {
          empty();
          for (const name of TABLE_NAMES) {
            database.exec(`INSERT INTO main.${name} (seq, doc) SELECT seq, doc FROM source.${name} ORDER BY seq`);
          }
          database.exec('INSERT INTO main.licencesOfBooks SELECT * FROM source.licencesOfBooks');
          for (const [name, value] of Object.entries(settings)) store.setSetting(name, value);
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

/** Makes the tables if the database is empty; several processes may try at once, and one does it. */
function prepareState(database: Database, store: Store, options: StoreOptions): void {
  if (numberFrom(database, 'user_version') === 0) {
    store.write(() => {
      if (numberFrom(database, 'user_version') !== 0) return;
      if (numberFrom(database, 'schema_version') !== 0) throw foreign(store.file ?? '');
      database.exec(SCHEMA);
      options.fill?.(store);
    });
  }
  if (numberFrom(database, 'application_id') !== APPLICATION_ID) throw foreign(store.file ?? '');
  const version = numberFrom(database, 'user_version');
  if (version !== SCHEMA_VERSION) throw otherVersion(store.file ?? '', version, SCHEMA_VERSION);
}

function openOn(openDatabase: OpenDatabase, options: StoreOptions, file: string | undefined, blobs: Blobs): Store {
  const database = openDatabase(file ?? ':memory:');
  try {
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    if (file !== undefined) {
      // WAL: readers never wait for a writer.
      // NORMAL: a commit survives the death of the process; only losing power may cost the last moments, and never
      // leaves a broken file.
      if (database.prepare('PRAGMA journal_mode').get([])?.journal_mode !== 'wal') {
        database.prepare('PRAGMA journal_mode = wal').all([]);
      }
      database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${LARGEST_IDLE_LOG}`);
    }
    const store = storeOn(database, file, blobs);
    prepareState(database, store, options);
    return store;
  } catch (error) {
    database.close();
    if (file === undefined) blobs.clear();
    throw error;
  }
}

/** Clears up behind killed processes, where that is possible: on a full disk, for example, the next process tries again. */
function clearUp(store: Store): void {
  try {
    if (store.blobs.hasAbandoned()) store.sweepBlobs();
  } catch {
    // No reason for the command at hand to fail.
  }
}

/**
 * Opens the state in a folder, making and filling it if there is none; or a new one in memory.
 * @throws StateError when it can't be used: damaged, of another version, not readable, or no SQLite
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const openDatabase = await loadSqlite();
  const { directory } = options;
  if (directory === undefined) return openOn(openDatabase, options, undefined, blobsIn(undefined));
  const file = stateFile(directory);
  try {
    ensureFolder(directory);
    // SQLite would let others read it.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const store = patiently(() => openOn(openDatabase, options, file, blobsIn(join(directory, BLOBS))));
    clearUp(store);
    return store;
  } catch (error) {
    throw stateErrorOf(file, error) ?? unreachableState(file, error);
  }
}
