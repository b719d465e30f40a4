/** The secrets in use, and taking them out of errors on their way to the user: the service may echo what it was sent. */
import { EduError } from '../errors.js';
import { redact, redactPath } from './redact.js';

export interface Secrets {
  /** Those known so far. */
  readonly values: () => readonly string[];
  /** Learns the access token. One that can't be read fails where it is needed. */
  readonly learn: () => Promise<void>;
  /** The same error without secrets in its texts. */
  readonly removeFrom: (error: unknown) => Promise<unknown>;
}

function clean(error: EduError, secrets: readonly string[]): EduError {
  const message = redact(error.message, secrets);
  const hint = error.hint && redact(error.hint, secrets);
  const path = error.path && redactPath(error.path, secrets);
  const details = error.details.map((problem) => ({ ...problem, message: redact(problem.message, secrets) }));
  const same =
    message === error.message &&
    hint === error.hint &&
    path === error.path &&
    details.every((problem, index) => problem.message === error.details[index]?.message);
  if (same) return error;
  const { kind, status, method, requestId, cause } = error;
  return new EduError(kind, message, { hint, status, method, path, requestId, details, cause });
}

/** @param token the access token in use, if any */
export function secretsOf(token: () => Promise<string | undefined>, others: readonly string[]): Secrets {
  const known = new Set(others);
  const learn = async (): Promise<void> => {
    const value = await token().catch(() => undefined);
    if (value !== undefined) known.add(value);
  };
  const removeFrom = async (error: unknown): Promise<unknown> => {
    if (!(error instanceof EduError)) return error;
    await learn();
    return clean(error, [...known]);
  };
  return { values: () => [...known], learn, removeFrom };
}
