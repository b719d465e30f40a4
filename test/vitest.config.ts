import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What has a configuration of its own. */
const ELSEWHERE = ['browser', 'shells', 'terminal', 'package', 'load', 'slow', 'disk'].map(
  (folder) => `test/${folder}/**`,
);

/** What starts the built program again and again, breaks what it needs, or makes up input: `npm run test:faults`. */
const FAULTS = [
  ...['faults', 'fuzz', 'process'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/bulk/{accounts,crash,guide,run}.test.ts',
  'test/auth/process.test.ts',
];

/** What runs each line of the documentation and of the help pages as its readers do: `npm run test:docs`. */
const DOCS = ['test/docs/run/*.test.ts'];

/** Everything that needs nothing but Node. `npm test` runs the quick part. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Short ones say how many differ, and not which.
    chaiConfig: { truncateThreshold: 2000 },
    // Tests wait for processes and timers more than they compute.
    maxWorkers: '150%',
    restoreMocks: true,
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [...ELSEWHERE, ...FAULTS, ...DOCS] },
      },
      { extends: true, test: { name: 'faults', include: FAULTS } },
      { extends: true, test: { name: 'docs', include: DOCS } },
    ],
  },
});
