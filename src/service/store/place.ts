/**
 * Where the state of a folder is. Native drivers and the portable one each exclude their like by means that the other
 * kind does not see. So each kind has a file of its own, a folder has the one or the other, and while a process has it
 * open, a note in the folder says so: a process of the other kind waits until there is none, makes the file its own kind's,
 * and goes on. No file is ever open in both kinds at once.
 *
 * Nothing slips through between note and look: whoever changes the kind takes the turn first and then looks for notes; a
 * native process leaves its note first and then looks whether somebody has the turn.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeLock, readHolder } from '../../core/fs/lock-file.js';
import { type Holder, isDead, isNear } from '../../core/fs/lock-owner.js';
import { isLeftOver } from '../../core/fs/temporary.js';
import type { Sqlite } from './sqlite.js';
import { heldByOtherKind } from './state-error.js';
import { pause, self } from './turn.js';

/** Name of the database file of native drivers. */
export const STATE_FILE = 'service.db';
/** Name of the database file of the portable driver. */
export const PORTABLE_FILE = 'service.portable.db';

/** The names of all that may belong to the state in a folder. */
export const STATE_NAMES: readonly string[] = [
  STATE_FILE,
  `${STATE_FILE}-wal`,
  `${STATE_FILE}-shm`,
  PORTABLE_FILE,
  `${PORTABLE_FILE}-journal`,
  'files',
];

/** Whose turn it is to use a portable file, or to change the kind. */
export const turnOf = (file: string): string => `${file}.turn`;

/** The file that holds the state of a folder, if it has one. */
export function stateFile(directory: string): string {
  const native = join(directory, STATE_FILE);
  return existsSync(native) ? native : join(directory, PORTABLE_FILE);
}

const NOTE = /^service\.open\.(native|portable)\.[0-9a-f]+\.\d+$/;
/** A note, or somebody's turn, that is just being written. */
const IN_MAKING = /^service\.[\w.-]+\.new$/;
const kindOf = (isNative: boolean): string => (isNative ? 'native' : 'portable');

let notes = 0;

/** Notes that this process has the state open. @returns what takes the note away */
function leaveNote(directory: string, isNative: boolean): () => void {
  const mine = self();
  const note = join(directory, `service.open.${kindOf(isNative)}.${mine.unique}.${++notes}`);
  makeLock(note, mine);
  return () => rmSync(note, { force: true });
}

/** A process with the state open, and its note. */
export interface Visitor {
  readonly holder: Holder | undefined;
  readonly note: string;
}

/** The process that a note names has died. */
function isOfDead(note: string): boolean {
  const holder = readHolder(note);
  return holder !== undefined && isNear(holder) && isDead(holder);
}

/**
 * The notes of processes that were killed while they had the state open. Whoever finds one clears up behind that process,
 * and removes the note at last.
 * @returns the files
 */
export const notesOfDead = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => (IN_MAKING.test(name) ? isLeftOver(name) : NOTE.test(name) && isOfDead(join(directory, name))))
    .map((name) => join(directory, name));

/** Some process that has the state open by this kind of driver, and lives. */
export function visitorOf(directory: string, isNative: boolean): Visitor | undefined {
  for (const name of readdirSync(directory)) {
    if (NOTE.exec(name)?.[1] !== kindOf(isNative)) continue;
    const note = join(directory, name);
    const holder = readHolder(note);
    if (existsSync(note) && !isOfDead(note)) return { holder, note };
  }
  return undefined;
}

export interface Place {
  /** The database file. */
  readonly file: string;
  /** Says that this process has closed it. */
  leave(): void;
}

/** How long a process waits for those of the other kind, and between two looks, in milliseconds. */
const PATIENCE = 10_000;
const STEP = 20;

/**
 * Enters the state's place in a folder, made if there is none.
 * @throws StateError when the state is damaged, or in use by the other kind of driver; what the file system says
 */
export async function enter(directory: string, sqlite: Sqlite): Promise<Place> {
  const { isNative } = sqlite;
  const file = join(directory, isNative ? STATE_FILE : PORTABLE_FILE);
  const turn = turnOf(join(directory, PORTABLE_FILE));
  for (let waited = 0; ; waited += STEP) {
    const leave = leaveNote(directory, isNative);
    try {
      if (isNative && !existsSync(turn) && existsSync(file)) return { file, leave };
      const { makePlace } = await import('./take-over.js');
      const other = makePlace(directory, sqlite);
      if (other === undefined) return { file, leave };
      if (waited >= PATIENCE) throw heldByOtherKind(stateFile(directory), other);
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    pause(STEP);
  }
}
