/** The receipt of an applied plan: its steps with their outcomes and IDs. */
import type { Journal } from '../../bulk/job/journal.js';
import { isObject } from '../../core/json.js';
import type { Plan, PlanHeader } from '../plan-file.js';
import { readLines, unusable } from '../plan-file.js';
import type { Step } from '../steps.js';
import { SKIPPED, STALE } from './write-of.js';

/** `exists`: someone else had made the change before, so an undo does not revert it. `left`: not sent yet. */
export type StepOutcome = 'done' | 'exists' | 'stale' | 'skipped' | 'failed' | 'unknown' | 'left';

export interface ReceiptStep extends Step {
  readonly outcome: StepOutcome;
  /** ID of the item, whether the step created it or not. */
  readonly resultId: string | null;
  readonly error: string | null;
}

export interface ReceiptHeader extends Pick<PlanHeader, 'service' | 'account'> {
  readonly receipt: 1;
  readonly plan: string;
  /** When the plan was created and when the receipt was written. ISO 8601. */
  readonly planned: string;
  readonly written: string;
  readonly steps: number;
}

export interface Receipt {
  readonly header: ReceiptHeader;
  readonly steps: readonly ReceiptStep[];
}

export function outcomeOf(journal: Journal, step: number): Pick<ReceiptStep, 'outcome' | 'resultId' | 'error'> {
  const { state, id = null, error: text = null } = journal.outcome(step);
  // Advice about bulk jobs does not apply to plans.
  const error = text?.split(' `edu jobs retry', 1)[0] ?? null;
  const facts = { resultId: id, error };
  if (state === 'created' || state === 'updated') return { outcome: 'done', ...facts };
  if (state === 'exists') return { outcome: 'exists', ...facts };
  if (state === 'unknown') return { outcome: 'unknown', ...facts };
  if (state === 'planned' || state === 'sending') return { outcome: 'left', ...facts };
  if (error?.startsWith(SKIPPED)) return { outcome: 'skipped', ...facts, error: error.slice(SKIPPED.length) };
  if (error?.startsWith(STALE)) return { outcome: 'stale', ...facts, error: error.slice(STALE.length) };
  return { outcome: state === 'conflict' ? 'stale' : 'failed', ...facts };
}

export function* receiptLines({ header, steps }: Plan, journal: Journal, written: string): Generator<string> {
  const { service, account, hash, created } = header;
  const first: ReceiptHeader = {
    receipt: 1,
    service,
    account,
    plan: hash,
    planned: created,
    written,
    steps: steps.length,
  };
  yield `${JSON.stringify(first)}\n`;
  for (const step of steps) yield `${JSON.stringify({ ...step, ...outcomeOf(journal, step.step) })}\n`;
}

const HINT = 'Name the file that edu apply wrote.';

/** Whether a line has the members of a step that an undo reads. */
const isStep = ({ step, verb, resource, key, section, needs, outcome }: Readonly<Record<string, unknown>>): boolean =>
  Number.isSafeInteger(step) &&
  [verb, resource, key, outcome].every((one) => typeof one === 'string') &&
  isObject(section) &&
  Array.isArray(needs);

/** Reads a receipt. @throws EduError `usage` if the file is not a receipt, or a damaged one */
export function readReceipt(file: string): Receipt {
  const [first, ...steps] = readLines(file, HINT);
  if (first?.receipt !== 1 || typeof first.service !== 'string' || !isObject(first.account))
    throw unusable(file, 'it is not a receipt', HINT);
  const wrong = steps.findIndex((step) => !isStep(step));
  if (wrong >= 0) throw unusable(file, `line ${wrong + 2} is not a step`, HINT);
  if (steps.length !== first.steps)
    throw unusable(file, `it has ${steps.length} of ${String(first.steps)} steps`, HINT);
  return { header: first as unknown as ReceiptHeader, steps: steps as unknown as readonly ReceiptStep[] };
}
