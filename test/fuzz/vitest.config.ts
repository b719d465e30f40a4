import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const seed = process.env.EDU_FUZZ_SEED ?? String(Date.now() & 0x7fffffff);
// Printed first, because a case that never ends, or that ends the process, cannot report its seed.
process.stdout.write(`EDU_FUZZ_SEED=${seed}\n`);

/** Many cases of each property, different in each run: `npm run fuzz`, every night. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/fuzz/**/*.test.ts'],
    env: { EDU_FUZZ_RUNS: process.env.EDU_FUZZ_RUNS ?? '10000', EDU_FUZZ_SEED: seed },
    restoreMocks: true,
    // Thousands of uploads are removed at the end.
    hookTimeout: 300_000,
  },
});
