/**
 * SQLite as WebAssembly (node-sqlite3-wasm) as a driver: for a Node that has no SQLite, where no native package is
 * installed. The build leaves out the package's own locks, which a killed process never gives back
 * (scripts/build/sqlite-wasm.mjs); here processes take turns instead.
 */
import { existsSync, fstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { resetFlags, setFlag } from '../../core/v8-flags.js';
import { PORTABLE_FILE, STATE_FILE, turnOf } from './place.js';
import { BUSY_TIMEOUT, type Database, type Row, type Sqlite, type SqlValue, type Statement } from './sqlite.js';
import { heldInTurn, replacedState } from './state-error.js';
import { endTurn, takeTurn } from './turn.js';

interface WasmStatement {
  run(values: readonly SqlValue[]): unknown;
  all(values: readonly SqlValue[]): unknown;
  finalize(): void;
}

/** What SQLite asks before it reads or writes a file, and when it is done with it. */
interface Turns {
  /** @returns a result code: 0 when the file may be used */
  take(file: string, descriptor: number): number;
  end(file: string): void;
}

interface WasmSqlite {
  /** Set by the build where the package's own locks were. */
  turns?: Turns | null;
  readonly Database: new (
    file: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): WasmStatement;
    close(): void;
  };
}

/** Result codes of SQLite by how its messages begin: the package passes on no numbers. */
const CODES: readonly (readonly [string, number])[] = [
  ['database is locked', 5],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['Could not open the database', 14],
  ['file is not a database', 26],
];

const CANT_OPEN = 14;

/** Why the last turn was refused; SQLite itself says only that it could not open the file. */
let refusal: unknown;

const turns: Turns = {
  take(file, descriptor) {
    const turn = turnOf(file);
    try {
      if (!takeTurn(turn, BUSY_TIMEOUT)) throw heldInTurn(file, turn);
      if (isStill(file, descriptor)) return 0;
      endTurn(turn);
      throw replacedState(file);
    } catch (error) {
      // Must not go through the WebAssembly code, which would be left half-way.
      refusal = error;
      return CANT_OPEN;
    }
  },
  end: (file) => endTurn(turnOf(file)),
};

/** Whether an open file is still the state: between two turns it may have been removed, or taken over. */
const isStill = (file: string, descriptor: number): boolean =>
  !(basename(file) === PORTABLE_FILE && existsSync(join(dirname(file), STATE_FILE))) && fstatSync(descriptor).nlink > 0;

/** Runs something of SQLite, and gives its errors the numbers that other drivers give theirs. */
function translated<T>(work: () => T): T {
  refusal = undefined;
  try {
    return work();
  } catch (error) {
    if (refusal !== undefined) throw refusal;
    if (!(error instanceof Error)) throw error;
    const code = CODES.find(([start]) => error.message.startsWith(start))?.[1];
    throw code === undefined ? error : Object.assign(error, { rawCode: code });
  }
}

/** Releases a statement; what had failed in it is said once more, and was told already. */
function finalize(statement: WasmStatement): void {
  try {
    statement.finalize();
  } catch {
    // It is released all the same.
  }
}

function openWith(sqlite: WasmSqlite, file: string): Database {
  const database = translated(() => new sqlite.Database(file));
  const made = new Set<WasmStatement>();

  function prepare(sql: string): Statement {
    let statement: WasmStatement | undefined;
    const use = <T>(work: (statement: WasmStatement) => T): T =>
      translated(() => {
        const mine = statement ?? database.prepare(sql);
        statement = mine;
        made.add(mine);
        try {
          return work(mine);
        } catch (error) {
          // One that has failed can't be used again.
          made.delete(mine);
          finalize(mine);
          statement = undefined;
          throw error;
        }
      });
    const all = (values: readonly SqlValue[]) => use((prepared) => prepared.all(values)) as readonly Row[];
    return {
      run: (values) => void use((prepared) => prepared.run(values)),
      // To the end: one that is left half-way keeps the turn.
      get: (values) => all(values)[0],
      all,
    };
  }

  return {
    exec: (sql) => translated(() => database.exec(sql)),
    prepare,
    close() {
      // The file is closed with its last statement.
      for (const statement of made) finalize(statement);
      translated(() => database.close());
    },
  };
}

/**
 * How much V8 11 runs of a function, in bytes, before it makes the code better: that of SQLite's largest takes 0.3 s of a
 * processor, and a jump back in it counts as 100,000 of them. So a command never gets there, and a bulk job does.
 */
const PATIENT = 2_000_000_000;

/** On Node 20 the exit waits for such work; see also transport/network.ts. */
async function withoutHaste<T>(work: () => Promise<T>): Promise<T> {
  setFlag('wasm-tiering-budget', PATIENT);
  try {
    return await work();
  } finally {
    resetFlags(['wasm-tiering-budget']);
  }
}

/** @throws when its file is not there, or the package's own locks are */
export async function wasmSqlite(): Promise<Sqlite> {
  const module: unknown = await withoutHaste(() => import('node-sqlite3-wasm'));
  const { default: sqlite } = module as { readonly default: WasmSqlite };
  if (sqlite.turns === undefined) throw new Error('node-sqlite3-wasm has locks of its own');
  sqlite.turns = turns;
  return { isNative: false, open: (file) => openWith(sqlite, file) };
}
