import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../support/seeds.js';
import { MIXES } from './mixes.js';

const settings = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // A lower threshold shows how many elements differ, but not which.
  chaiConfig: { truncateThreshold: 2000 },
};

/** End-to-end tests of the command line on the bundled service. */
const ON_THE_BUNDLED_SERVICE = [
  'test/bulk/{writes-by-id,creates,limit}.test.ts',
  'test/docs/run/troubleshooting.test.ts',
];

/**
 * `npm run test:slow`: kill loops, the examples of docs/contributing.md in a clone, every command with hostile text, and
 * the conformance suite and end-to-end tests under mixes of variants.
 */
export default defineConfig({
  test: {
    // They wait for processes; by default one file runs at a time on two cores, and percent cannot be more than 100.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...settings,
          name: 'slow',
          include: ['test/slow/**/*.test.ts', 'test/fuzz/hostile-commands.test.ts'],
          setupFiles: [fileURLToPath(new URL('../support/property-seed.ts', import.meta.url))],
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...settings,
          name: 'mixes',
          isolate: false,
          include: ['test/conformance/*.test.ts'],
          env: { EDU_CONFORMANCE_MIXES: MIXES.join() },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...settings,
          name: 'edu under mixes',
          isolate: false,
          include: ON_THE_BUNDLED_SERVICE,
          setupFiles: [fileURLToPath(new URL('../support/mix.ts', import.meta.url))],
          runner: fileURLToPath(new URL('../support/mix-runner.ts', import.meta.url)),
          // The runner sets the mix of each repetition.
          env: { EDU_TEST_MIX: `${MIXES[0]}` },
          testTimeout: 60_000,
        },
      },
    ],
  },
});
