import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Everything that needs nothing but Node. Tests in browsers, shells and terminals, and of the package, have configurations of their own. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/shells/**', 'test/terminal/**', 'test/package/**', 'test/load/**'],
    // Tests wait for processes more than they compute.
    maxWorkers: '100%',
    restoreMocks: true,
    testTimeout: 20_000,
  },
});
