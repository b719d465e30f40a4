/** Runs the built program with failing system calls for files below one folder (failing-calls.c). */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exit, edu } from '../support/spawned.js';

const { ENOSPC, EIO, ENOLCK } = constants.errno;

/** Kinds of calls that can be made to fail. */
export const CALLS = ['open', 'write', 'sync', 'rename', 'mkdir', 'truncate'] as const;
export type Call = (typeof CALLS)[number];

/** How a call fails: a full disk keeps failing, a bad block fails once, a short write is no failure. */
export const WAYS = {
  'full from there on': { errno: ENOSPC, times: 1_000_000, calls: CALLS },
  'one EIO': { errno: EIO, times: 1, calls: CALLS },
  'one short write': { errno: 0, times: 1, calls: ['write'] },
} as const;
export type Way = keyof typeof WAYS;

export interface Fault {
  readonly way: Way;
  readonly call: Call;
  /** Number of the call among those of its kind, from 1. */
  readonly at: number;
}

const built = mkdtempSync(join(process.env.EDU_TEST_SEEDS ?? tmpdir(), 'edu-failing-'));
const library = join(built, 'failing-calls.so');

function preloaded(folder: string, log: string): Record<string, string> {
  if (!existsSync(library)) {
    const source = join(import.meta.dirname, 'failing-calls.c');
    execFileSync('cc', [
      '-O1',
      '-U_FORTIFY_SOURCE',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-shared',
      '-fPIC',
      '-o',
      library,
      source,
      '-ldl',
    ]);
  }
  return { LD_PRELOAD: library, EDU_FAIL_BELOW: realpathSync(folder), EDU_FAIL_LOG: log };
}

type Env = Readonly<Record<string, string>>;

let logs = 0;

/** A run with its counted calls: kind and path, and `!` if they failed. */
export interface Counted extends Exit {
  readonly calls: readonly string[];
}

async function watched(argv: readonly string[], env: Env, folder: string, more: Env): Promise<Counted> {
  const log = join(built, `${logs++}.log`);
  const exit = await edu(argv, { env: { ...env, ...preloaded(folder, log), ...more } });
  const calls = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  rmSync(log, { force: true });
  return { ...exit, calls };
}

/** Runs the program with one failing call, or all calls from one on. */
export const failing = (
  argv: readonly string[],
  env: Env,
  folder: string,
  { way, call, at }: Fault,
): Promise<Counted> =>
  watched(argv, env, folder, {
    EDU_FAIL_CALL: call,
    EDU_FAIL_AT: `${at}`,
    EDU_FAIL_HOW: `${WAYS[way].errno}`,
    EDU_FAIL_ON: `${WAYS[way].times}`,
  });

/** Runs the program on a file system that refuses locks, from one lock on. @param at number of the lock, from 1 */
export const withoutLocks = (argv: readonly string[], env: Env, folder: string, at: number): Promise<Counted> =>
  watched(argv, env, folder, {
    EDU_FAIL_CALL: 'lock',
    EDU_FAIL_AT: `${at}`,
    EDU_FAIL_HOW: `${ENOLCK}`,
    EDU_FAIL_ON: '1000000',
  });

/** Every nth fault: all of them take minutes. */
const EVERY = Number(process.env.EDU_DISK_EVERY ?? 1);

/** All faults of one kind that are possible in a run with these calls. */
export function faultsOf(calls: readonly string[], way: Way): readonly Fault[] {
  const all = WAYS[way].calls.flatMap((call) => {
    const count = calls.filter((one) => one.startsWith(`${call} `)).length;
    return Array.from({ length: count }, (_, index): Fault => ({ way, call, at: index + 1 }));
  });
  // So that the kinds begin at different calls.
  const first = Object.keys(WAYS).indexOf(way) % EVERY;
  return all.filter((_, index) => index % EVERY === first);
}

/** Runs the program and counts its calls, without a fault. */
export const counted = (argv: readonly string[], env: Env, folder: string): Promise<Counted> =>
  watched(argv, env, folder, { EDU_FAIL_AT: '0' });

/** SQLite does not report why it could not open a file, and may open it read-only. */
const REASON =
  /ENOSPC|EIO|no space left|the disk failed|disk is full|disk I\/O error|unable to open database file|attempt to write a readonly database/;

/** The problems of an error message: none if it names file, reason and next step. */
export function unclear({ stderr }: Exit, folder: string): readonly string[] {
  const lacks: string[] = [];
  if (!REASON.test(stderr)) lacks.push('names no reason');
  if (!stderr.includes(folder)) lacks.push('names no file');
  if (!/^Hint: ./m.test(stderr)) lacks.push('has no hint');
  if (/\bbug\b|^\s+at |undefined/m.test(stderr)) lacks.push('looks like a bug');
  return lacks;
}

/** Names of temporary files, which contain a process tag: none may be left. */
const TEMPORARY = /\d+-(\d+|x)-[0-9a-f]{8}|\.tmp-|\.part\b|\.new$|\.break$/;

/** Files below a folder that should not exist after a command. */
export const leftIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => TEMPORARY.test(path) || /(^|\/)lock$|\.lock$/.test(path),
  );

/**
 * Runs work for each item, two at a time.
 * @returns the results, in the order of the items
 */
export async function inPairs<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
  };
  await Promise.all([worker(), worker()]);
  return results;
}
