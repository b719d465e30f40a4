import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const seed = process.env.EDU_FUZZ_SEED ?? String(Date.now() & 0x7fffffff);
// First of all: a case that never ends, or that ends the process, can say nothing any more.
process.stdout.write(`EDU_FUZZ_SEED=${seed}\n`);

/** Many cases of each property, others in each run: `npm run fuzz`, every night. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/fuzz/**/*.test.ts'],
    env: { EDU_FUZZ_RUNS: process.env.EDU_FUZZ_RUNS ?? '10000', EDU_FUZZ_SEED: seed },
    restoreMocks: true,
    // Thousands of uploads are removed at the end.
    hookTimeout: 300_000,
  },
});
