/**
 * Runs a property over many cases: a few in the suite, the same in every run; more and different ones in `npm run
 * fuzz`. A failure prints the smallest case and the command that repeats it. A case that takes too long is a failure.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import { SEED } from '../support/property-seed.js';

const number = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

/** Cases of each property. */
export const RUNS = number('EDU_FUZZ_RUNS') ?? 500;

/**
 * The maximum of processor time per case, in milliseconds; most take less than one. Unlike the elapsed time, it does
 * not depend on other load.
 */
const MOST_WORK = 5_000;

/** Milliseconds before the timeout of a test in which it can still report its progress. */
const TO_REPORT = 10_000;

/** Characters of a case that are printed. The command that repeats it has all of it. */
const LONGEST_SHOWN = 4_000;

/** Prototypes that no input may change. */
const ROOTS: readonly object[] = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Object];
const picture = (): string => ROOTS.map((root) => Reflect.ownKeys(root).map(String).join()).join('\n');
const UNTOUCHED = picture();

export class Polluted extends Error {
  override readonly name = 'Polluted';
}

/** @throws Polluted if a prototype was changed */
export function checkPrototypes(): void {
  if (picture() !== UNTOUCHED) throw new Polluted(`prototypes were changed: ${picture()}`);
}

export interface FuzzOptions<T> {
  /** Cases that are always tried first: earlier failures and known hard cases. */
  readonly examples?: readonly T[];
  /** Cases of this property for each of `RUNS`: below 1 for slow ones. */
  readonly share?: number;
}

function shownCase(one: unknown): string {
  const text = fc.stringify(one);
  return text.length <= LONGEST_SHOWN
    ? text
    : `${text.slice(0, LONGEST_SHOWN)}… and ${text.length - LONGEST_SHOWN} more characters`;
}

/** The command that repeats a failure. */
function again(name: string, path: string | null): string {
  const pattern = name.replace(/[\\^$.*+?()[\]{}|']/g, '.');
  const variables = `EDU_FUZZ_SEED=${SEED} EDU_FUZZ_RUNS=${RUNS}${path === null ? '' : ` EDU_FUZZ_PATH=${path}`}`;
  return `${variables} npm run fuzz -- -t '${pattern}'`;
}

/**
 * The failure, with the seed and the case.
 * @param current the last case under way
 */
function failure<T>(name: string, details: fc.RunDetails<[T]>, current: T | undefined): Error {
  const { counterexample, counterexamplePath, numRuns, numShrinks, errorInstance, interrupted } = details;
  const text =
    counterexample === null
      ? [`The time was over after ${numRuns} cases.`, `Case under way: ${shownCase(current)}`]
      : [
          `Failed after ${numRuns} cases, made smaller ${numShrinks} times${interrupted ? ' until the time was over' : ''}.`,
          `Case: ${shownCase(counterexample[0])}`,
          `Error: ${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`,
        ];
  return new Error([...text, `Again: ${again(name, counterexamplePath)}`].join('\n'), { cause: errorInstance });
}

/**
 * A test of a property.
 * @param check throws or rejects if the property does not hold
 */
export function fuzz<T>(
  name: string,
  cases: fc.Arbitrary<T>,
  check: (one: T) => void | Promise<void>,
  { examples = [], share = 1 }: FuzzOptions<T> = {},
): void {
  const runs = Math.max(20, Math.round(RUNS * share));
  const timeout = Math.max(60_000, runs * (share < 1 ? 500 : 100));
  test(`${name} (${runs} cases)`, { timeout }, async () => {
    let current: T | undefined;
    const property = fc.asyncProperty(cases, async (one) => {
      current = one;
      const start = process.cpuUsage();
      await check(one);
      const { user, system } = process.cpuUsage(start);
      const worked = (user + system) / 1000;
      if (worked > MOST_WORK) throw new Error(`took ${Math.round(worked)} ms of the processor`);
      checkPrototypes();
    });
    const details = await fc.check(property, {
      numRuns: runs,
      ...(process.env.EDU_FUZZ_PATH === undefined ? {} : { path: process.env.EDU_FUZZ_PATH }),
      examples: examples.map((one): [T] => [one]),
      interruptAfterTimeLimit: timeout - TO_REPORT,
      markInterruptAsFailure: true,
    });
    if (details.failed) throw failure(name, details, current);
  });
}

/** The outcome of a call: its value, or an expected error. */
export type Tried<T> = { readonly value: T } | { readonly error: Error };

/**
 * Calls a function with untrusted input.
 * @param expected returns true for an error that describes a problem of the input
 * @throws any other error: that is a bug
 */
export async function tryTo<T>(work: () => T | Promise<T>, expected: (error: Error) => boolean): Promise<Tried<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof Error && expected(error)) return { error };
    throw error;
  }
}
