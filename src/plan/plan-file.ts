/** Reads and writes a plan: a header with a hash of the plan, then a line of JSON for each step and conflict. */
import { createHash } from 'node:crypto';
import type { OrganizationReference } from '../contract/shared.js';
import { type EduError, usageError } from '../core/errors.js';
import { describeErrno } from '../core/fs/disk-errors.js';
import { readRegularFile } from '../core/fs/regular-file.js';
import { isObject } from '../core/json.js';
import { version } from '../core/version.js';
import type { Actual } from './actual.js';
import type { Conflict, Leaving, Limits, Managed, Planned, Step } from './steps.js';
import type { Want } from './want.js';

/** More than a plan of a million steps needs. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Number of characters of a hash for display and input. */
export const SHORT_HASH = 8;

export interface PlanHeader {
  readonly plan: 1;
  readonly service: string;
  /** The organization of the account that made the plan. */
  readonly account: OrganizationReference;
  /** SHA-256 of the wanted and of the actual state; for an undo plan, both are of the receipt. */
  readonly wanted: string;
  readonly read: string;
  readonly version: string;
  readonly steps: number;
  readonly conflicts: number;
  readonly leaving: readonly Leaving[];
  readonly managed: readonly Managed[];
  readonly limits: Limits;
  /** ISO 8601; not part of the hash. */
  readonly created: string;
  /** SHA-256 of the rest of the plan. */
  readonly hash: string;
}

export interface Plan {
  readonly header: PlanHeader;
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
}

type Origin = Pick<PlanHeader, 'service' | 'account' | 'wanted' | 'read' | 'created'>;

const sha256 = (texts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('hex');
};

function* linesOf({ steps, conflicts }: Pick<Plan, 'steps' | 'conflicts'>): Generator<string> {
  for (const step of steps) yield JSON.stringify(step);
  for (const conflict of conflicts) yield JSON.stringify(conflict);
}

function* hashed({ header: { created: _, hash: __, ...header }, ...plan }: Plan): Generator<string> {
  yield JSON.stringify(header);
  yield* linesOf(plan);
}

/** The hash of a wanted state, independent of files and lines. */
export function hashOfWant(want: Want): string {
  function* items(): Generator<string> {
    for (const list of Object.values(want) as (readonly { readonly at: string }[])[]) {
      for (const { at: _, ...item } of list) yield JSON.stringify(item);
      yield '';
    }
  }
  return sha256(items());
}

export function hashOfActual(actual: Actual): string {
  function* parts(): Generator<string> {
    for (const [name, part] of Object.entries(actual)) {
      yield name;
      const items: Iterable<unknown> = Array.isArray(part) ? part : part instanceof Map ? [...part].sort() : [part];
      for (const item of items) yield JSON.stringify(item) ?? '';
    }
  }
  return sha256(parts());
}

export function newPlan(planned: Omit<Planned, 'faults'>, origin: Origin): Plan {
  const { steps, conflicts, leaving, managed, limits } = planned;
  const { created, ...facts } = origin;
  const counts = { steps: steps.length, conflicts: conflicts.length };
  const checked = { leaving, managed, limits };
  const header: PlanHeader = { plan: 1, ...facts, version: version(), ...counts, ...checked, created, hash: '' };
  const plan = { header, steps, conflicts };
  return { ...plan, header: { ...header, hash: sha256(hashed(plan)) } };
}

export function* planLines(plan: Plan): Generator<string> {
  yield `${JSON.stringify(plan.header)}\n`;
  for (const line of linesOf(plan)) yield `${line}\n`;
}

const PLAN_AGAIN = 'Plan again: edu plan WANT --out FILE';

/** The error for a file that is damaged, or something else than what its name promises. */
export const unusable = (file: string, why: string, hint = PLAN_AGAIN): EduError =>
  usageError(`Cannot use ${file}: ${why}.`, hint);

function parsed(line: string, file: string, number: number, hint: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw unusable(file, `line ${number} is not a JSON object`, hint);
}

/** Reads the lines of a file. @param hint what to do if one is damaged @throws EduError `usage` */
export function readLines(file: string, hint = PLAN_AGAIN): readonly Record<string, unknown>[] {
  let text: string;
  try {
    text = readRegularFile(file, MAX_BYTES);
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${describeErrno(error)}.`);
  }
  // Editors on Windows put a byte order mark at the beginning.
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => parsed(line, file, index + 1, hint));
}

/** Reads a plan. @throws EduError `usage` if the file is not a plan, or was changed */
export function readPlan(file: string): Plan {
  const [first, ...rest] = readLines(file);
  if (first?.plan !== 1 || !isObject(first.limits)) throw unusable(file, 'it is not a plan');
  const steps = rest.filter(({ verb }) => verb !== 'none') as unknown as readonly Step[];
  const conflicts = rest.filter(({ verb }) => verb === 'none') as unknown as readonly Conflict[];
  const plan: Plan = { header: first as unknown as PlanHeader, steps, conflicts };
  if (sha256(hashed(plan)) !== plan.header.hash)
    throw unusable(file, 'it was changed or truncated after it was written');
  return plan;
}
