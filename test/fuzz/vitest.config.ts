import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Many cases of each property, others in each run: `npm run fuzz`, every night. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/fuzz/**/*.test.ts'],
    env: { EDU_FUZZ_RUNS: process.env.EDU_FUZZ_RUNS ?? '10000' },
    restoreMocks: true,
    // Thousands of uploads are removed at the end.
    hookTimeout: 300_000,
  },
});
