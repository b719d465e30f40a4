/**
 * Runs the built program through what people do most and keeps the code that V8 compiled for it, beside the bundle.
 * Run by build.mjs in a process of its own: `node compile.cjs DIST`.
 */
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const v8 = require('node:v8');

const [, , dist] = process.argv;
const { compiledFolder, run, useCompiled } = require(join(dist, 'edu.cjs'));

// Flags are part of what V8 checks, so the one that the network part sets must not be set while the code is kept.
v8.setFlagsFromString = () => {};

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

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'edu-build-'));
  const compiled = compiledFolder(dist);
  // The name is kept along with the code, and must not tell where that was made. A part of a text keeps the whole alive
  // inside V8, hence the copy.
  const scripts = useCompiled(dist, compiled, (path) => Buffer.from(basename(path)).toString());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  Object.assign(process.env, {
    EDU_CONFIG_DIR: join(folder, 'config'),
    EDU_STATE_DIR: join(folder, 'state'),
    EDU_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    EDU_TOKEN: 'build',
  });
  // Where there is no SQLite, what is offline fails, and the rest is compiled all the same.
  for (const line of LINES) await run(line.split(' '));
  mkdirSync(compiled, { recursive: true });
  for (const [name, { script }] of scripts) writeFileSync(join(compiled, `${name}.bin`), script.createCachedData());
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
}

void main();
