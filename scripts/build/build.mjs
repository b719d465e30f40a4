/**
 * Builds dist/: the bundle in CommonJS, split into chunks so that a command loads only what it uses, the help pages and
 * the man pages. Run by `npm run build` and, through `prepare`, by `npm ci`.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { manPages } from '../docs/man.mjs';
import { CHUNKS } from './chunks.mjs';
import { libsqlInside } from './libsql.mjs';
import { withLicences } from './licences.mjs';
import { slim } from './slim.mjs';
import { typesInOne } from './types.mjs';
import { undiciInPart } from './undici.mjs';
import { withoutUnused } from './unused.mjs';

const root = new URL('../..', import.meta.url);
// Built in another folder and renamed at the end, so that a program that runs meanwhile finds a complete bundle.
const dist = new URL(`dist.${process.pid}.tmp/`, root);
const finished = new URL('dist', root);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const bundle = await rolldown({
  cwd: fileURLToPath(root),
  input: { edu: 'src/app/entry.ts', pages: 'src/commands/help/all-pages.ts', service: 'src/service/index.ts' },
  platform: 'node',
  external: ['node:sqlite'],
  plugins: [undiciInPart(), withoutUnused(), libsqlInside(), withLicences(fileURLToPath(root))],
  transform: { define: { EDU_VERSION: JSON.stringify(version) }, target: 'node20' },
  logLevel: 'warn',
  // Some modules are imported both lazily and statically on purpose: chunks.mjs assigns modules to files.
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: fileURLToPath(dist),
  format: 'cjs',
  // A real import() would start Node's loader of ES modules, which takes 5 ms.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  codeSplitting: { groups: CHUNKS },
  minify: true,
  sourcemap: true,
  // Stack traces need only names and lines.
  sourcemapExcludeSources: true,
});
await bundle.close();
for (const folder of ['.', 'chunks']) slim(fileURLToPath(new URL(folder, dist)));

// The types of `edu-cli/service`. Their folder has its own package.json, because they describe CommonJS.
const all = fileURLToPath(new URL('types.all/', dist));
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
const project = fileURLToPath(new URL('tsconfig.types.json', import.meta.url));
execFileSync(process.execPath, [tsc, '-p', project, '--outDir', all], { stdio: ['ignore', 'inherit', 'inherit'] });
mkdirSync(new URL('types/service/', dist), { recursive: true });
writeFileSync(new URL('types/service/index.d.ts', dist), typesInOne(`${all}service/index.d.ts`));
writeFileSync(new URL('types/package.json', dist), '{ "type": "commonjs" }\n');
rmSync(all, { recursive: true });

const { helpPages, manual } = createRequire(import.meta.url)(fileURLToPath(new URL('pages.cjs', dist)));
const help = new URL('help/', dist);
mkdirSync(help);
// src/app/entry.ts reads one file for each group: a file for each page would waste space on the disk.
for (const [name, text] of await helpPages()) {
  appendFileSync(new URL(`${name.split('.', 2).join('.')}.txt`, help), `\f${name}\n${text}`);
}
const man = new URL('man/', dist);
mkdirSync(man);
for (const [name, text] of manPages(await manual(), version)) writeFileSync(new URL(name, man), text);
// Only this build needs them.
for (const name of ['pages.cjs', 'pages.cjs.map']) rmSync(new URL(name, dist));

// Without NODE_OPTIONS and EDU_* variables of the user.
const { PATH, TMPDIR, SystemRoot, TEMP } = process.env;
try {
  execFileSync(process.execPath, [fileURLToPath(new URL('compile.cjs', import.meta.url)), fileURLToPath(dist)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, TMPDIR, SystemRoot, TEMP },
  });
} catch (error) {
  // The bundle works without compiled code; commands start more slowly.
  process.stderr.write(`Nothing was compiled ahead: ${error instanceof Error ? error.message : error}\n`);
}

const former = new URL(`dist.${process.pid}.old`, root);
if (existsSync(finished)) renameSync(finished, former);
renameSync(dist, finished);
rmSync(former, { recursive: true, force: true });

// For `npx edu` in a clone: without this link npx would first install the folder into its cache.
const bins = new URL('node_modules/.bin/', root);
if (existsSync(bins) && process.platform !== 'win32') {
  rmSync(new URL('edu', bins), { force: true });
  symlinkSync('../../bin/edu.js', new URL('edu', bins));
}
