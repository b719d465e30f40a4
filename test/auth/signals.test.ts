/** Ctrl-C and SIGTERM at any moment: the port is closed, nothing is stored, and the exit code is that of the signal. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { NoResponse } from '../../src/client/request/no-response.js';
import { EduError } from '../../src/core/errors.js';
import { failure } from '../support/failure.js';
import { CANARY, scenario, waiting } from './support.js';

describe('an interrupted login', () => {
  test('ends while waiting, with the exit code of its signal', async () => {
    const login = await waiting();
    login.interrupt(new EduError('terminated', 'Terminated.'));
    expect(await failure(login.outcome)).toMatchObject({ kind: 'terminated', exitCode: 143 });
    await expect(login.visit({ code: CANARY.code, state: login.state() })).rejects.toThrowError('ECONNREFUSED');
    expect(existsSync(credentialsFile(login.env))).toBe(false);
    await login.expectNoCanary();
  });

  test('stores nothing during the exchange', async () => {
    const login = await scenario({
      send: ({ signal }) => {
        const cancelled = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(new NoResponse('cancelled', { sent: true })));
        });
        login.interrupt();
        return cancelled;
      },
    });
    await login.waiting;
    const visit = login.visit({ code: CANARY.code, state: login.state() }).catch((error: unknown) => error);
    expect(await failure(login.outcome)).toMatchObject({ kind: 'interrupted' });
    await visit;
    expect(existsSync(credentialsFile(login.env))).toBe(false);
    await login.expectNoCanary();
  });

  test('stores nothing during verification', async () => {
    const login = await scenario({
      verify: async () => {
        login.interrupt();
        return { email: 'anna@example.com' };
      },
    });
    await login.waiting;
    const visit = login.visit({ code: CANARY.code, state: login.state() }).catch((error: unknown) => error);
    expect(await failure(login.outcome)).toMatchObject({ kind: 'interrupted' });
    await visit;
    expect(existsSync(credentialsFile(login.env))).toBe(false);
  });
});
