import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What is handed out: the tarball as installed, the single executable, releasing itself. `npm run test:package`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['test/package/packed.ts'],
    // Tests wait for processes more than they compute.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
