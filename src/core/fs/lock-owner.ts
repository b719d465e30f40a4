/**
 * Processes as holders of what others must not touch meanwhile: who this one is, and whether another one still lives. It
 * knows neither locks nor names of files.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from './disk-errors.js';

/** This machine's name. Every command loads this file, and few need node:os, which takes 0.4 ms. */
const hostname = (): string => process.getBuiltinModule('node:os').hostname();

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Among which processes the number counts: containers on one host have numbers of their own. */
  readonly space: string | null;
  /** When the process began, by the system's own count: a number may be given to another process later. */
  readonly born: string | null;
  /** Different for every process and lock. */
  readonly unique: string;
}

/** Linux tells which processes see each other's numbers (namespaces(7)). */
function ownSpace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** When a process of this machine began; null where the system does not say, and for one that has died. */
function bornOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in parentheses may hold blanks (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is dead, although nobody has taken note of it: in containers often nobody does.
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}

/** Whether a process of this machine has that number now. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as somebody else.
    return codeOf(error) !== 'ESRCH';
  }
}

/** This process as a holder. @param unique letters and digits that no other holder has */
export const thisProcess = (unique: string): Holder => ({
  pid: process.pid,
  host: hostname(),
  space: ownSpace(),
  born: bornOf(process.pid),
  unique,
});

/** Whether this process can tell if the holder lives. */
export const isNear = (holder: Holder): boolean => holder.host === hostname() && holder.space === ownSpace();

/** Whether a holder that is near has died. */
export const isDead = (holder: Holder): boolean =>
  !isRunning(holder.pid) || (holder.born !== null && holder.born !== bornOf(holder.pid));
