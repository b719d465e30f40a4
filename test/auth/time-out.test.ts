/** A refusal may never redirect (the API document leaves it open): the wait must end with a hint. */
import { describe, expect, test } from 'vitest';
import { failure } from '../support/failure.js';
import { CANARY, scenario, waiting } from './support.js';

describe('a login without a callback', () => {
  test('ends after the timeout, with the port closed', async () => {
    const login = await waiting({ timeout: 300_000 });
    expect(login.told.join('\n')).toContain('up to 5 minutes');
    login.clock.advance(299_999);
    expect((await login.visit({ code: 'x', state: 'y' })).status).toBe(400);
    login.clock.advance(1);
    const error = await failure(login.outcome);
    expect(error).toMatchObject({
      kind: 'unreachable',
      message: 'Cannot log in: no redirect arrived within 5 minutes.',
    });
    expect(error.hint).toContain('edu auth login --paste');
    await expect(login.visit({ code: CANARY.code, state: login.state() })).rejects.toThrowError('ECONNREFUSED');
    expect(login.exchanges).toEqual([]);
    await login.expectNoCanary();
  });

  test('has no timeout during the exchange', async () => {
    const login = await scenario({
      timeout: 1_000,
      verify: async () => {
        login.clock.advance(5_000);
        return { email: 'anna@example.com' };
      },
    });
    await login.waiting;
    expect((await login.visit({ code: CANARY.code, state: login.state() })).status).toBe(200);
    await login.outcome;
  });
});
