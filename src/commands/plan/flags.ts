/** Flags of `edu plan` and other commands that create plans. */
import { type Flag, flag, isOn, percentOf, textOf, type Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';
import { DEFAULT_LIMITS, type Limits } from '../../plan/steps.js';

export const OUT: Flag = flag('--out FILE', 'write the plan to FILE, for edu apply', { kind: 'file' });

export const SIGN: Flag = flag('--sign', 'sign the plan with the key in EDU_PLAN_KEY, for edu apply --signed-by');

export const LIMITS: readonly Flag[] = [
  flag('--allow-removals N%', 'allow the removal of up to N% (default 10%)', { kind: 'percent' }),
  flag('--allow-changes N%', 'allow the change of up to N% (default 75%)', { kind: 'percent' }),
];

/** Only a file can be applied, so nothing else is signed. */
export const signProblems = (values: Values): readonly Problem[] =>
  isOn(values, SIGN.name) && textOf(values, 'out') === undefined
    ? [{ where: '--sign', message: 'needs --out FILE' }]
    : [];

function shareOf(values: Values, name: string): number | undefined {
  const percent = percentOf(values, name);
  return percent === undefined ? undefined : percent / 100;
}

export const limitsOf = (values: Values): Limits => ({
  maxRemoved: shareOf(values, 'allow-removals') ?? DEFAULT_LIMITS.maxRemoved,
  maxChanged: shareOf(values, 'allow-changes') ?? DEFAULT_LIMITS.maxChanged,
});
