/** Reads and writes a plan: a header with a hash of the plan, then a line of JSON for each step. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ORGANIZATION_TYPES } from '../contract/shared.js';
import { type Check, type Checked, isCount, isOneOf, isText, listOf, objectOf, optional } from '../core/checks.js';
import { type EduError, usageError } from '../core/errors.js';
import { describeErrno } from '../core/fs/disk-errors.js';
import { readRegularFile } from '../core/fs/regular-file.js';
import type { Env } from '../core/io.js';
import { isObject, type JsonObject } from '../core/json.js';
import { version } from '../core/version.js';
import { parseSteps } from './parse-step.js';
import { type Planned, SHORT_HASH, type Step } from './steps.js';

/** More than a plan of a million steps needs. */
const MAX_BYTES = 512 * 1024 * 1024;

/** The members of the headers of a plan and its receipt that say where it comes from. */
export const ORIGIN = {
  service: isText,
  account: objectOf({ id: isText, type: isOneOf(ORGANIZATION_TYPES) }),
  created: isText,
  managed: listOf(objectOf({ school: isText, classes: listOf(isText) })),
};

const isHeader = objectOf({
  plan: isOneOf([1]),
  ...ORIGIN,
  version: isText,
  steps: isCount,
  /** SHA-256 of the rest of the plan, without `created`. */
  hash: isText,
  /** HMAC-SHA-256 of `hash` and `created`, by `edu plan --sign`. */
  signature: optional(isText),
});

export type PlanHeader = Checked<typeof isHeader>;
/** `account`: the organization of the account that made the plan. `created`: ISO 8601. */
export type Origin = Pick<PlanHeader, keyof typeof ORIGIN>;

export interface Plan {
  readonly header: PlanHeader;
  readonly steps: readonly Step[];
}

/** The lines of a plan or receipt, each with its line break. */
export function* linesOf({ header, steps }: { readonly header: object; readonly steps: readonly object[] }) {
  yield `${JSON.stringify(header)}\n`;
  for (const step of steps) yield `${JSON.stringify(step)}\n`;
}

/** The SHA-256 of the lines of a plan or receipt, in hexadecimal. */
export function digestOf(file: Parameters<typeof linesOf>[0]): string {
  const hash = createHash('sha256');
  for (const line of linesOf(file)) hash.update(line);
  return hash.digest('hex');
}

function hashOf({ header, steps }: { readonly header: Partial<PlanHeader>; readonly steps: readonly Step[] }): string {
  const { created: _, hash: __, signature: ___, ...facts } = header;
  return digestOf({ header: facts, steps });
}

/** @param by version of edu that made it */
export function newPlan(
  { steps, managed }: Pick<Planned, 'steps' | 'managed'>,
  { service, account, created }: Omit<Origin, 'managed'>,
  by = version(),
): Plan {
  const facts = { plan: 1, service, account, version: by, steps: steps.length, managed, created } as const;
  return { header: { ...facts, hash: hashOf({ header: facts, steps }) }, steps };
}

/** A shorter key could be guessed from a signed plan. */
const MIN_LENGTH = 32;

/** The key that signs plans: EDU_PLAN_KEY. @param flag that needs it @throws EduError `usage` if there is no key, or a short one */
export function planKey({ EDU_PLAN_KEY: given = '' }: Env, flag: string): string {
  const key = given.trim();
  if (key.length >= MIN_LENGTH) return key;
  const why = key === '' ? 'EDU_PLAN_KEY is not set' : `EDU_PLAN_KEY has less than ${MIN_LENGTH} characters`;
  throw usageError(
    `Cannot use ${flag}: ${why}.`,
    'Make a key with: openssl rand -hex 32. Keep it where only those can read it who may approve plans.',
  );
}

/** A name for a key that does not disclose it. */
export const keyId = (key: string): string =>
  createHmac('sha256', key).update('ID of a key of edu plans').digest('hex').slice(0, SHORT_HASH);

const signatureOf = ({ header: { hash, created } }: Plan, key: string): string =>
  createHmac('sha256', key).update(`${hash}\n${created}`).digest('hex');

export const signed = (plan: Plan, key: string): Plan => ({
  ...plan,
  header: { ...plan.header, signature: signatureOf(plan, key) },
});

export function isSignedBy(plan: Plan, key: string): boolean {
  const [given, expected] = [plan.header.signature ?? '', signatureOf(plan, key)];
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** Why a file whose digest does not fit cannot be used. */
export const CHANGED = 'it was changed after it was written';

const PLAN_AGAIN = 'Plan again: edu plan WANT --out FILE';

/** The error for a file that is damaged, or something else than what its name promises. */
export const unusable = (file: string, why: string, hint = PLAN_AGAIN): EduError =>
  usageError(`Cannot use ${file}: ${why}.`, hint);

/** Steps and headers are flatter, so that no function needs to mind its stack. */
const MAX_DEPTH = 6;

const isFlat = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth <= MAX_DEPTH && Object.values(value).every((inner) => isFlat(inner, depth + 1)));

function parsed(line: string, file: string, number: number, hint: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value) && isFlat(value)) return value;
  } catch {
    // Reported below.
  }
  throw unusable(file, `line ${number} is not a JSON object, or nested too deeply`, hint);
}

/** Reads the lines of a file. @throws EduError `usage` */
function readLines(file: string, hint: string): readonly JsonObject[] {
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

/**
 * Reads a plan or receipt, whose digest is not checked.
 * @param what it should be
 * @param further members that its steps have besides those of a plan
 * @param hint what to do if it is damaged
 * @throws EduError `usage` that names the line
 */
export function readStepFile<H extends { readonly steps: number }>(
  file: string,
  what: string,
  isItsHeader: Check<H>,
  further: readonly string[],
  hint: string,
) {
  const [first = {}, ...rest] = readLines(file, hint);
  if (!isItsHeader(first)) throw unusable(file, `line 1 is not the header of a ${what}`, hint);
  const wrong = (index: number, why: string): Error => unusable(file, `line ${index + 2}: ${why}`, hint);
  const steps = parseSteps(rest, further, wrong);
  if (steps.length !== first.steps) throw unusable(file, `it has ${steps.length} of ${first.steps} steps`, hint);
  return { header: first, steps, wrong };
}

/** Reads a plan. @throws EduError `usage` that names the line if the file is not a plan, or was changed */
export function readPlan(file: string): Plan {
  const { header, steps } = readStepFile(file, 'plan', isHeader, [], PLAN_AGAIN);
  if (header.hash !== hashOf({ header, steps })) throw unusable(file, CHANGED);
  return { header, steps };
}
