import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests in a real Chromium, which has to be installed: `npm run test:browser`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/browser/**/*.test.ts'],
    restoreMocks: true,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
