/** The choices of a prompt for a flag or argument. */
import { expect, test } from 'vitest';
import type { Context } from '../../../../src/cli/context.js';
import type { Listed } from '../../../../src/client/references/resolver.js';
import { choicesFor } from '../../../../src/commands/kinds/resolve-values.js';
import type { Referent } from '../../../../src/contract/vocabulary.js';

const MIA = { id: 'u1', label: 'Mia \u001b[31mBerg <mia@x.example>', names: ['mia@x.example', 'Mia Berg'] };

/** Prompts for a reference, with the service's list. */
async function choose(refersTo: Referent, listed: Listed | undefined | Error) {
  const said: string[] = [];
  const warned: string[] = [];
  const context = {
    callersOrganization: async () => ({ id: 's1', type: 'School' }),
    configuredOrganization: () => undefined,
    resolver: async () => ({
      find: async () => ({ is: 'none', closest: [], isRead: true }),
      list: async () => {
        if (listed instanceof Error) throw listed;
        return listed;
      },
    }),
    during: async (_: string, work: Promise<unknown>) => work,
    say: async (text: string) => void said.push(text),
    warn: async (text: string) => void warned.push(text),
  } as unknown as Context;
  const place = { name: 'id', description: 'ID', refersTo };
  return { found: await choicesFor(place, {}, context), said, warned };
}

test('shows the label, other names and the ID of a choice, without control characters', async () => {
  const { found } = await choose('user', { matches: [MIA], isCut: false });
  expect(found?.choices[0]?.value).toBe('u1');
  expect(found?.choices[0]?.name).toMatch(/^Mia .*Berg <mia@x\.example> {2}Mia Berg {2}u1$/);
  expect(found?.choices[0]?.name).not.toContain('\u001b');
});

test('allows users outside the list, but not books', async () => {
  expect((await choose('user', { matches: [MIA], isCut: false })).found?.isOpen).toBe(true);
  expect((await choose('book', { matches: [MIA], isCut: false })).found?.isOpen).toBe(false);
});

test('offers no choices when the list is too long, empty or cannot be read', async () => {
  const long = await choose('book', { matches: [MIA], isCut: true });
  expect(long).toMatchObject({ found: undefined, said: [expect.stringContaining('more than 5000')], warned: [] });
  expect((await choose('book', { matches: [], isCut: false })).found).toBeUndefined();
  expect((await choose('book', undefined)).found).toBeUndefined();
  const failed = await choose('book', new Error('the service is away'));
  expect(failed).toMatchObject({ found: undefined, warned: ['Cannot list the choices: the service is away'] });
});
