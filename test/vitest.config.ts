import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders with their own configuration. */
const ELSEWHERE = ['browser', 'shells', 'terminal', 'package', 'load', 'slow', 'disk'].map(
  (folder) => `test/${folder}/**`,
);

/** Tests that start the built program repeatedly, break what it needs, or generate input: `npm run test:faults`. */
const FAULTS = [
  ...['faults', 'fuzz', 'process'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/bulk/{accounts,crash,guide,interruption,output-files,requests,taken-keys}.test.ts',
  'test/auth/process.test.ts',
];

/** Tests that run the lines of the documentation and of the help pages: `npm run test:docs`. */
const DOCS = ['test/docs/run/*.test.ts'];

/** Everything that needs only Node. `npm test` runs the quick part. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // A lower threshold shows how many elements differ, but not which.
    chaiConfig: { truncateThreshold: 2000 },
    // Tests wait for processes and timers more than they compute.
    maxWorkers: '200%',
    restoreMocks: true,
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...FAULTS, ...DOCS],
          // Files share the modules of their worker: importing src/ anew took a third of the processor time. No file may
          // leave the environment, the clock or a mocked module (vi.mock) changed.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'faults', include: FAULTS } },
      { extends: true, test: { name: 'docs', include: DOCS } },
    ],
  },
});
