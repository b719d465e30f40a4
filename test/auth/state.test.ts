/** Attack: a page sends the browser to the callback with the attacker's code (login CSRF). */
import { describe, expect, test } from 'vitest';
import { CANARY, expectTurnedAway } from './support.js';

describe('a callback without the state of the login', () => {
  test.each([
    ['no state', (): string => `code=${CANARY.code}`],
    ['an empty state', (): string => `code=${CANARY.code}&state=`],
    ['a wrong state', (): string => `code=${CANARY.code}&state=${'A'.repeat(43)}`],
    ['the right state in another case', (state: string): string => `code=${CANARY.code}&state=${swapCase(state)}`],
    ['the beginning of the right state', (state: string): string => `code=${CANARY.code}&state=${state.slice(0, -1)}`],
    ['the right state and more', (state: string): string => `code=${CANARY.code}&state=${state}x`],
    ['the right state twice', (state: string): string => `code=${CANARY.code}&state=${state}&state=${state}`],
    ['a wrong and the right state', (state: string): string => `code=${CANARY.code}&state=x&state=${state}`],
    ['two codes', (state: string): string => `code=a&code=b&state=${state}`],
    ['an empty code', (state: string): string => `code=&state=${state}`],
    ['an empty error', (state: string): string => `error=&state=${state}`],
    ['no code', (state: string): string => `state=${state}`],
    ['a code and an error', (state: string): string => `code=a&error=access_denied&state=${state}`],
    ['two errors', (state: string): string => `error=a&error=b&state=${state}`],
    ['nothing at all', (): string => ''],
    ['the parameters in the fragment', (): string => '%23code=a&state=b'],
  ])('%s: 400, and the login keeps waiting', async (_, query) => {
    expect((await expectTurnedAway(400, ({ state }) => query(state()))).body).not.toContain('canary');
  });

  test('is refused on the registered path, too', async () => {
    await expectTurnedAway(
      400,
      () => ({ code: 'x', state: 'y' }),
      () => ({ path: '/callback' }),
    );
  });
});

const swapCase = (text: string): string =>
  [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('');
