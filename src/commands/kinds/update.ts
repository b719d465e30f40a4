/** Builds the body of a PUT from given and current values (PRODUCT.md section 2). */
import type { Flag, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { merged } from './request-body.js';

export { notReturned } from './request-body.js';

export interface UpdatePlan {
  readonly flags: readonly Flag[];
  /** The flags to merge field by field; default: all. */
  readonly merging?: readonly Flag[];
  readonly endpoint: Endpoint;
  readonly values: Values;
  readonly read: () => Promise<unknown>;
}

function requiredFlags(endpoint: Endpoint, flags: readonly Flag[]): ReadonlySet<string> {
  const required = Object.entries(endpoint.body ?? {})
    .filter(([, field]) => field.required)
    .map(([name]) => name);
  return new Set(
    flags.filter((flag) => required.includes((flag.target ?? '').split('.')[1] ?? '')).map((flag) => flag.name),
  );
}

export const NOTHING_TO_CHANGE = 'No changes given.';

export const isChange = (flags: readonly Flag[], values: Values): boolean =>
  flags.some((flag) => flag.narrows !== true && values[flag.name] !== undefined);

/** @throws EduError `usage` when no flag changes anything */
export function requireChange(flags: readonly Flag[], values: Values): void {
  if (isChange(flags, values)) return;
  const names = flags.filter((flag) => !flag.hidden).map((flag) => `--${flag.name}`);
  throw usageError(NOTHING_TO_CHANGE, `Give at least one of ${names.join(', ')}.`);
}

/** @returns the body to send, and the item that was read */
export async function planUpdate(
  plan: UpdatePlan,
  context: Context,
): Promise<{ body: Record<string, unknown>; present: unknown }> {
  requireChange(plan.flags, plan.values);
  const merging = plan.merging ?? plan.flags;
  const present = await plan.read();
  const { body, problems } = merged(merging, plan.values, present, requiredFlags(plan.endpoint, merging));
  if (problems.length > 0) throw problemsError(problems, context.path);
  return { body, present };
}
