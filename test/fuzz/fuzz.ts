/**
 * Runs a property over many cases. In the suite it is few cases that are the same in every run; `npm run fuzz` takes
 * more, and others each time. A failure prints the seed and the smallest case: `EDU_FUZZ_SEED=N EDU_FUZZ_PATH=… npm run
 * fuzz -- -t NAME` plays it again.
 */
import fc from 'fast-check';
import { test } from 'vitest';

const number = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

/** Cases of each property. */
export const RUNS = number('EDU_FUZZ_RUNS') ?? 500;
const FIXED_SEED = 20260101;
const SEED =
  number('EDU_FUZZ_SEED') ?? (process.env.EDU_FUZZ_RUNS === undefined ? FIXED_SEED : Date.now() & 0x7fffffff);

/** No case may take longer, in milliseconds. Most take less than one; the rest is for machines that do other things. */
const LONGEST_CASE = 5_000;

/** What every object inherits from: nothing that is read may change it. */
const ROOTS: readonly object[] = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Object];
const picture = (): string => ROOTS.map((root) => Reflect.ownKeys(root).map(String).join()).join('\n');
const UNTOUCHED = picture();

export class Polluted extends Error {
  override readonly name = 'Polluted';
}

/** @throws Polluted when something was added to, or taken from, what every object inherits */
export function checkPrototypes(): void {
  if (picture() !== UNTOUCHED) throw new Polluted(`prototypes were changed: ${picture()}`);
}

export interface FuzzOptions<T> {
  /** Cases that are always tried first: what broke before, and what is known to be hard. */
  readonly examples?: readonly T[];
  /** Cases of this property for each one of `RUNS`: below 1 for what takes long. */
  readonly share?: number;
}

/**
 * A test of a property.
 * @param check throws, or rejects, when the property does not hold
 */
export function fuzz<T>(
  name: string,
  cases: fc.Arbitrary<T>,
  check: (one: T) => void | Promise<void>,
  { examples = [], share = 1 }: FuzzOptions<T> = {},
): void {
  const runs = Math.max(20, Math.round(RUNS * share));
  test(`${name} (${runs} cases)`, { timeout: Math.max(60_000, runs * (share < 1 ? 500 : 100)) }, async () => {
    const property = fc.asyncProperty(cases, async (one) => {
      const start = performance.now();
      await check(one);
      const took = performance.now() - start;
      if (took > LONGEST_CASE) throw new Error(`took ${Math.round(took)} ms`);
      checkPrototypes();
    });
    await fc.assert(property, {
      numRuns: runs,
      seed: SEED,
      ...(process.env.EDU_FUZZ_PATH === undefined ? {} : { path: process.env.EDU_FUZZ_PATH }),
      examples: examples.map((one): [T] => [one]),
      includeErrorInReport: true,
    });
  });
}

/** What a call came to: its value, or one of the errors that are meant to be thrown. */
export type Tried<T> = { readonly value: T } | { readonly error: Error };

/**
 * Calls something whose input came from outside.
 * @param expected whether an error is one of those that say what is wrong with the input
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
