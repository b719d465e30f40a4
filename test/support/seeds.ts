/**
 * For configurations of vitest: a folder for seeded states of the bundled service and other files that all tests of a
 * worker share. It is removed by this process, because its workers are killed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SEEDS = mkdtempSync(join(tmpdir(), 'edu-test-seeds-'));
process.env.EDU_TEST_SEEDS = SEEDS;
process.on('exit', () => rmSync(SEEDS, { recursive: true, force: true }));
