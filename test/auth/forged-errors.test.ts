/** Attack: a page sends the browser to the callback with an error, to end the login (wrangler, aws). */
import { describe, expect, test } from 'vitest';
import { wordHint } from '../../src/cli/hints.js';
import { failure } from '../support/failure.js';
import { CANARY, waiting } from './support.js';

describe('an error at the callback', () => {
  test.each(['', '&state=', '&state=forged', '&state=forged&state=forged'])(
    'without the right state (%j) ends nothing',
    async (state) => {
      const login = await waiting();
      for (const path of ['/callback', login.path()]) {
        expect((await login.visit(`error=access_denied&error_description=forged-words${state}`, { path })).status).toBe(
          400,
        );
      }
      expect(login.told.join('\n')).not.toContain('forged-words');
      await login.expectStillWaiting();
    },
  );

  test('with the right state ends the login as refused, on the registered path', async () => {
    const login = await waiting();
    const query = { error: 'access_denied', error_description: 'The user refused access.', state: login.state() };
    const page = await login.visit(query, { path: '/callback' });
    expect(page.status).toBe(403);
    expect(page.body).toContain('Access was denied');
    expect(page.body).not.toContain('The user refused');
    const error = await failure(login.outcome);
    expect(error).toMatchObject({
      kind: 'refused',
      message: 'Cannot log in: access was denied in the browser: The user refused access.',
    });
    expect(login.exchanges).toEqual([]);
    await login.expectNoCanary();
  });

  test('names the setting to check for redirect_uri_mismatch', async () => {
    const login = await waiting();
    await login.visit({ error: 'redirect_uri_mismatch', state: login.state() }, { path: '/callback' });
    const error = await failure(login.outcome);
    expect(error.message).toContain('the service rejected the callback URL');
    expect(error.hint).toContain(`the host and port of ${login.facts.callback.url}; `);
    const inProfile = wordHint(error.hint ?? '', { profile: 'test' });
    expect(inProfile).toContain('`edu config set callback-url URL --profile test`');
    expect(inProfile).toMatch(/: edu config set exact-callback true --profile test$/);
  });

  test('a code after the refusal is not exchanged', async () => {
    const login = await waiting();
    await login.visit({ error: 'access_denied', state: login.state() }, { path: '/callback' });
    const late = login.visit({ code: CANARY.code, state: login.state() });
    const page = await late.catch((error: unknown) => error);
    if (!(page instanceof Error)) expect(page).toMatchObject({ status: 403 });
    await failure(login.outcome);
    expect(login.exchanges).toEqual([]);
  });

  test.each(['toString', '__proto__', 'constructor'])('an error named %s is treated as plain text', async (name) => {
    const login = await waiting();
    await login.visit({ error: name, state: login.state() });
    expect((await failure(login.outcome)).message).toBe(`Cannot log in: the service rejected the login (${name}).`);
  });
});
