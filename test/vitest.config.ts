import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import './support/seeds.js';

/** Folders with their own configuration. */
const ELSEWHERE = ['browser', 'shells', 'terminal', 'office', 'engines', 'package', 'load', 'slow', 'disk'].map(
  (folder) => `test/${folder}/**`,
);

/** Tests that start the built program repeatedly, break what it needs, or generate input: `npm run test:faults`. */
const FAULTS = [
  ...['faults', 'fuzz', 'process'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/bulk/{accounts,crash,guide,interruption,named-files,output-files,requests,taken-keys}.test.ts',
  'test/{auth/process,security/planted-programs}.test.ts',
];

/** It replaces a module (vi.mock), so that it needs a worker of its own, and takes long: `npm run test:slow`. */
const MOCKED = 'test/fuzz/hostile-commands.test.ts';

/** Which modules Node loads cannot be seen in a single executable (`npm run test:standalone`). */
const UNSEEN = process.env.EDU_PROGRAM === undefined ? [] : ['test/process/load.test.ts'];

/** Tests that run the lines of the documentation and of the help pages: `npm run test:docs`. */
const DOCS = ['test/docs/run/*.test.ts'];

/** A file system in memory, if there is one with room: the tests sync files thousands of times, and a disk takes milliseconds. */
function inMemory(): { readonly TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return process.env.TMPDIR === undefined && bavail * bsize > 2 ** 30 ? { TMPDIR: '/dev/shm' } : {};
  } catch {
    return {};
  }
}

/**
 * Functions are optimised after 15 times as many steps as by default: most run too seldom in the tests to gain what their
 * optimisation costs, a seventh of the processor time. Later Nodes have no such option.
 */
const OPTIMISE_LATER = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];

/** Everything that needs only Node. `npm test` runs the quick part. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    // By default a core is left free; more workers than cores are not possible in percent, and load the program once more.
    maxWorkers: process.env.EDU_TEST_WORKERS === undefined ? '100%' : Number(process.env.EDU_TEST_WORKERS),
    execArgv: OPTIMISE_LATER,
    restoreMocks: true,
    setupFiles: [fileURLToPath(new URL('support/property-seed.ts', import.meta.url))],
    env: inMemory(),
    // The first test of a worker loads the program, which takes long on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // `isolate: false`: files share the modules of their worker, because importing src/ anew took a third of the processor
    // time. No file may leave the environment, the clock or the working directory changed.
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...FAULTS, ...DOCS, MOCKED],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'faults', include: FAULTS, exclude: [MOCKED, ...UNSEEN], isolate: false } },
      {
        extends: true,
        test: {
          name: 'faults-http',
          include: ['test/conformance/**/*.test.ts'],
          isolate: false,
          env: { EDU_CONFORMANCE_HTTP: '1' },
        },
      },
      { extends: true, test: { name: 'docs', include: DOCS, isolate: false } },
    ],
  },
});
