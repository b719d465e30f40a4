/**
 * Temporary files and folders, tagged with the process that owns them, so that a later process removes those of a
 * killed one.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasExited, type LockOwner, thisProcess } from './lock-owner.js';

interface Self {
  readonly owner: LockOwner;
  /** Hash of host and PID namespace, so that file names do not reveal the host. */
  readonly machineHash: string;
}

let mine: Self | undefined;

function self(): Self {
  if (mine === undefined) {
    const owner = thisProcess('');
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    mine = { owner, machineHash: hash.update(`${owner.host}\n${owner.pidNamespace}`).digest('hex').slice(0, 8) };
  }
  return mine;
}

/** The tag of this process for file names: letters, digits and `-`. */
export function processTag(): string {
  const { owner, machineHash } = self();
  return `${owner.pid}-${owner.startTime ?? 'x'}-${machineHash}`;
}

const TAG = /(?<!\w)([1-9]\d{0,14})-(\d+|x)-([0-9a-f]{8})(?![\w-])/;

/** Whether a name has no tag of this machine, so that its owner cannot be checked here. */
export const isFromElsewhere = (name: string): boolean => TAG.exec(name)?.[3] !== self().machineHash;

/** Whether a name has the tag of a process of this machine that has exited. */
export function isAbandoned(name: string): boolean {
  const [, pid, startTime] = TAG.exec(name) ?? [];
  if (isFromElsewhere(name)) return false;
  return hasExited({ ...self().owner, pid: Number(pid), startTime: startTime === 'x' ? null : (startTime ?? null) });
}

/**
 * Removes abandoned files of this user from a folder. Never throws; files that cannot be removed stay.
 * @param isOurs whether the name of a file belongs to the caller
 */
export function removeAbandoned(folder: string, isOurs: (name: string) => boolean): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    if (!isOurs(name) || !isAbandoned(name)) continue;
    const path = join(folder, name);
    try {
      const user = process.geteuid?.();
      if (user === undefined || lstatSync(path).uid === user) rmSync(path, { recursive: true, force: true });
    } catch {
      // Already removed, or not removable, which must not make the command fail.
    }
  }
}

const FOLDER = /^edu-(files|snapshots|diff|sort)-[\w-]+\.\w{6}$/;

/** Folders of this process that were not removed yet. */
const made = new Set<string>();

function removeFolder(path: string): void {
  made.delete(path);
  rmSync(path, { recursive: true, force: true });
}

function removeAll(): void {
  for (const path of made) {
    try {
      removeFolder(path);
    } catch {
      // A thread still writes into it, so the next process removes it.
    }
  }
}

/**
 * Creates a private folder in the system's temporary folder. It is removed when the process exits, if not before.
 * @throws the system's error if it cannot be created
 */
export function temporaryFolder(kind: 'files' | 'snapshots' | 'diff' | 'sort') {
  // node:os is loaded here only, because every command loads this file.
  const folder = process.getBuiltinModule('node:os').tmpdir();
  if (made.size === 0) {
    removeAbandoned(folder, (name) => FOLDER.test(name));
    process.off('exit', removeAll).on('exit', removeAll);
  }
  const path = mkdtempSync(join(folder, `edu-${kind}-${processTag()}.`));
  made.add(path);
  return { path, remove: () => removeFolder(path) };
}

export type TemporaryFolder = ReturnType<typeof temporaryFolder>;
