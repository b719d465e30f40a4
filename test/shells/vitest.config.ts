import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests in the real bash, zsh and fish, which have to be installed: `npm run test:shells`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/shells/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
