/** Duration and number of runs, and what is measured: memory, and leftovers in folders and among processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const number = (name: string, otherwise: number): number => Number(process.env[name] || otherwise);

/** Seconds of each load. */
export const SECONDS = number('EDU_LOAD_SECONDS', 120);
/** Number of command lines, one after the other, and again 16 at a time. */
export const RUNS = number('EDU_LOAD_RUNS', 1_000);

/** Resident memory of a process in MiB (proc(5)). */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) / 1024;
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('there is nothing to take the middle of');
  return middle;
}

/** The growth of evenly spaced values from the second quarter of the time to the last. */
export function growth(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4);
  return median(values.slice(-quarter)) - median(values.slice(quarter, 2 * quarter));
}

/** Files below a folder, and empty folders, by relative path, sorted. */
export function everythingIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((one) => {
      if (!one.isDirectory()) return [one.name];
      const inside = everythingIn(join(folder, one.name));
      return inside.length === 0 ? [`${one.name}/`] : inside.map((name) => `${one.name}/${name}`);
    })
    .sort();
}

/** Processes with this text in their environment, by their command lines. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')];
      } catch {
        // It has ended meanwhile, or belongs to another user.
        return [];
      }
    });
}
