/** The owners of locks and temporary files: process, machine, and whether the process still runs. */
import { readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from './disk-errors.js';

/** The host name. node:os takes 0.4 ms to load, so it is not imported by this file, which every command loads. */
const hostname = (): string => process.getBuiltinModule('node:os').hostname();

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** PID namespace, because containers on one host have their own process IDs (namespaces(7)); null if unknown. */
  readonly pidNamespace: string | null;
  /** In the system's own unit, to detect a reused process ID; null if unknown. */
  readonly startTime: string | null;
  /** Different for every process and lock. */
  readonly unique: string;
}

function ownNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** Start time of a local process; null if unknown or if it has exited. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in parentheses may contain spaces (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has exited, but its parent has not waited for it, which is common in containers.
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
  } catch {
    return null;
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

/** This process as an owner. @param unique letters and digits that are unique to the lock */
export const thisProcess = (unique: string): LockOwner => ({
  pid: process.pid,
  host: hostname(),
  pidNamespace: ownNamespace(),
  startTime: startTimeOf(process.pid),
  unique,
});

/** Whether this process can check if the owner still runs. */
export const isLocal = (owner: LockOwner): boolean =>
  owner.host === hostname() && owner.pidNamespace === ownNamespace();

/** Whether a local owner has exited. */
export const hasExited = ({ pid, startTime }: LockOwner): boolean =>
  !isRunning(pid) || (startTime !== null && startTime !== startTimeOf(pid));
