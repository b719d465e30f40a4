import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../support/seeds.js';

/** The package as installed, the single executable, and the release script: `npm run test:package`. */
export default defineConfig({
  logLevel: 'error',
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/package/**/*.test.ts'],
    // Packages of GitHub, which import JSON in a way that Node 20 refuses, and name source maps that they lack.
    server: { deps: { inline: [/@actions\//] } },
    globalSetup: ['test/package/packed.ts'],
    // Tests wait for processes more than they compute.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
