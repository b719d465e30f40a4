/**
 * Makes `dist.standalone/edu`: the built program and a Node in one file, for Linux x64, by Node's support for single
 * executables. `npm run standalone`, which builds dist/ first. That Node has SQLite built in, so nothing lies beside it.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringNode } from '../build/node-binaries.mjs';

/** The smaller of the two that could be taken: docs/releasing.md has the sizes. */
export const STANDALONE_NODE = '24.21.0';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'dist.standalone');

if (process.platform !== 'linux' || process.arch !== 'x64') {
  throw new Error(`The single executable is made on Linux x64 only; this is ${process.platform} ${process.arch}.`);
}

/** What the program reads when it runs: its code, its help, its compiled code. Not types, maps and man pages. */
const isRead = (/** @type {string} */ path) =>
  /^(edu\.cjs|chunks\/.*\.(?:cjs|wasm)|help\/.*\.txt|compiled\/.*)$/.test(path);

/** @param {string} folder @returns {string[]} paths in it of all files that the program reads */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => isRead(path) && statSync(join(folder, path)).isFile())
    .sort();

const node = bringNode(STANDALONE_NODE);
const work = mkdtempSync(join(tmpdir(), 'edu-standalone-'));
try {
  // Code is compiled ahead once more: by the Node that will run it.
  const dist = join(work, 'dist');
  cpSync(join(root, 'dist'), dist, { recursive: true });
  rmSync(join(dist, 'compiled'), { recursive: true, force: true });
  const { PATH, TMPDIR } = process.env;
  execFileSync(node, [join(root, 'scripts/build/compile.cjs'), dist], { env: { PATH, TMPDIR }, stdio: 'ignore' });
  // The bundle looks whether there is such a folder; assets have none.
  for (const made of readdirSync(join(dist, 'compiled'))) writeFileSync(join(dist, 'compiled', made, 'folder'), '');

  copyFileSync(new URL('launcher.cjs', import.meta.url), join(work, 'launcher.cjs'));
  const config = {
    // Its path is kept, and must not tell where this was made.
    main: 'launcher.cjs',
    output: 'edu.blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(filesIn(dist).map((path) => [path, join(dist, path)])),
  };
  writeFileSync(join(work, 'config.json'), JSON.stringify(config));
  /** @type {import('node:child_process').ExecFileSyncOptions} */
  const options = { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] };
  execFileSync(node, ['--experimental-sea-config', 'config.json'], options);

  const executable = join(work, 'edu');
  copyFileSync(node, executable);
  try {
    // Names that only a debugger needs: 18 MB.
    execFileSync('strip', [executable], { stdio: 'ignore' });
  } catch {
    process.stderr.write('There is no strip here: the executable is 18 MB larger than it could be.\n');
  }
  // As a program: its messages about sections without names matter only if it fails.
  const postject = join(root, 'node_modules/postject/dist/cli.js');
  const place = ['NODE_SEA_BLOB', 'edu.blob', '--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];
  execFileSync(process.execPath, [postject, 'edu', ...place], options);
  chmodSync(executable, 0o755);

  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  // Node's licence goes with Node, and the others' with their code.
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  copyFileSync(join(node, '../../LICENSE'), join(target, 'LICENSE-node.txt'));
  copyFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), join(target, 'THIRD-PARTY-LICENSES.txt'));
  copyFileSync(executable, join(target, 'edu'));
  const megabytes = (statSync(join(target, 'edu')).size / 1e6).toFixed(1);
  process.stdout.write(`dist.standalone/edu: ${megabytes} MB, with Node ${STANDALONE_NODE}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
