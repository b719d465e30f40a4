/** Questions before what cannot be undone, or kept. */
import { expect, test } from 'vitest';
import type { Context } from '../../../../src/cli/context.js';
import { askReset, destroyQuestion } from '../../../../src/commands/kinds/confirm.js';
import type { WriteSpec } from '../../../../src/commands/kinds/spec.js';
import { group as classes } from '../../../../src/commands/resources/classes.js';
import { CATEGORY_RESET } from '../../../../src/commands/resources/license-category.js';
import { group as licenses } from '../../../../src/commands/resources/licenses.js';

const specOf = ({ commands }: typeof licenses, name: string) =>
  commands.find((command) => command.name === name) as unknown as WriteSpec;

test.each([
  [
    licenses,
    'cancel',
    [[28, 30]],
    'Cancel it? 28 of 30 seats are in use. This cannot be undone; `edu licenses delete` only removes unused ones.',
  ],
  [
    licenses,
    'cancel',
    [
      [28, 30],
      [0, 5],
    ],
    'Cancel it? 28 of 35 seats are in use. This cannot be undone; `edu licenses delete` only removes unused ones.',
  ],
  [licenses, 'cancel', [], 'Cancel it?'],
  [licenses, 'delete', [], 'Delete it?'],
  [classes, 'delete', [[1], [24]], 'Delete it? 25 members will be removed. This cannot be undone.'],
])('%o %s with %j', (group, name, counts, question) => {
  expect(destroyQuestion(specOf(group, name), 'it', counts)).toBe(question);
});

test('counts what an item loses', () => {
  expect(specOf(licenses, 'cancel').loss?.countsOf({ numberOfActivations: 2, maximumActivations: null })).toEqual([
    2, 0,
  ]);
  expect(specOf(classes, 'delete').loss?.countsOf({ usersInClass: ['u1', 'u2'] })).toEqual([2]);
});

test.each([
  [0, { 'license-category': 'k9' }],
  [1, { 'reset-license-category': true }],
  [2, 'Not confirmed. Nothing was sent.'],
])('answer %i about a category', async (index, decided) => {
  const prompt = async () => ({
    select: async (_: string, choices: readonly { readonly value: unknown }[]) => choices[index]?.value,
    text: async () => ' k9 ',
  });
  const answer = askReset(CATEGORY_RESET, 'Which?', { prompt } as unknown as Context);
  if (typeof decided === 'string') await expect(answer).rejects.toThrow(decided);
  else expect(await answer).toEqual(decided);
});
