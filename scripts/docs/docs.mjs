/** Writes docs/reference/, docs/schema/, docs/openapi.json and the list of man pages in package.json, without a build. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { manPages } from './man.mjs';
import { openapi } from './openapi.mjs';
import { referencePages } from './reference.mjs';

const root = new URL('../..', import.meta.url);

const bundle = await rolldown({
  cwd: fileURLToPath(root),
  input: 'src/commands/help/all-pages.ts',
  platform: 'node',
  // No command is run here.
  external: ['libsql', 'node:sqlite'],
  logLevel: 'silent',
});
const folder = mkdtempSync(join(tmpdir(), 'edu-docs-'));
await bundle.write({ dir: folder, format: 'cjs', entryFileNames: 'pages.cjs', chunkFileNames: '[name]-[hash].cjs' });
await bundle.close();
const { manual } = createRequire(import.meta.url)(join(folder, 'pages.cjs'));
const loaded = await manual();
rmSync(folder, { recursive: true });

/** Replaces the pages in a folder. @param {Iterable<readonly [name: string, text: string]>} pages */
function rewrite(/** @type {string} */ under, pages) {
  const url = new URL(under, root);
  rmSync(url, { recursive: true, force: true });
  for (const [name, text] of pages) {
    const file = new URL(name, url);
    mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
    writeFileSync(file, text);
  }
}

rewrite('docs/reference/', referencePages(loaded));
rewrite('docs/schema/', loaded.schemas);
writeFileSync(new URL('docs/openapi.json', root), openapi(loaded));

// npm links man pages only if package.json lists each file.
const description = new URL('package.json', root);
const fields = JSON.parse(readFileSync(description, 'utf8'));
fields.man = [...manPages(loaded, fields.version)].map(([name]) => `./dist/man/${name}`).sort();
writeFileSync(description, `${JSON.stringify(fields, null, 2)}\n`);
