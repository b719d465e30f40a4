/**
 * Temporary files and folders, tagged with the process that owns them, so that a later process removes those of a
 * killed one.
 */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './disk-errors.js';

/** Start time of a local process in the system's own unit; undefined if it is unknown or the process has exited. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in parentheses may contain spaces (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has exited, but its parent has not waited for it, which is common in containers.
    return state === 'Z' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return codeOf(error) !== 'ESRCH';
  }
}

/** Containers on one host have their own process IDs (namespaces(7)). */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Hash of host and PID namespace, so that file names do not reveal the host. */
function machineHash(): string {
  // Both modules are loaded here only, because every command loads this file.
  const host = process.getBuiltinModule('node:os').hostname();
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  return hash.update(`${host}\n${pidNamespace()}`).digest('hex').slice(0, 8);
}

let own: string | undefined;

/** The tag of this process for file names: its ID, start time (`x` if unknown) and machine, of letters, digits and `-`. */
export function processTag(): string {
  own ??= `${process.pid}-${startTimeOf(process.pid) ?? 'x'}-${machineHash()}`;
  return own;
}

const TAG = /(?<!\w)([1-9]\d{0,14})-(\d{1,20}|x)-([0-9a-f]{8})(?![\w-])/;

/** True if a name has no tag of this machine, so that its owner cannot be checked here. */
export const isFromElsewhere = (name: string): boolean => TAG.exec(name)?.[3] !== processTag().slice(-8);

/** True if a name has the tag of a process of this machine that has exited. */
export function isAbandoned(name: string): boolean {
  if (isFromElsewhere(name)) return false;
  const [, pid, startTime] = TAG.exec(name) ?? [];
  // Another start time: a later process has the same ID.
  return !isRunning(Number(pid)) || (startTime !== 'x' && startTime !== startTimeOf(Number(pid)));
}

/**
 * Removes abandoned files of this user from a folder. Never throws; files that cannot be removed stay.
 * @param isOurs whether the name of a file belongs to the caller
 * @param before what another machine made is abandoned if it was last changed before this time
 */
export function removeAbandoned(folder: string, isOurs: (name: string) => boolean, before = 0): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    if (!isOurs(name)) continue;
    const path = join(folder, name);
    try {
      const user = process.geteuid?.();
      const { uid, mtimeMs } = lstatSync(path);
      const isLeft = isAbandoned(name) || (isFromElsewhere(name) && mtimeMs < before);
      if (isLeft && (user === undefined || uid === user)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Already removed, or not removable, which must not make the command fail.
    }
  }
}

const FOLDER = /^edu-(files|snapshots|diff|sort|want)-[\w-]+\.\w{6}$/;

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
export function temporaryFolder(kind: 'files' | 'snapshots' | 'diff' | 'sort' | 'want') {
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
