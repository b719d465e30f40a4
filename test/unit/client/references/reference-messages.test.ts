/** What users read about references that mean nothing. */
import { expect, test } from 'vitest';
import { isGroup } from '../../../../src/cli/command.js';
import { findCommand, findEntry } from '../../../../src/cli/find-command.js';
import { describeMissing } from '../../../../src/client/references/reference-messages.js';
import { ENTRIES } from '../../../../src/commands/index.js';
import { resources } from '../../../../src/contract/index.js';
import type { Resource } from '../../../../src/contract/resource.js';
import type { Referent } from '../../../../src/contract/vocabulary.js';
import { commandsIn } from '../../../support/commands-in.js';

const NONE = { is: 'none', closest: [], isRead: true } as const;
const KINDS = [...resources.flatMap(({ refersTo }: Resource) => refersTo ?? []), 'organization'] as readonly Referent[];

test.each(KINDS)('the hint for an unknown %s names an existing command', async (kind) => {
  for (const organization of [undefined, { id: 's 1', type: 'School' } as const]) {
    const { hint } = await describeMissing(kind, 'x', { ...NONE, ...(organization && { organization }) });
    for (const line of commandsIn(hint)) {
      const [, first = '', second = ''] = line.split(' ');
      const loaded = await findEntry(ENTRIES, first)?.load();
      expect(loaded && isGroup(loaded) ? findCommand(loaded, second)?.name : loaded?.name, line).toBeDefined();
    }
  }
});

test.each([
  ['user', 'Eva', 'no user has the ID, e-mail address or name "Eva" (looked in your organization only)'],
  ['class', '7b', 'no class has the ID, code or name "7b" (looked in the schools that you own)'],
  ['book', 'ean:12', 'no book has the EAN "12" (looked in your organization and the publishers that it owns)'],
  ['subject', 'name:Maths', 'no subject has the name "Maths"'],
  ['school', 'id:s9', 'no school has the ID "s9"'],
] as const)('names where a %s was looked for', async (kind, text, message) => {
  expect((await describeMissing(kind, text, NONE)).message).toBe(message);
  const { message: without } = await describeMissing(kind, text, { ...NONE, unread: ['x', 'y'] });
  expect(without).toBe(message.replace(/\)$/, ', without x, y, which cannot be listed)'));
});

test('says that a list may not be read, and names similar items', async () => {
  expect(await describeMissing('class', '7b', { ...NONE, isRead: false })).toEqual({
    message: 'no class has the ID, code or name "7b", and names cannot be looked up: classes cannot be listed',
    hint: 'Only the owner of a school can list its classes. Give the class by ID.',
  });
  const { hint } = await describeMissing('user', 'Femke', { ...NONE, closest: ['Femke Coördes', 'f@x.example'] });
  expect(hint).toBe(
    'Did you mean Femke Coördes or f@x.example?\n--in ORGANIZATION looks up names in another organization.',
  );
});
