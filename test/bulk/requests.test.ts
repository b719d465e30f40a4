/** The clock of a job. Its requests, pauses and ends: test/unit/bulk/send/throttle.test.ts and test/unit/bulk/job/run-rows.test.ts. */
import { expect, test, vi } from 'vitest';
import { served } from './jobs.js';
import { manyLicences, program } from './program.js';

test('a pause takes no longer if the system time is set back by a day', async () => {
  const now = Date.now;
  let changeMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + changeMs);
  const setBack = (): void => {
    changeMs = -86_400_000;
  };
  const server = await served({
    fate(index) {
      if (index > 0) return 'ok';
      setTimeout(setBack, 300);
      return { status: 429, retryAfter: 1 };
    },
  });
  expect((await program(server.origin).run(manyLicences(1))).code).toBe(0);
});
