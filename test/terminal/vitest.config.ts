import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests on a real terminal, which need tmux: `npm run test:terminal`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/terminal/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
  },
});
