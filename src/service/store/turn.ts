/**
 * One process at a time, by a file that names whose turn it is, for work that is synchronous. The turn of a process that
 * died passes to exactly one other. It knows no databases.
 *
 * Taking over from the dead must not be a matter of luck, and a file cannot be replaced only if it is still the same. So
 * a dead process' turn is never removed by those who want it: they try to make a file named after it, which only one can,
 * and then look whether the dead one still has the turn. If so, nobody else can have come between: whoever did would have
 * made that file before. Whoever has made it may die, too; then its successor makes one named after that, and so on.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { makeLock, nameInMaking, readHolder } from '../../core/fs/lock-file.js';
import { type Holder, isDead, isNear, thisProcess } from '../../core/fs/lock-owner.js';

interface Link {
  readonly file: string;
  readonly unique: string;
}

const successorOf = (lock: string, unique: string): string => `${lock}.${unique}`;

/** Takes over from a process that died. @returns false when it has not, or another was quicker */
function succeed(lock: string, mine: Holder): boolean {
  const dead: Link[] = [];
  let file = lock;
  do {
    const holder = readHolder(file);
    if (holder === undefined || !isNear(holder) || !isDead(holder)) return false;
    dead.push({ file, unique: holder.unique });
    file = successorOf(lock, holder.unique);
  } while (!makeLock(file, mine));
  if (dead.some((one) => readHolder(one.file)?.unique !== one.unique)) {
    rmSync(file, { force: true });
    return false;
  }
  // It is mine. From here on the lock's own file says so, and the others are not needed any more.
  const renamed = nameInMaking(lock, mine);
  writeFileSync(renamed, JSON.stringify(mine), { mode: 0o600 });
  renameSync(renamed, lock);
  for (const one of dead.slice(1)) rmSync(one.file, { force: true });
  rmSync(file, { force: true });
  return true;
}

let me: Holder | undefined;

/** This process, under the same name in all its turns: a dead one's name never comes back. */
export function self(): Holder {
  me ??= thisProcess(process.getBuiltinModule('node:crypto').randomBytes(9).toString('hex'));
  return me;
}

/** Waits without an event loop, in milliseconds. */
export const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** Between two looks, in milliseconds: the longer it takes, the less often. */
const SHORTEST = 1;
const LONGEST = 8;

/**
 * Waits for the turn. Not to be asked for while this process has it.
 * @param lock the file
 * @param patience milliseconds
 * @returns false when another process did not let go of it for so long
 * @throws what the file system says when the file can't be made
 */
export function takeTurn(lock: string, patience: number): boolean {
  const mine = self();
  let step = SHORTEST;
  for (let waited = 0; ; waited += step) {
    if (makeLock(lock, mine) || succeed(lock, mine)) return true;
    if (waited >= patience) return false;
    step = Math.min(step + 1, LONGEST);
    pause(step);
  }
}

/** Lets the next one. @param lock the file; its turn must be this process' */
export const endTurn = (lock: string): void => rmSync(lock, { force: true });
