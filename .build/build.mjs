/**
 * Builds dist/: one bundle in CommonJS, split so that a command loads only what it uses, the help pages as files, and the
 * man pages.
 * Run by `npm run build` and, through `prepare`, by `npm ci`.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { manPages } from './man.mjs';
import { undiciInPart } from './undici.mjs';

const root = new URL('..', import.meta.url);
// Built aside and put in place at once: a program that runs meanwhile never sees half of it.
const dist = new URL(`dist.${process.pid}.tmp/`, root);
const finished = new URL('dist', root);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const bundle = await rolldown({
  cwd: fileURLToPath(root),
  input: { edu: 'src/entry.ts', pages: 'src/commands/pages.ts', service: 'src/service/index.ts' },
  platform: 'node',
  // Native code can't be bundled; it is an optional dependency, needed on Node 20 only.
  external: ['libsql', 'node:sqlite'],
  plugins: [undiciInPart()],
  transform: { define: { EDU_VERSION: JSON.stringify(version) }, target: 'node20' },
  logLevel: 'warn',
});
await bundle.write({
  dir: fileURLToPath(dist),
  format: 'cjs',
  // A real import() would start Node's loader of ES modules: 5 ms.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  minify: true,
  sourcemap: true,
});
await bundle.close();

const { helpPages, manual } = createRequire(import.meta.url)(fileURLToPath(new URL('pages.cjs', dist)));
const help = new URL('help/', dist);
mkdirSync(help);
for (const [name, text] of await helpPages()) writeFileSync(new URL(`${name}.txt`, help), text);
const man = new URL('man/', dist);
mkdirSync(man);
for (const [name, text] of manPages(await manual(), version)) writeFileSync(new URL(name, man), text);

const former = new URL(`dist.${process.pid}.old`, root);
if (existsSync(finished)) renameSync(finished, former);
renameSync(dist, finished);
rmSync(former, { recursive: true, force: true });

// `npx edu` in a clone finds the program here at once; without the link npx would install the folder into a cache first.
const bins = new URL('node_modules/.bin/', root);
if (existsSync(bins) && process.platform !== 'win32') {
  rmSync(new URL('edu', bins), { force: true });
  symlinkSync('../../bin/edu.js', new URL('edu', bins));
}
