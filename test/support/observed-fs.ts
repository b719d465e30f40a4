/** Functions of node:fs that a test observes: they do what they do, and the test notes when. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Replaces functions of node:fs, also where they were imported by name, until the test ends. */
export function observeFs(replacements: (real: typeof fs) => Partial<typeof fs>): void {
  const real = { ...fs };
  const replaced = replacements(real);
  Object.assign(fs, replaced);
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const name of Object.keys(replaced)) Reflect.set(fs, name, Reflect.get(real, name));
    syncBuiltinESMExports();
  });
}
