import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../support/seeds.js';

/** Fails each write, sync and rename of a command once: `npm run test:disk`. EDU_DISK_EVERY=7 tests every seventh. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    chaiConfig: { truncateThreshold: 0 },
    include: ['test/disk/**/*.test.ts'],
    maxWorkers: 1,
    testTimeout: 1_200_000,
  },
});
