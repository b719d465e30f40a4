/** Bundles the parts of the bundled service that the benchmarks call in process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = (name) => JSON.stringify(fileURLToPath(new URL(`../src/service/${name}`, import.meta.url)));

/**
 * @returns {Promise<{ parts: any, remove: () => void }>} `openStore`, `createService`, `seedFill`, `personaToken`
 */
export async function serviceParts() {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-service-'));
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `export { openStore } from ${source('store/store.ts')};
     export { createService } from ${source('service.ts')};
     export { seedFill } from ${source('seeds/seed.ts')};
     export { personaToken } from ${source('personas.ts')};`,
  );
  const root = fileURLToPath(new URL('..', import.meta.url));
  const bundle = await rolldown({
    cwd: root,
    input: entry,
    platform: 'node',
    external: ['libsql', 'node:sqlite'],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
  await bundle.close();
  // In node_modules, so that the bundle finds libsql.
  const file = join(root, 'node_modules', `.edu-bench-${process.pid}.cjs`);
  writeFileSync(file, output[0].code);
  const parts = createRequire(import.meta.url)(file);
  return {
    parts,
    remove() {
      rmSync(folder, { recursive: true, force: true });
      rmSync(file, { force: true });
    },
  };
}
