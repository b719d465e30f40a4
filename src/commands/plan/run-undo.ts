/** Runs `edu undo`, which plans the reversal of a receipt. */
import { createHash } from 'node:crypto';
import { textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import { readReceipt } from '../../plan/apply/receipt.js';
import { newPlan } from '../../plan/plan-file.js';
import { planUndo } from '../../plan/undo.js';
import { deliver } from './run-plan.js';

/** @returns the exit code */
export async function runUndo(values: Values, context: Context): Promise<number> {
  const file = textOf(values, 'receipt');
  if (file === undefined) throw usageError('RECEIPT is missing: the file that edu apply wrote.');
  const receipt = readReceipt(file);
  const { service, account } = receipt.header;
  const hash = createHash('sha256').update(JSON.stringify(receipt)).digest('hex');
  const created = new Date(context.now()).toISOString();
  const plan = newPlan(planUndo(receipt), { service, account, wanted: hash, read: hash, created });
  return deliver(plan, textOf(values, 'out'), context);
}
