/** Writes docs/reference/ and docs/openapi.json anew, from the sources: `npm run docs`. It needs no build. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { openapi } from './openapi.mjs';
import { referencePages } from './reference.mjs';

const root = new URL('../..', import.meta.url);

const bundle = await rolldown({
  cwd: fileURLToPath(root),
  input: 'src/commands/help/all-pages.ts',
  platform: 'node',
  // Commands are only described here, not run.
  external: ['libsql', 'node:sqlite'],
  logLevel: 'silent',
});
const folder = mkdtempSync(join(tmpdir(), 'edu-docs-'));
await bundle.write({ dir: folder, format: 'cjs', entryFileNames: 'pages.cjs', chunkFileNames: '[name]-[hash].cjs' });
await bundle.close();
const { manual } = createRequire(import.meta.url)(join(folder, 'pages.cjs'));
const loaded = await manual();
rmSync(folder, { recursive: true });

const reference = new URL('docs/reference/', root);
rmSync(reference, { recursive: true, force: true });
for (const [name, text] of referencePages(loaded)) {
  const file = new URL(name, reference);
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, text);
}
writeFileSync(new URL('docs/openapi.json', root), openapi(loaded));
