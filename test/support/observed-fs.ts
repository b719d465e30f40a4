/** Functions of Node's modules that a test observes: they do what they do, and the test notes when. */
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Replaces functions of a built-in module, also where they were imported by name, until the test ends. */
export function observe<M extends object>(module: M, replacements: (real: M) => Partial<M>): void {
  const real = { ...module };
  const replaced = replacements(real);
  Object.assign(module, replaced);
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const name of Object.keys(replaced)) Reflect.set(module, name, Reflect.get(real, name));
    syncBuiltinESMExports();
  });
}
