import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests on a real terminal, for which tmux has to be installed: `npm run test:terminal`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/terminal/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
  },
});
