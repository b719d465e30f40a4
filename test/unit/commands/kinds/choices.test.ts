/** The choices of a prompt for a flag or argument. */
import { expect, test } from 'vitest';
import type { Context } from '../../../../src/cli/context.js';
import type { Listed } from '../../../../src/client/references/resolver.js';
import { choicesFor } from '../../../../src/commands/kinds/resolve-values.js';
import type { Referent } from '../../../../src/contract/vocabulary.js';
import { EduError } from '../../../../src/core/errors.js';

const MIA = { id: 'u1', label: 'Mia \u001b[31mBerg <mia@x.example>', names: ['mia@x.example', 'Mia Berg'] };

/** Prompts for a reference, with the service's list. */
async function choose(refersTo: Referent, listed: Omit<Listed, 'find'> | undefined | Error) {
  const said: string[] = [];
  const warned: string[] = [];
  const context = {
    callersOrganization: async () => ({ id: 's1', type: 'School' }),
    configuredOrganization: () => undefined,
    resolver: async () => ({
      schoolName: async (id: string) => (id === 's1' ? 'North' : undefined),
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

test('offers no choices when the list is too long, empty or cannot be read, and says so', async () => {
  const long = await choose('book', { matches: [MIA], isCut: true });
  expect(long).toMatchObject({ found: undefined, said: [expect.stringContaining('more than 5000')], warned: [] });
  const none = await choose('book', { matches: [], isCut: false });
  expect(none.found).toBeUndefined();
  expect(none.said).toEqual([
    'There are no books to choose from (in your organization and the publishers that it owns).',
  ]);
  const hidden = await choose('book', undefined);
  expect(hidden).toMatchObject({ found: undefined, warned: ['Cannot list books to choose from.'] });
  expect(await choose('endUser', undefined)).toEqual({ found: undefined, said: [], warned: [] });
  const failed = await choose('book', new EduError('server_error', 'the service failed'));
  expect(failed).toMatchObject({ found: undefined, warned: ['Cannot list the choices: the service failed'] });
});

test.each(['interrupted', 'unauthenticated', 'unreachable'] as const)(
  'asks nothing after an error that would repeat: %s',
  async (kind) => {
    const error = new EduError(kind, 'over');
    await expect(choose('book', error)).rejects.toBe(error);
  },
);

test('tells classes of one name apart by their schools, and schools by their cities', async () => {
  const matches = ['s1', 's2'].map((school) => ({ id: `c-${school}`, label: '7b', names: ['7b'], school }));
  const { found } = await choose('class', { matches, isCut: false });
  expect(found?.choices.map(({ name }) => name)).toEqual(['7b, North (s1)  c-s1', '7b, school (s2)  c-s2']);
  const schools = [{ id: 's1', label: 'North', names: ['North'], city: 'Kiel' }];
  const { found: some } = await choose('school', { matches: schools, isCut: false });
  expect(some?.choices.map(({ name }) => name)).toEqual(['North, Kiel  s1']);
});
