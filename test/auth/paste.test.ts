/** Attack: a person is persuaded to paste something. Only a whole address with the right state is accepted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../support/failure.js';
import { CANARY, scenario, waiting } from './support.js';

const address = (query: string): string => `http://127.0.0.1:8976/callback/x?${query}`;

describe('a pasted text', () => {
  test.each([
    ['a bare code', () => CANARY.code, 'The code alone is not enough'],
    ['an address without state', () => address(`code=${CANARY.code}`), 'contains no code and state'],
    ['an address with a wrong state', () => address(`code=${CANARY.code}&state=wrong`), 'belongs to another login'],
    ['an error with a wrong state', () => address('error=access_denied&state=wrong'), 'belongs to another login'],
    ['two states', (state: string) => address(`code=a&state=${state}&state=x`), 'contains no code and state'],
    ['an empty code', (state: string) => address(`code=&state=${state}`), 'contains no code and state'],
    ['words', () => 'hello there', 'The code alone is not enough'],
    ['a command', () => 'code=1; rm -rf /', 'The code alone is not enough'],
  ])('%s is refused with the reason, and not repeated', async (_, text, why) => {
    const login = await waiting();
    const before = login.told.length;
    login.paste(text(login.state()));
    while (login.told.length === before) await new Promise((resolve) => setImmediate(resolve));
    expect(login.told.at(-1)).toContain(why);
    expect(login.told.at(-1)).not.toContain(login.state());
    await login.expectStillWaiting();
    await login.expectNoCanary();
  });

  test('is recognised when it is the address to open', async () => {
    const login = await waiting();
    const before = login.told.length;
    login.paste(login.address().href);
    while (login.told.length === before) await new Promise((resolve) => setImmediate(resolve));
    expect(login.told.at(-1)).toContain('the URL to open');
    await login.expectStillWaiting();
  });

  test.each([
    ['the whole address', (state: string) => address(`code=${CANARY.code}&state=${state}`)],
    ['with a fragment behind it', (state: string) => `${address(`code=${CANARY.code}&state=${state}`)}#_=_`],
    ['with spaces and quotes around it', (state: string) => `  "${address(`code=${CANARY.code}&state=${state}`)}" `],
    ['as terminals mark it', (state: string) => `\x1b[200~${address(`code=${CANARY.code}&state=${state}`)}\x1b[201~`],
    ['with more parameters', (state: string) => address(`client_id=7&code=${CANARY.code}&state=${state}`)],
    ['the query', (state: string) => `code=${CANARY.code}&state=${state}`],
    ['the query with its question mark', (state: string) => `?state=${state}&code=${CANARY.code}`],
  ])('%s is accepted while the port is open', async (_, text) => {
    const login = await waiting({ mode: 'no-browser' });
    login.paste('');
    login.paste(text(login.state()));
    await login.outcome;
    expect(new URLSearchParams(login.exchanges[0]?.body).get('code')).toBe(CANARY.code);
    await login.expectNoCanary();
  });

  test('may be a refusal', async () => {
    const login = await waiting();
    login.paste(address(`error=access_denied&error_description=No&state=${login.state()}`));
    expect((await failure(login.outcome)).message).toBe('Cannot log in: access was denied in the browser: No.');
  });

  test('that ends early leaves the listener waiting', async () => {
    const login = await waiting({ input: [] });
    await login.expectStillWaiting();
  });

  test('that ends early is an error when there is no listener', async () => {
    const login = await scenario({ mode: 'paste', input: ['nonsense'] });
    expect(await failure(login.outcome)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('stdin ended'),
    });
  });
});

describe('edu auth login --paste < file', () => {
  /** A login that an earlier command started and whose time is over, and a command that is given its address. */
  async function earlier() {
    const first = await waiting({ mode: 'no-browser', timeout: 1_000 });
    first.clock.advance(1_000);
    await failure(first.outcome);
    const input = [address(`code=${CANARY.code}&state=${first.state()}`)];
    const env = { EDU_CONFIG_DIR: first.env.EDU_CONFIG_DIR ?? '' };
    return { first, paste: (facts = {}) => scenario({ mode: 'paste', input, env, facts }) };
  }

  test('finishes a login that an earlier command started', async () => {
    const { first, paste } = await earlier();
    const second = await paste();
    await second.outcome;
    expect(new URLSearchParams(second.exchanges[0]?.body).get('state')).toBe(first.state());
    await first.expectNoCanary();
    // Neither address finishes another login.
    const started = readFileSync(join(first.env.EDU_CONFIG_DIR ?? '', 'private', 'logins.json'), 'utf8');
    expect(JSON.parse(started)).toEqual({ logins: [] });
  });

  test.each([
    ['another base URL', { baseUrl: 'https://other.example.com' }],
    ['another profile', { profile: 'work' }],
    ['another client', { clientId: 'client-2' }],
  ])('is refused for %s', async (_, facts) => {
    const { paste } = await earlier();
    const second = await paste(facts);
    await failure(second.outcome);
    expect(second.exchanges).toEqual([]);
  });
});
