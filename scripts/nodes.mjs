/**
 * Runs the tests of dist/ on every supported version of Node: `npm run test:nodes`.
 *
 *   --quick           only tests of what differs between Nodes, of requests and of output, on the lowest and the newest
 *                     version
 *   --node VERSION    only on this version; can be repeated
 *   --reports FOLDER  writes vitest's reports to this folder, as nodes-VERSION.json
 *
 * Other arguments are passed to vitest, such as the path of a test.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchNode, NODES, REFUSED_NODES } from './build/node-binaries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    node: { type: 'string', multiple: true },
    reports: { type: 'string' },
  },
});

/** How the program starts, loads its modules and SQLite, reads and writes streams, and uses the network. */
const PROCESS = ['compiled', 'load', 'mcp', 'network', 'process-io', 'program', 'serve', 'state'];
const QUICK = [
  ...PROCESS.map((name) => `test/process/${name}.test.ts`),
  ...['test/e2e/wire', 'test/e2e/output', 'test/e2e/exit-codes.test.ts'],
];
const reports = values.reports ?? mkdtempSync(join(tmpdir(), 'edu-nodes-'));
const which = [...positionals, ...(values.quick ? QUICK : [])];

/**
 * @param {string} version
 * @returns {{ line: string, isGreen: boolean }}
 */
function test(version) {
  const binary = fetchNode(version);
  const report = join(reports, `nodes-${version}.json`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const started = Date.now();
  // Tests that start `node` must get this version, without the flags of the Node that runs this script.
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const { status } = spawnSync(
    binary,
    [
      ...[vitest, 'run', '--config', 'test/vitest.config.ts', ...which],
      ...['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    ],
    { cwd: root, stdio: 'inherit', env: { ...env, PATH: `${dirname(binary)}${delimiter}${env.PATH}` } },
  );
  const seconds = Math.round((Date.now() - started) / 1000);
  // Missing if vitest crashed.
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = counts;
  const isGreen = status === 0 && failed === 0 && passed > 0;
  return { line: `Node ${version}: ${passed} passed, ${failed} failed (${seconds} s)`, isGreen };
}

/**
 * @param {string} version unsupported
 * @returns {{ line: string, isGreen: boolean }}
 */
function testRefused(version) {
  const edu = join(root, 'bin/edu.js');
  const { status, stderr } = spawnSync(fetchNode(version), [edu, '--version'], { encoding: 'utf8' });
  const isGreen = status === 1 && /^Error: Cannot start edu: it needs Node\.js .*\n$/.test(stderr);
  return { line: `Node ${version}: ${isGreen ? 'refused in one line' : `not refused: ${stderr}`}`, isGreen };
}

const refused = values.node === undefined ? REFUSED_NODES.map(testRefused) : [];
const versions =
  values.node ?? NODES.filter((version) => !values.quick || [NODES.at(0), NODES.at(-1)].includes(version));
const results = [...refused, ...versions.map(test)];
if (values.reports === undefined) rmSync(reports, { recursive: true });
process.stdout.write(`${results.map(({ line }) => line).join('\n')}\n`);
process.exitCode = results.every(({ isGreen }) => isGreen) ? 0 : 1;
