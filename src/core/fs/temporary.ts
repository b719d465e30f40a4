/**
 * Names of what is there only while a process works: temporary folders, and files that are not complete. They say which
 * process made them, so that another one can tell when they are left over because that one was killed, and removes them.
 * It knows nothing of what is in them.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Holder, isDead, thisProcess } from './lock-owner.js';

interface Self {
  readonly holder: Holder;
  /** Where its number counts: on which machine, and in which of its spaces of numbers. Names must not show the first. */
  readonly where: string;
}

let mine: Self | undefined;

function self(): Self {
  if (mine === undefined) {
    const holder = thisProcess('');
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    mine = { holder, where: hash.update(`${holder.host}\n${holder.space}`).digest('hex').slice(0, 8) };
  }
  return mine;
}

/** Names this process: letters, digits and `-`. */
export function ownMark(): string {
  const { holder, where } = self();
  return `${holder.pid}-${holder.born ?? 'x'}-${where}`;
}

const MARK = /(?<!\w)([1-9]\d{0,14})-(\d+|x)-([0-9a-f]{8})(?![\w-])/;

/** Whether a name carries no tag of this machine, so that nobody here can tell if its process lives. */
export const isFromElsewhere = (name: string): boolean => MARK.exec(name)?.[3] !== self().where;

/** Whether the process that a name speaks of was one of this machine, and has died. */
export function isLeftOver(name: string): boolean {
  const [, pid, born, where] = MARK.exec(name) ?? [];
  const { holder, where: here } = self();
  if (where !== here) return false;
  return isDead({ ...holder, pid: Number(pid), born: born === undefined || born === 'x' ? null : born });
}

/**
 * Removes what processes that died have left in a folder, if it belongs to this user. A folder that can't be read, and
 * what can't be removed, stays as it is.
 * @param isOurs whether a name has the form that is looked for
 */
export function removeLeftOvers(folder: string, isOurs: (name: string) => boolean): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    if (!isOurs(name) || !isLeftOver(name)) continue;
    const path = join(folder, name);
    try {
      const user = process.geteuid?.();
      if (user === undefined || lstatSync(path).uid === user) rmSync(path, { recursive: true, force: true });
    } catch {
      // Gone already, or not to be touched: it is no reason for the command at hand to fail.
    }
  }
}

const FOLDER = /^edu-(files|snapshots|diff|sort)-[\w-]+\.\w{6}$/;

/** What was not given back yet. */
const made = new Set<string>();

function forget(path: string): void {
  made.delete(path);
  rmSync(path, { recursive: true, force: true });
}

function forgetAll(): void {
  for (const path of made) {
    try {
      forget(path);
    } catch {
      // A thread is still writing into it: the next process removes it.
    }
  }
}

export interface TemporaryFolder {
  readonly path: string;
  /** Removes it with all that is in it. */
  remove(): void;
}

/**
 * Makes a private folder where the system keeps temporary files. It is removed when the process ends, at the latest; those
 * of processes that were killed are removed by the next one that makes one.
 * @throws the system's error when it can't be made
 */
export function temporaryFolder(kind: 'files' | 'snapshots' | 'diff' | 'sort'): TemporaryFolder {
  // Imported here only: what every command loads comes by this file.
  const folder = process.getBuiltinModule('node:os').tmpdir();
  if (made.size === 0) {
    removeLeftOvers(folder, (name) => FOLDER.test(name));
    process.off('exit', forgetAll).on('exit', forgetAll);
  }
  const path = mkdtempSync(join(folder, `edu-${kind}-${ownMark()}.`));
  made.add(path);
  return { path, remove: () => forget(path) };
}
