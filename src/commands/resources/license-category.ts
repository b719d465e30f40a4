/**
 * The licence category in updates. The API accepts an ID but may return a name, so the category cannot be sent back,
 * and an update without one may reset it (service-api-v1.md, "Licence").
 */

import { type Flag, flag, isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import type { Reset, Write } from '../kinds/spec.js';

export const RESET_CATEGORY: Flag = flag(
  '--reset-license-category',
  'accept that the update resets the licence category',
  { changesNothing: true },
);

export const CATEGORY_RESET: Reset = { flag: RESET_CATEGORY.name, keep: 'license-category', what: 'licence category' };

const shownCategory = (licence: unknown): string | undefined => {
  const category = getPath(licence, 'licenseCategory');
  return typeof category === 'string' && category !== '' ? category : undefined;
};

/** Stores the default category, if the response to a create without category shows one. */
export async function noteDefaultCategory(answer: unknown, context: Context): Promise<void> {
  const category = shownCategory(answer);
  if (category === undefined) return;
  const { baseUrl } = await context.client();
  const { defaultCategory, storeDefaultCategory } = await import('../../settings/remembered.js');
  if (defaultCategory(context.env, baseUrl) !== category) storeDefaultCategory(context.env, baseUrl, category);
}

/**
 * Decides about the category in an update: by flags, or by a prompt.
 * @returns the flag that the answer stands for, warnings to print before the update is sent, and what is not decided
 */
export async function decideCategory(
  values: Values,
  licence: unknown,
  what: string,
  context: Context,
): Promise<Pick<Write, 'answers' | 'warnings' | 'undecided'>> {
  if (isOn(values, RESET_CATEGORY.name) || values[CATEGORY_RESET.keep] !== undefined) return {};
  const before = shownCategory(licence);
  if (before === undefined) {
    const text = `The service shows no category of ${what}; if it has one, this update may reset it.`;
    return { warnings: [`${text} Pass --license-category ID to set it.`] };
  }
  const { baseUrl } = await context.client();
  const { defaultCategory } = await import('../../settings/remembered.js');
  if (defaultCategory(context.env, baseUrl) === before) return {};
  if (!context.canAsk) {
    const error = usageError(
      `Refusing to update ${what}: it shows the licence category ${JSON.stringify(before)}, which an update without --license-category may reset.`,
      'Pass --license-category ID to set the category, or --reset-license-category to accept the default.',
    );
    return { undecided: { value: before, error } };
  }
  const { askReset } = await import('../kinds/confirm.js');
  const message = `${what[0]?.toUpperCase()}${what.slice(1)} shows the category ${JSON.stringify(before)}, which an update may reset:`;
  return { answers: await askReset(CATEGORY_RESET, message, context) };
}
