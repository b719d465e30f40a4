/** When a job is given up, and when only one of its rows. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace, type Trouble } from '../../../../src/bulk/send/throttle.js';
import { EduError, type ErrorKind } from '../../../../src/core/errors.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const paceOf = (concurrency: number, retries: number) => {
  const pace = new Pace({ concurrency, retries, now: Date.now, random: () => 0.5 });
  pace.tryEnter();
  return pace;
};

async function fails(pace: Pace, kind: ErrorKind, attempt: number, more: Partial<Trouble> = {}): Promise<boolean> {
  const trouble = {
    error: new EduError(kind, kind),
    later: kind === 'unavailable',
    began: Date.now(),
    attempt,
    ...more,
  };
  const goesOn = pace.trouble(trouble);
  await vi.runAllTimersAsync();
  return goesOn;
}

/** Lets one row fail until it is not tried any more. @returns how often it failed */
async function failRow(pace: Pace, kind: ErrorKind): Promise<number> {
  let attempt = 1;
  while (await fails(pace, kind, attempt)) attempt++;
  return attempt;
}

test.each(['server_error', 'unavailable', 'unreachable'] as const)(
  'without retries a row that ends %s is left',
  async (kind) => {
    const pace = paceOf(8, 0);
    expect(await failRow(pace, kind)).toBe(1);
    expect(pace.isStopped).toBe(false);
    expect(pace.gaveUp?.kind).toBe(kind);
    for (let row = 2; !pace.isStopped; row++) {
      expect(await failRow(pace, kind)).toBe(1);
      expect(row).toBeLessThan(30);
    }
  },
);

test('a row that the service fails at again and again is left, and the next one tells', async () => {
  const pace = paceOf(1, 3);
  expect(await failRow(pace, 'server_error')).toBe(8);
  expect(pace.isStopped).toBe(false);
  pace.success(1);
  expect(await failRow(pace, 'server_error')).toBe(8);
  expect(pace.isStopped).toBe(false);
  expect(await failRow(pace, 'server_error')).toBe(1);
  expect(pace.isStopped).toBe(true);
});

test('a service that can not be reached ends the job at once when that is sure', async () => {
  const pace = paceOf(1, 3);
  expect(await failRow(pace, 'unreachable')).toBe(8);
  expect(pace.isStopped).toBe(true);
});

test('time-outs end the job as soon as a single command would end', async () => {
  const pace = paceOf(8, 3);
  for (let attempt = 1; attempt <= 4; attempt++) {
    const began = Date.now();
    vi.advanceTimersByTime(30_000);
    expect(await fails(pace, 'unreachable', attempt, { began })).toBe(attempt < 4);
  }
  expect(pace.isStopped).toBe(true);
});
