/** Flags of `edu plan` and other commands that create plans. */
import { type Flag, flag, needs, OUTPUT_FILE, percentOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { firstProblems, type Problem } from '../../core/errors.js';
import { DEFAULT_LIMITS, type Limits } from '../../plan/steps.js';

const MAX_PROBLEMS = 200;

export const OUT: Flag = flag('--out FILE', 'write the plan to FILE, for edu apply', { kind: 'file', ...OUTPUT_FILE });

export const SIGN: Flag = flag('--sign', 'sign the plan with the key in EDU_PLAN_KEY, for edu apply --signed-by');

export const LIMITS: readonly Flag[] = [
  flag('--allow-removals N%', 'allow the removal of up to N% (default 10%)', { kind: 'percent' }),
  flag('--allow-changes N%', 'allow the change of up to N% (default 75%)', { kind: 'percent' }),
];

export const SKIP_INVALID: Flag = flag(
  '--skip-invalid',
  'leave out rows with problems; then the exit code is 3, and nobody is removed because of them',
);

/** Warns of the rows that `--skip-invalid` leaves out, and of the notes about an input. @returns the number of these rows */
export async function warnOfInput(
  { left, notes }: { readonly left: readonly Problem[]; readonly notes: readonly string[] },
  { warn }: Pick<Context, 'warn'>,
): Promise<number> {
  for (const { where = '', message } of firstProblems(left, MAX_PROBLEMS))
    await warn(`Left out: ${where}: ${message}.`);
  for (const note of notes) await warn(note);
  return left.length;
}

/** Only a file can be applied, so nothing else is signed. */
export const signProblems = needs(SIGN.name, OUT.name);

function shareOf(values: Values, name: string): number | undefined {
  const percent = percentOf(values, name);
  return percent === undefined ? undefined : percent / 100;
}

export const limitsOf = (values: Values): Limits => ({
  maxRemoved: shareOf(values, 'allow-removals') ?? DEFAULT_LIMITS.maxRemoved,
  maxChanged: shareOf(values, 'allow-changes') ?? DEFAULT_LIMITS.maxChanged,
});
