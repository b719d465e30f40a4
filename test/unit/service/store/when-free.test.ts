import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLocal, OFFLINE_BASE_URL } from '../../../../src/client/transport/local.js';
import { createService } from '../../../../src/service/index.js';
import { personaToken } from '../../../../src/service/personas.js';
import { openState } from '../../../../src/service/state.js';
import { loadSqlite } from '../../../../src/service/store/sqlite.js';
import { createWhenFree, StateError, stateErrorOf } from '../../../../src/service/store/state-error.js';
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

it('gives up after twenty seconds, and at once on another error', async () => {
  const refused = expect(createWhenFree()(lockedFor(Number.POSITIVE_INFINITY))).rejects.toBe(busy);
  await vi.advanceTimersByTimeAsync(20_100);
  await refused;
  const broken = vi.fn(() => {
    throw new Error('broken');
  });
  await expect(createWhenFree()(broken)).rejects.toThrow('broken');
  expect(broken).toHaveBeenCalledTimes(1);
});

it('reports once that it waits, after a second', async () => {
  const said = vi.fn();
  const waiting = createWhenFree(said)(lockedFor(200));
  await vi.advanceTimersByTimeAsync(900);
  expect(said).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3_200);
  await waiting;
  expect(said).toHaveBeenCalledTimes(1);
});

it('waits once in vain, and then tries once until some work succeeds', async () => {
  const whenFree = createWhenFree();
  const first = expect(whenFree(lockedFor(Number.POSITIVE_INFINITY))).rejects.toBe(busy);
  await vi.advanceTimersByTimeAsync(20_100);
  await first;
  const second = lockedFor(1);
  await expect(whenFree(second)).rejects.toBe(busy);
  expect(await whenFree(second)).toBe('done');
  const third = whenFree(lockedFor(1));
  await vi.advanceTimersByTimeAsync(20);
  expect(await third).toBe('done');
});

it.each([
  ['SQLITE_PROTOCOL', 15],
  ['SQLITE_IOERR_LOCK', 3850],
])('does not try again where the file system has no locks (%s)', async (_, errcode) => {
  const whenFree = createWhenFree();
  const noLocks = Object.assign(new Error('locking protocol'), { errcode });
  const work = vi.fn(() => {
    throw stateErrorOf('/x/service.db', noLocks);
  });
  const error = { isLocked: true, message: expect.stringContaining('/x/service.db cannot be locked') };
  await expect(whenFree(work)).rejects.toMatchObject(error);
  await expect(whenFree(work)).rejects.toMatchObject(error);
  expect(work).toHaveBeenCalledTimes(1);
});

/** Locks the state as another process does, for as long as the work takes. */
async function whileLocked(directory: string, work: () => Promise<void>): Promise<void> {
  const other = (await loadSqlite())(stateFile(directory));
  other.exec('BEGIN EXCLUSIVE');
  await work();
  other.exec('ROLLBACK');
  other.close();
}

/** Half a minute passes between two looks at the clock. */
function hurry(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 31_000));
}

it('over HTTP, a locked state is 503 with the file named, also for a login, and is waited for', async () => {
  const directory = folder();
  const service = await createService({ directory, seed: 'demo', clock: () => 0 });
  const { clientId, clientSecret, personas } = service;
  const exchange = () =>
    service.fetch('/login/oauth/access_token', {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code: 'x' }),
    });
  const create = (signal?: AbortSignal) =>
    service.fetch('/v1/classes', {
      method: 'POST',
      headers: { authorization: `Bearer ${personas.school}`, 'content-type': 'application/json' },
      body: '{}',
      ...(signal && { signal }),
    });
  await whileLocked(directory, async () => {
    const stop = new AbortController();
    const stopped = expect(create(stop.signal)).rejects.toThrow('aborted');
    stop.abort();
    await vi.advanceTimersByTimeAsync(100);
    await stopped;
  });
  let waiting: Promise<Response> | undefined;
  await whileLocked(directory, async () => {
    waiting = exchange();
    await vi.advanceTimersByTimeAsync(100);
  });
  await vi.advanceTimersByTimeAsync(100);
  expect((await waiting)?.status).toBe(400);
  hurry();
  await whileLocked(directory, async () => {
    for (const response of [await create(), await exchange()]) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.text()).toContain(`${stateFile(directory)} is locked by another process`);
    }
  });
  await service.close();
});

it.each(['open', 'write'])(
  'a locked state is "unavailable" and names the file, not a failed service (%s)',
  async (at) => {
    const directory = folder();
    (await openState(directory, 'empty', 0)).close();
    const said = vi.fn();
    const service = createLocal({ directory, now: () => 0, randomBytes: (count) => new Uint8Array(count), say: said });
    const send = (method: 'GET' | 'POST', path: string, body = '') =>
      service.send({
        method,
        url: `${OFFLINE_BASE_URL}${path}`,
        headers: { authorization: `Bearer ${personaToken('distributor')}`, 'content-type': 'application/json' },
        body,
      });
    if (at === 'write') expect((await send('GET', '/v1/account')).status).toBe(200);
    hurry();
    await whileLocked(directory, () =>
      expect(send('POST', '/v1/licenses', '{}')).rejects.toMatchObject({
        kind: 'unavailable',
        exitCode: 7,
        message: expect.stringContaining(`${stateFile(directory)} is locked by another process`),
      }),
    );
    await service.close();
  },
);
