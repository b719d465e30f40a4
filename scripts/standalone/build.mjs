/**
 * Makes `dist.standalone/TARGET/edu`: the built program and a Node in one file, by Node's support for single executables.
 * That Node has SQLite built in, so nothing lies beside it. `npm run standalone` builds dist/ first.
 *
 *   --target TARGET   such as linux-arm64; may be given again (default: the system that this runs on)
 *   --all             every target
 *
 * Targets other than this system are made from the Node that the registry has for them, and cannot be run here. macOS runs a
 * signed executable only, and only macOS can sign it.
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
import { bringNode, PLATFORMS, STANDALONE_NODE } from '../build/node-binaries.mjs';

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

/** What the program reads when it runs: its code, its help, its compiled code. Not types, maps and man pages. */
const isRead = (/** @type {string} */ path) =>
  /^(edu\.cjs|chunks[\\/].*\.(?:cjs|wasm)|help[\\/].*\.txt|compiled[\\/].*)$/.test(path);

/** @param {string} folder @returns {string[]} paths in it of all files that the program reads */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => isRead(path) && statSync(join(folder, path)).isFile())
    .sort();

/**
 * Takes off names that only a debugger needs: a fifth of the size.
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
      // Not there.
    }
  }
  process.stderr.write(
    `${target}: there is no ${programs.join(' or ')} here, so it is 29 MB larger than it could be.\n`,
  );
}

/** @param {string} node that is inside @param {string} target @returns {string} the bill of materials, with that Node */
function billOfMaterials(node, target) {
  const sbom = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'));
  const purl = `pkg:npm/${PLATFORMS[target]}@${STANDALONE_NODE}`;
  const content = createHash('sha256').update(readFileSync(node)).digest('hex');
  sbom.components.push({
    ...{ type: 'platform', 'bom-ref': purl, name: 'node', version: STANDALONE_NODE, purl },
    // Of the program before it was stripped and filled.
    ...{ hashes: [{ alg: 'SHA-256', content }], licenses: [{ license: { id: 'MIT' } }] },
  });
  sbom.dependencies[0].dependsOn.push(purl);
  sbom.dependencies.push({ ref: purl });
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

const ours = bringNode(STANDALONE_NODE);
const work = mkdtempSync(join(tmpdir(), 'edu-standalone-'));

/** @param {string} target */
function make(target) {
  const isWindows = target.startsWith('win');
  const name = isWindows ? 'edu.exe' : 'edu';
  const node = bringNode(STANDALONE_NODE, target);
  const dist = join(work, `dist-${target}`);
  cpSync(join(root, 'dist'), dist, { recursive: true });
  rmSync(join(dist, 'compiled'), { recursive: true, force: true });
  if (target === host) {
    // Code is compiled ahead once more: by the Node that will run it.
    const { PATH, TMPDIR, SystemRoot, TEMP } = process.env;
    const env = { PATH, TMPDIR, SystemRoot, TEMP };
    execFileSync(ours, [join(root, 'scripts/build/compile.cjs'), dist], { env, stdio: 'ignore' });
    // The bundle looks whether there is such a folder; assets have none.
    for (const made of readdirSync(join(dist, 'compiled'))) writeFileSync(join(dist, 'compiled', made, 'folder'), '');
  }
  copyFileSync(new URL('launcher.cjs', import.meta.url), join(work, 'launcher.cjs'));
  copyFileSync(node, join(work, 'node'));
  strip(join(work, 'node'), target);
  const config = {
    // Its path is kept, and must not tell where this was made.
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
  // Node's licence goes with Node, and the others' with their code.
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
