/** Runs before each test file of the coverage run: stores which blocks its tests reached, and the processor time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { REACHED } from './mutants.mjs';

const before = process.cpuUsage();
const blocks = new Set();
Reflect.set(globalThis, REACHED, blocks);
afterAll(() => {
  const { testPath = '' } = expect.getState();
  const name = `${testPath.replaceAll(/\W/g, '_')}.json`;
  const { user, system } = process.cpuUsage(before);
  const reach = { testPath, blocks: [...blocks], cpuMs: (user + system) / 1000 };
  writeFileSync(join(process.env.EDU_MUTATION_COVERAGE ?? '', name), JSON.stringify(reach));
});
