/** The owners of locks and temporary files: process, machine, and whether the process still runs. */
import { readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from './disk-errors.js';

/** This machine's name. Every command loads this file, and few need node:os, which takes 0.4 ms. */
const hostname = (): string => process.getBuiltinModule('node:os').hostname();

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Containers on one host have process numbers of their own (namespaces(7)); null where the system does not tell. */
  readonly pidNamespace: string | null;
  /** By the system's own count, since a number may be given to another process later; null where it does not tell. */
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

/** When a process of this machine started; null where the system does not tell, and for one that has exited. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in parentheses may hold blanks (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has exited, although its parent has not waited for it: in containers often none does.
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

/** This process as an owner. @param unique letters and digits that no other owner has */
export const thisProcess = (unique: string): LockOwner => ({
  pid: process.pid,
  host: hostname(),
  pidNamespace: ownNamespace(),
  startTime: startTimeOf(process.pid),
  unique,
});

/** Whether this process can tell if the owner still runs. */
export const isLocal = (owner: LockOwner): boolean =>
  owner.host === hostname() && owner.pidNamespace === ownNamespace();

/** Whether a local owner has exited. */
export const hasExited = ({ pid, startTime }: LockOwner): boolean =>
  !isRunning(pid) || (startTime !== null && startTime !== startTimeOf(pid));
