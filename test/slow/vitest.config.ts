import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Kill loops, and the page that tells how to add a command replayed in a clone: `npm run test:slow`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/slow/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
