/**
 * Runs frequent commands with the built program and stores the code that V8 compiled for them beside the bundle. Run by
 * build.mjs as `node compile.cjs DIST`; with a command line after DIST only that command is run, in the same process.
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
/** Not the final name, with which the program would load the code before it is complete. */
const target = `${finished}.new`;

const licence = { id: '1', name: 'Autumn', code: 'a1', type: 'Books', books: [], endUsers: [], licenseCategory: null };

/** Answers a request with a query with a list of licences, any other with one licence. */
const server = createServer((request, response) => {
  const body = request.url?.includes('?') ? { licenses: [licence], paging: { nextCursor: null } } : licence;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

/** The code that these commands run is compiled ahead. */
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
  '--offline mcp',
  '__complete licenses list --',
];

/**
 * Makes timers do nothing, except those for the next turn of the event loop: whether one fires depends on how busy the
 * machine is, and then V8 would compile other code in each build.
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
 * Runs a command in this process and stores the code of all loaded chunks if one of them was not stored yet, as the
 * program does itself (src/app/write-code-cache.ts).
 * @param {readonly string[]} line
 */
async function compile(line) {
  // V8 rejects code that was compiled under other flags, so the program must not change any in this process.
  v8.setFlagsFromString = () => {};
  withoutTimers();
  const { run, useCompiled } = edu;
  // V8 stores the name with the code, so it must not contain the path of this build. A substring would refer to the
  // whole path, hence the copy.
  const loaded = useCompiled(dist, target, (/** @type {string} */ path) => Buffer.from(basename(path)).toString());
  await run(line);
  if ([...loaded.values()].every(({ wasKept }) => wasKept)) return;
  mkdirSync(target, { recursive: true });
  for (const [name, { script }] of loaded) writeFileSync(join(target, `${name}.bin`), script.createCachedData());
}

/** Runs each command in its own process: code from a process that has run all of them takes 4 ms longer to load. */
async function compileAll() {
  const folder = mkdtempSync(join(tmpdir(), 'edu-build-'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const env = {
    ...process.env,
    EDU_CONFIG_DIR: join(folder, 'config'),
    EDU_STATE_DIR: join(folder, 'state'),
    EDU_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    EDU_TOKEN: 'build',
    // Keeps the program from storing the code itself (src/app/entry.ts).
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  for (const words of LINES) {
    // V8 stores its random hash seed with the code; a fixed one makes builds reproducible.
    const argv = ['--random-seed=1', __filename, dist, ...words.split(' ')];
    const child = spawn(process.execPath, argv, { env, stdio: 'inherit' });
    // The exit code is ignored: without SQLite the commands with --offline fail, but the others are compiled.
    await once(child, 'exit');
  }
  renameSync(target, finished);
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
}

void (line.length > 0 ? compile(line) : compileAll());
