/** The receipt of an applied plan: its steps with their outcomes and IDs. */
import type { Journal } from '../../bulk/job/journal.js';
import type { State } from '../../bulk/job/states.js';
import {
  type Checked,
  checkOf,
  described,
  isCount,
  isOneOf,
  isPosition,
  isText,
  objectOf,
  orNull,
} from '../../core/checks.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { CHANGED, digestOf, ORIGIN, type Plan, readStepFile, unusable } from '../plan-file.js';
import type { Step } from '../steps.js';

/** `exists`: someone else had made the change before, so an undo does not revert it. `left`: not sent yet. */
export const OUTCOMES = ['done', 'exists', 'stale', 'skipped', 'failed', 'unknown', 'left'] as const;
export type StepOutcome = (typeof OUTCOMES)[number];
const isTextOrNull = orNull(isText);

/** The first line of a receipt. */
export const isReceiptHeader = objectOf({
  receipt: isOneOf([1]),
  plan: described('Hash of the plan', isText),
  ...ORIGIN,
  written: described('When the receipt was written (ISO 8601)', isText),
  steps: isCount,
  digest: described('SHA-256 of the rest of the receipt', isText),
});

const isFields = orNull(checkOf({ type: 'object' }, (value): value is JsonObject => isObject(value)));

/** Each further line of a receipt. */
export const isReceiptStep = objectOf({
  step: described('Counted from 1', isPosition),
  verb: isText,
  resource: isText,
  id: described('The item that the step changes or removes', isTextOrNull),
  before: described('Fields of the item when it was planned', isFields),
  after: described('Body of the request', isFields),
  outcome: isOneOf(OUTCOMES),
  resultId: described('ID of the item, whether the step created it or not', isTextOrNull),
  error: isTextOrNull,
});

export type ReceiptHeader = Checked<typeof isReceiptHeader>;
export type ReceiptStep = Step & Pick<Checked<typeof isReceiptStep>, 'outcome' | 'resultId' | 'error'>;

export interface Receipt {
  readonly header: ReceiptHeader;
  readonly steps: readonly ReceiptStep[];
}

const OUTCOME_OF: Readonly<Record<State, StepOutcome>> = {
  created: 'done',
  updated: 'done',
  exists: 'exists',
  unchanged: 'exists',
  planned: 'left',
  sending: 'left',
  unknown: 'unknown',
  conflict: 'stale',
  rejected: 'failed',
  invalid: 'failed',
};

export function outcomeOf(journal: Journal, step: number): Pick<ReceiptStep, 'outcome' | 'resultId' | 'error'> {
  const { state, id = null, error = null, skipped } = journal.outcome(step);
  return { outcome: skipped === true ? 'skipped' : OUTCOME_OF[state], resultId: id, error };
}

/** A receipt with the digest of the rest. */
export function withDigest({ header: { digest: _, ...header }, steps }: Receipt): Receipt {
  return { header: { ...header, digest: digestOf({ header, steps }) }, steps };
}

export function receiptOf({ header, steps }: Plan, journal: Journal, written: string): Receipt {
  const { service, account, hash, created, managed } = header;
  const facts = { receipt: 1, plan: hash, service, account, created, managed, written } as const;
  const outcomes = steps.map((step) => ({ ...step, ...outcomeOf(journal, step.step) }));
  return withDigest({ header: { ...facts, steps: steps.length, digest: '' }, steps: outcomes });
}

const HINT = 'Name the file that edu apply wrote.';

/** Reads a receipt. @throws EduError `usage` that names the line if the file is not a receipt, or was changed */
export function readReceipt(file: string): Receipt {
  const further = ['outcome', 'resultId', 'error'];
  const { header, steps: parsed, wrong } = readStepFile(file, 'receipt', isReceiptHeader, further, HINT);
  const steps = parsed as readonly ReceiptStep[];
  const bad = steps.findIndex((step) => !isReceiptStep(step));
  if (bad >= 0) throw wrong(bad, `outcome must be one of ${OUTCOMES.join(', ')}; resultId and error must be texts`);
  const receipt = { header, steps };
  if (withDigest(receipt).header.digest !== header.digest) throw unusable(file, CHANGED, HINT);
  return receipt;
}
