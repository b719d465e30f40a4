/** Makes the place for a driver's state: empty, or with what the other kind of driver has kept in this folder. */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PORTABLE_FILE, STATE_FILE, turnOf, type Visitor, visitorOf } from './place.js';
import { BUSY_TIMEOUT, type Database, type OpenDatabase, type Sqlite } from './sqlite.js';
import { heldInTurn, stateErrorOf } from './state-error.js';
import { endTurn, takeTurn } from './turn.js';

/** A native driver's look at a file of the portable kind: what a killed process had begun is undone. */
const undo = (database: Database): void => database.exec('BEGIN IMMEDIATE; ROLLBACK');

/** The portable driver's look at a file of the native kind: what is in its log goes into the file. */
function bringIn(database: Database): void {
  // Alone, SQLite needs no memory that processes share, which this driver has not.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const mode = database.prepare('PRAGMA journal_mode = DELETE').get([])?.journal_mode;
  if (mode !== 'delete') throw new Error(`its journal stays ${mode}`);
}

/**
 * Makes one file of a database that nobody has open, while it has the name under which it was written.
 * @param look reads it
 */
function settle(file: string, open: OpenDatabase, look: (database: Database) => void): void {
  try {
    const database = open(file);
    try {
      look(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw stateErrorOf(file, error) ?? error;
  }
  for (const beside of ['-journal', '-wal', '-shm']) rmSync(file + beside, { force: true });
}

/**
 * Makes the file of a driver's kind, where it is not there.
 * @returns a process of the other kind that has the state open; undefined when the place is made
 * @throws StateError when the state is damaged, or somebody's turn does not end
 */
export function makePlace(directory: string, { isNative, open }: Sqlite): Visitor | undefined {
  const native = join(directory, STATE_FILE);
  const portable = join(directory, PORTABLE_FILE);
  const [mine, other] = isNative ? [native, portable] : [portable, native];
  const turn = turnOf(portable);
  // Before the turn, which others need meanwhile; what counts is the look in the turn.
  const early = existsSync(other) ? visitorOf(directory, !isNative) : undefined;
  if (early !== undefined) return early;
  if (!takeTurn(turn, BUSY_TIMEOUT)) throw heldInTurn(portable, turn);
  try {
    // Should there be both, the native one counts.
    if (isNative ? existsSync(native) : existsSync(portable) && !existsSync(native)) return undefined;
    const visitor = visitorOf(directory, !isNative);
    if (!existsSync(other)) closeSync(openSync(mine, 'a', 0o600));
    else if (visitor !== undefined) return visitor;
    else {
      settle(other, open, isNative ? undo : bringIn);
      renameSync(other, mine);
    }
    return undefined;
  } finally {
    endTurn(turn);
  }
}
