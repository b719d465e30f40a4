import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What has a configuration of its own. */
const ELSEWHERE = ['browser', 'shells', 'terminal', 'package', 'load', 'slow'].map((folder) => `test/${folder}/**`);

/** Everything that needs nothing but Node, and little time. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    // Tests wait for processes more than they compute.
    maxWorkers: '100%',
    restoreMocks: true,
    testTimeout: 20_000,
    include: ['test/**/*.test.ts'],
    exclude: ELSEWHERE,
  },
});
