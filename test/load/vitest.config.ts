import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../support/seeds.js';
import { hasSmallDisks } from './small-disk.js';

/**
 * Load, kills and full disks, with the built program: `npm run test:load`. `EDU_LOAD_SECONDS` and `EDU_LOAD_RUNS` set
 * duration and number; `.ci/run` uses less than the defaults, which are for every night. One file at a time, because
 * each uses the whole machine. Where mounting is forbidden, as in some containers, tests of full disks are skipped.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/load/**/*.test.ts'],
    exclude: hasSmallDisks() ? [] : ['test/load/disk.test.ts'],
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 120_000,
  },
});
