/** Documents in files, changed or spoiled, and command lines that read them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { run } from '../support/run.js';
import { bytes, jsonText, key, spoiled } from './hostile.js';

/** A document with some members replaced by any value. */
export const changed = (document: Readonly<Record<string, unknown>>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(document)), key), jsonText), { maxLength: 3 })
    .map((changes) => {
      const members = new Map(Object.entries(document).map(([name, value]) => [name, JSON.stringify(value)]));
      for (const [name, value] of changes) members.set(name, value);
      return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
    });

export const fileOf = (document: Readonly<Record<string, unknown>>) =>
  fc.oneof(
    { weight: 3, arbitrary: changed(document).map((one) => Buffer.from(one)) },
    { weight: 1, arbitrary: spoiled(changed(document)) },
    { weight: 1, arbitrary: bytes },
  );

/** Runs a line that must end with a documented exit code for any content of the files, never with an internal error. */
export async function sound(env: Readonly<Record<string, string>>, ...argv: string[]): Promise<void> {
  const { code, stderr } = await run([...argv, '--json'], { env });
  if (stderr.includes('"kind":"internal"')) throw new Error(`edu ${argv[0]} ${argv[1]}: ${stderr.slice(0, 300)}`);
  expect([0, 1, 2, 3, 4, 5]).toContain(code);
}
