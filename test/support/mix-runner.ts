/** Runs each test once under each mix of variants: as one project, because each project reads all sources anew. */
import { type RunnerTestCase, TestRunner } from 'vitest';
import { MIXES } from '../slow/mixes.js';

export default class extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    test.repeats = MIXES.length - 1;
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: RunnerTestCase, options?: { readonly repeats: number }): void {
    process.env.EDU_TEST_MIX = String(MIXES[options?.repeats ?? 0]);
    super.onBeforeTryTask(test);
  }

  onAfterRetryTask(test: RunnerTestCase): void {
    for (const error of test.result?.errors ?? [])
      if (!error.message.startsWith('Under mix '))
        error.message = `Under mix ${process.env.EDU_TEST_MIX}: ${error.message}`;
  }
}
