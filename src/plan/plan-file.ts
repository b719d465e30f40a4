/** Reads and writes a plan: a header with a hash of the plan, then a line of JSON for each step. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ORGANIZATION_TYPES, type OrganizationReference } from '../contract/shared.js';
import { isCount, isOneOf, isText, listOf, objectOf, optional } from '../core/checks.js';
import { type EduError, usageError } from '../core/errors.js';
import { describeErrno } from '../core/fs/disk-errors.js';
import { readRegularFile } from '../core/fs/regular-file.js';
import type { Env } from '../core/io.js';
import { isObject, type JsonObject } from '../core/json.js';
import { version } from '../core/version.js';
import { parseSteps } from './parse-step.js';
import { type ManagedClasses, type Planned, SHORT_HASH, type Step } from './steps.js';

/** More than a plan of a million steps needs. */
const MAX_BYTES = 512 * 1024 * 1024;

/** What a plan and its receipt have in common. */
export interface Origin {
  readonly service: string;
  /** The organization of the account that made the plan. */
  readonly account: OrganizationReference;
  /** ISO 8601. */
  readonly created: string;
  readonly managed: readonly ManagedClasses[];
}

export interface PlanHeader extends Origin {
  readonly plan: 1;
  readonly version: string;
  readonly steps: number;
  /** SHA-256 of the rest of the plan, without `created`. */
  readonly hash: string;
  /** HMAC-SHA-256 of `hash` and `created`, by `edu plan --sign`. */
  readonly signature?: string;
}

export interface Plan {
  readonly header: PlanHeader;
  readonly steps: readonly Step[];
}

/** The SHA-256 of texts, in hexadecimal. */
export function sha256(texts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('hex');
}

function* hashed({ header, steps }: Plan): Generator<string> {
  const { created: _, hash: __, signature: ___, ...facts } = header;
  yield JSON.stringify(facts);
  for (const step of steps) yield JSON.stringify(step);
}

/** @param by version of edu that made it */
export function newPlan(
  { steps, managed }: Pick<Planned, 'steps' | 'managed'>,
  { service, account, created }: Omit<Origin, 'managed'>,
  by = version(),
): Plan {
  const facts = { plan: 1, service, account, version: by, steps: steps.length, managed, created } as const;
  const plan = { header: { ...facts, hash: '' }, steps };
  return { ...plan, header: { ...facts, hash: sha256(hashed(plan)) } };
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

export function* planLines({ header, steps }: Plan): Generator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const step of steps) yield `${JSON.stringify(step)}\n`;
}

const PLAN_AGAIN = 'Plan again: edu plan WANT --out FILE';

/** The error for a file that is damaged, or something else than what its name promises. */
export const unusable = (file: string, why: string, hint = PLAN_AGAIN): EduError =>
  usageError(`Cannot use ${file}: ${why}.`, hint);

function parsed(line: string, file: string, number: number, hint: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw unusable(file, `line ${number} is not a JSON object`, hint);
}

/** Reads the lines of a file. @param hint what to do if one is damaged @throws EduError `usage` */
export function readLines(file: string, hint = PLAN_AGAIN): readonly JsonObject[] {
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

/** The members of a header that say where it comes from. */
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
  hash: isText,
  signature: optional(isText),
});

/** Reads a plan. @throws EduError `usage` that names the line if the file is not a plan, or was changed */
export function readPlan(file: string): Plan {
  const [first = {}, ...rest] = readLines(file);
  if (!isHeader(first)) throw unusable(file, 'line 1 is not the header of a plan');
  const { version: by, steps: count, hash, signature } = first;
  const steps = parseSteps(rest, [], (index, why) => unusable(file, `line ${index + 2}: ${why}`));
  if (steps.length !== count) throw unusable(file, `it has ${steps.length} of ${count} steps`);
  const plan = newPlan({ steps, managed: first.managed }, first, by);
  if (plan.header.hash !== hash) throw unusable(file, 'it was changed after it was written');
  return signature !== undefined ? { ...plan, header: { ...plan.header, signature } } : plan;
}
