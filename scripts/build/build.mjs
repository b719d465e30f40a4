/**
 * Builds dist/: one bundle in CommonJS, split so that a command loads only what it uses, the help pages as files, and the
 * man pages.
 * Run by `npm run build` and, through `prepare`, by `npm ci`.
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
// Built aside and put in place at once: a program that runs meanwhile never sees half of it.
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
  // That something is imported lazily in one place and not in another is as it should be: chunks.mjs says what shares a file.
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: fileURLToPath(dist),
  format: 'cjs',
  // A real import() would start Node's loader of ES modules: 5 ms.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  codeSplitting: { groups: CHUNKS },
  minify: true,
  sourcemap: true,
  // Names and lines are enough for a stack trace.
  sourcemapExcludeSources: true,
});
await bundle.close();
for (const folder of ['.', 'chunks']) slim(fileURLToPath(new URL(folder, dist)));

// The types of `edu-cli/service`. The folder has a package.json of its own, because they describe CommonJS.
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
// A file for each group, as src/app/entry.ts reads them: small files take up more room than they fill.
for (const [name, text] of await helpPages()) {
  appendFileSync(new URL(`${name.split('.', 2).join('.')}.txt`, help), `\f${name}\n${text}`);
}
const man = new URL('man/', dist);
mkdirSync(man);
for (const [name, text] of manPages(await manual(), version)) writeFileSync(new URL(name, man), text);
// Nothing but this build asks for the pages.
for (const name of ['pages.cjs', 'pages.cjs.map']) rmSync(new URL(name, dist));

// The user's flags for Node and settings of edu stay out of it.
const { PATH, TMPDIR, SystemRoot, TEMP } = process.env;
try {
  execFileSync(process.execPath, [fileURLToPath(new URL('compile.cjs', import.meta.url)), fileURLToPath(dist)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, TMPDIR, SystemRoot, TEMP },
  });
} catch (error) {
  // A cache is missing, and nothing else: every start takes a little longer.
  process.stderr.write(`Nothing was compiled ahead: ${error instanceof Error ? error.message : error}\n`);
}

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
