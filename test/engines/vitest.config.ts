import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../support/seeds.js';

/** Tests with databases: `npm run test:engines`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/engines/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 600_000,
  },
});
