/**
 * Runs the built program through what people do most and keeps the code that V8 compiled for it, beside the bundle.
 * Run by build.mjs in a process of its own: `node compile.cjs DIST`; with a line behind it, for that line only.
 */
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const v8 = require('node:v8');

const [, , dist = '', ...line] = process.argv;
const edu = require(join(dist, 'edu.cjs'));
const finished = edu.compiledFolder(dist);
/** Under its own name the program would take it by itself. */
const making = `${finished}.new`;

const licence = { id: '1', name: 'Autumn', code: 'a1', type: 'Books', books: [], endUsers: [], licenseCategory: null };

/** Any list of licences, or one. */
const server = createServer((request, response) => {
  const body = request.url?.includes('?') ? { licenses: [licence], paging: { nextCursor: null } } : licence;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

/** As people type them; what these run through is compiled already when they do. */
const LINES = [
  'licenses list --limit 1',
  'licenses list --limit 1 --json',
  'licenses list --limit 1 -o table',
  'licenses get 1 --json',
  'licenses get 1 -o table',
  '--offline licenses list --limit 1',
  '--offline licenses list --limit 20 -o table',
  '--offline licenses create --name Autumn --type Teacher --maximum-activations 1',
  ...['books', 'readers', 'subscriptions', 'schools', 'publishers', 'users', 'roles'].map(
    (group) => `--offline ${group} list --limit 1`,
  ),
  '--offline whoami',
  'auth status --offline-check',
  '__complete licenses list --',
];

/**
 * Calls nothing that was asked for later than at once: what a timer calls is compiled if it fires, and how busy the machine
 * is must not decide what the build holds.
 */
function withoutTimers() {
  const real = globalThis.setTimeout;
  const never = () => {};
  globalThis.setTimeout = Object.assign(
    (/** @type {() => void} */ call, /** @type {number} */ delayMs) =>
      real(delayMs > 1 ? never : call, delayMs).unref(),
    real,
  );
}

/**
 * One line, in this process. Code is kept as the program keeps it itself (src/app/write-code-cache.ts): of all that was loaded,
 * when a part of it was new.
 * @param {readonly string[]} line
 */
async function keep(line) {
  // Flags are part of what V8 checks, so those that the program sets must not be set while the code is kept.
  v8.setFlagsFromString = () => {};
  withoutTimers();
  const { run, useCompiled } = edu;
  // The name is kept along with the code, and must not tell where that was made. A part of a text keeps the whole alive
  // inside V8, hence the copy.
  const loaded = useCompiled(dist, making, (/** @type {string} */ path) => Buffer.from(basename(path)).toString());
  await run(line);
  if ([...loaded.values()].every(({ wasKept }) => wasKept)) return;
  mkdirSync(making, { recursive: true });
  for (const [name, { script }] of loaded) writeFileSync(join(making, `${name}.bin`), script.createCachedData());
}

/** All lines, each in a process of its own: code that one process has run through all of them takes 4 ms longer to load. */
async function keepAll() {
  const folder = mkdtempSync(join(tmpdir(), 'edu-build-'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const env = {
    ...process.env,
    EDU_CONFIG_DIR: join(folder, 'config'),
    EDU_STATE_DIR: join(folder, 'state'),
    EDU_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    EDU_TOKEN: 'build',
    // Nor what it keeps itself.
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  for (const words of LINES) {
    // Without it no two builds are alike: V8 keeps the seeds of its hashes along with the code, and draws them by chance.
    const argv = ['--random-seed=1', __filename, dist, ...words.split(' ')];
    const child = spawn(process.execPath, argv, { env, stdio: 'inherit' });
    // Where there is no SQLite, what is offline fails, and the rest is compiled all the same.
    await once(child, 'exit');
  }
  renameSync(making, finished);
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
}

void (line.length > 0 ? keep(line) : keepAll());
