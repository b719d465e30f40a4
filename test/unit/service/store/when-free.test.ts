import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLocal, OFFLINE_BASE_URL } from '../../../../src/client/transport/local.js';
import { personaToken } from '../../../../src/service/personas.js';
import { openState } from '../../../../src/service/state.js';
import { loadSqlite } from '../../../../src/service/store/sqlite.js';
import { StateError, whenFree } from '../../../../src/service/store/state-error.js';
import { stateFile } from '../../../../src/service/store/store.js';
import { folder } from './open-store.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const busy = new StateError('the state is locked', '', { cause: { errcode: 5 } });

/** Work that finds the state locked so often, and a count of its runs. */
function lockedFor(times: number) {
  const run = vi.fn(() => {
    if (run.mock.calls.length <= times) throw busy;
    return 'done';
  });
  return run;
}

it('runs the work until the state is free, without blocking the thread', async () => {
  const work = lockedFor(3);
  const done = whenFree(work);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60);
  expect(await done).toBe('done');
  expect(work).toHaveBeenCalledTimes(4);
});

it('gives up after half a minute, and at once on another error', async () => {
  const refused = expect(whenFree(lockedFor(Number.POSITIVE_INFINITY))).rejects.toBe(busy);
  await vi.advanceTimersByTimeAsync(30_100);
  await refused;
  const broken = vi.fn(() => {
    throw new Error('broken');
  });
  await expect(whenFree(broken)).rejects.toThrow('broken');
  expect(broken).toHaveBeenCalledTimes(1);
});

it('ends when it is aborted', async () => {
  const stop = new AbortController();
  const refused = expect(whenFree(lockedFor(Number.POSITIVE_INFINITY), stop.signal)).rejects.toThrow('aborted');
  stop.abort();
  await vi.advanceTimersByTimeAsync(20);
  await refused;
});

it.each(['open', 'write'])(
  'a locked state is "unavailable" and names the file, not a failed service (%s)',
  async (at) => {
    const directory = folder();
    (await openState(directory, 'empty', 0)).close();
    const service = createLocal({ directory, now: () => 0, randomBytes: (count) => new Uint8Array(count) });
    const send = (method: 'GET' | 'POST', path: string, body = '') =>
      service.send({
        method,
        url: `${OFFLINE_BASE_URL}${path}`,
        headers: { authorization: `Bearer ${personaToken('distributor')}`, 'content-type': 'application/json' },
        body,
      });
    if (at === 'write') expect((await send('GET', '/v1/account')).status).toBe(200);
    const other = (await loadSqlite())(stateFile(directory));
    other.exec('BEGIN EXCLUSIVE');
    // Half a minute passes between two looks at the clock.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 31_000));
    await expect(send('POST', '/v1/licenses', '{}')).rejects.toMatchObject({
      kind: 'unavailable',
      exitCode: 7,
      message: expect.stringContaining(`${stateFile(directory)} is locked by another process`),
    });
    other.exec('ROLLBACK');
    other.close();
    await service.close();
  },
);
