import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { hasSmallDisks } from './small-disk.js';

/**
 * Load, kills and full disks, against the built program: `npm run test:load`. `EDU_LOAD_SECONDS` and `EDU_LOAD_RUNS` say how
 * long and how often; `.ci/run` says less than the defaults, which are for every night. One file at a time: each uses the
 * machine as a whole. Where no file system can be mounted, which a container may forbid, there are no full disks.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/load/**/*.test.ts'],
    exclude: hasSmallDisks() ? [] : ['test/load/disk.test.ts'],
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 120_000,
  },
});
