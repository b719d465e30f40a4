import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests in the real bash, zsh and fish, which must be installed: `npm run test:shells`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/shells/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
