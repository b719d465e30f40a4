/**
 * Builds `dist.standalone/TARGET/edu`: the program and a Node in one file, a single executable application of Node. It
 * needs no libsql, because that Node contains SQLite. `npm run standalone` builds dist/ first.
 *
 *   --target TARGET   such as linux-arm64; can be repeated (default: this system)
 *   --all             every target
 *
 * Executables for other systems are built from the Node in the registry and can't be run here. macOS runs only signed
 * executables, and only macOS can sign them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchNode, PLATFORMS, STANDALONE_NODE } from '../build/node-binaries.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const host = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const { values } = parseArgs({
  options: { target: { type: 'string', multiple: true }, all: { type: 'boolean', default: false } },
});
const targets = values.all ? Object.keys(PLATFORMS) : (values.target ?? [host]);
const unknown = targets.filter((target) => !(target in PLATFORMS));
if (unknown.length > 0) {
  throw new Error(`There is no Node for ${unknown.join(', ')}: name ${Object.keys(PLATFORMS).join(', ')}.`);
}

/** Whether the program reads a file at run time: code, help and compiled code, but not types, maps and man pages. */
const isRead = (/** @type {string} */ path) =>
  /^(edu\.cjs|chunks[\\/].*\.(?:cjs|wasm)|help[\\/].*\.txt|compiled[\\/].*)$/.test(path);

/** @param {string} folder @returns {string[]} the paths in it */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => isRead(path) && statSync(join(folder, path)).isFile())
    .sort();

/**
 * Removes the symbols, which only debuggers need and which are a fifth of the size.
 * @param {string} executable @param {string} target
 */
function strip(executable, target) {
  if (!target.startsWith('linux')) return;
  const programs =
    target === host ? ['strip'] : [`${target === 'linux-arm64' ? 'aarch64' : 'x86_64'}-linux-gnu-strip`, 'llvm-strip'];
  for (const program of programs) {
    try {
      execFileSync(program, [executable], { stdio: 'ignore' });
      return;
    } catch {
      // Not installed.
    }
  }
  process.stderr.write(
    `${target}: there is no ${programs.join(' or ')} here, so it is 29 MB larger than it could be.\n`,
  );
}

/** @param {string} node its path @param {string} target @returns {string} the bill of materials, with that Node */
function billOfMaterials(node, target) {
  const sbom = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'));
  const purl = `pkg:npm/${PLATFORMS[target]}@${STANDALONE_NODE}`;
  const content = createHash('sha256').update(readFileSync(node)).digest('hex');
  sbom.components.push({
    ...{ type: 'platform', 'bom-ref': purl, name: 'node', version: STANDALONE_NODE, purl },
    // Before it was stripped and the assets were added.
    ...{ hashes: [{ alg: 'SHA-256', content }], licenses: [{ license: { id: 'MIT' } }] },
  });
  sbom.dependencies[0].dependsOn.push(purl);
  sbom.dependencies.push({ ref: purl });
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

const ours = fetchNode(STANDALONE_NODE);
const work = mkdtempSync(join(tmpdir(), 'edu-standalone-'));

/** @param {string} target */
function make(target) {
  const isWindows = target.startsWith('win');
  const name = isWindows ? 'edu.exe' : 'edu';
  const node = fetchNode(STANDALONE_NODE, target);
  const dist = join(work, `dist-${target}`);
  cpSync(join(root, 'dist'), dist, { recursive: true });
  rmSync(join(dist, 'compiled'), { recursive: true, force: true });
  if (target === host) {
    // The compiled code in dist/ is for the Node that built it.
    const { PATH, TMPDIR, SystemRoot, TEMP } = process.env;
    const env = { PATH, TMPDIR, SystemRoot, TEMP };
    execFileSync(ours, [join(root, 'scripts/build/compile.cjs'), dist], { env, stdio: 'ignore' });
    // The bundle calls existsSync for the folder. Assets are files, so launcher.cjs looks for this one instead.
    for (const made of readdirSync(join(dist, 'compiled'))) writeFileSync(join(dist, 'compiled', made, 'folder'), '');
  }
  copyFileSync(new URL('launcher.cjs', import.meta.url), join(work, 'launcher.cjs'));
  copyFileSync(node, join(work, 'node'));
  strip(join(work, 'node'), target);
  const config = {
    // A relative path, because the executable contains it.
    main: 'launcher.cjs',
    executable: 'node',
    output: name,
    disableExperimentalSEAWarning: true,
    useCodeCache: target === host,
    assets: Object.fromEntries(filesIn(dist).map((path) => [path.replaceAll('\\', '/'), join(dist, path)])),
  };
  writeFileSync(join(work, 'config.json'), JSON.stringify(config));
  execFileSync(ours, ['--build-sea', 'config.json'], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
  const executable = join(work, name);
  chmodSync(executable, 0o755);
  if (target.startsWith('darwin')) {
    if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', executable]);
    else process.stderr.write(`${target}: not signed. On a Mac: codesign --force --sign - edu\n`);
  }

  const folder = join(root, 'dist.standalone', target);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(ours, '../../LICENSE'), join(folder, 'LICENSE-node.txt'));
  copyFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), join(folder, 'THIRD-PARTY-LICENSES.txt'));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(node, target));
  copyFileSync(executable, join(folder, name));
  const megabytes = (statSync(executable).size / 1e6).toFixed(1);
  process.stdout.write(`dist.standalone/${target}/${name}: ${megabytes} MB, with Node ${STANDALONE_NODE}\n`);
}

try {
  for (const target of targets) make(target);
} finally {
  rmSync(work, { recursive: true, force: true });
}
