/** Flags of `edu plan` and other commands that create plans. */
import { type Flag, flag, isOn, textOf, type Values } from '../../cli/command.js';
import { shown } from '../../cli/read-value.js';
import type { Problem } from '../../core/errors.js';
import { DEFAULT_LIMITS, type Limits } from '../../plan/steps.js';

export const OUT: Flag = flag('--out FILE', 'write the plan to FILE, for edu apply', { kind: 'file' });

export const SIGN: Flag = flag('--sign', 'sign the plan with the key in EDU_PLAN_KEY, for edu apply --signed-by');

export const LIMITS: readonly Flag[] = [
  flag('--allow-removals N%', 'allow this share of an organization to be removed (default 10%)'),
  flag('--allow-changes N%', 'allow this share of an organization to be changed (default 75%)'),
];

/** `25%` as 0.25; undefined for anything else. */
function shareOf(text: string): number | undefined {
  const [, amount] = /^(\d+(?:\.\d+)?)%$/.exec(text.trim()) ?? [];
  return amount === undefined || Number(amount) > 100 ? undefined : Number(amount) / 100;
}

export const limitProblems = (values: Values): readonly Problem[] =>
  LIMITS.flatMap(({ name }) => {
    const text = textOf(values, name);
    if (text === undefined || shareOf(text) !== undefined) return [];
    return [{ where: `--${name}`, message: `must be a percentage such as 25%, not ${shown(text)}` }];
  });

/** Only a file can be applied, so nothing else is signed. */
export const signProblems = (values: Values): readonly Problem[] =>
  isOn(values, SIGN.name) && textOf(values, 'out') === undefined
    ? [{ where: '--sign', message: 'needs --out FILE' }]
    : [];

export const limitsOf = (values: Values): Limits => ({
  maxRemoved: shareOf(textOf(values, 'allow-removals') ?? '') ?? DEFAULT_LIMITS.maxRemoved,
  maxChanged: shareOf(textOf(values, 'allow-changes') ?? '') ?? DEFAULT_LIMITS.maxChanged,
});
