/** Redacts the secrets in use from errors, because the service may echo them. */
import { EduError } from '../../core/errors.js';
import { redact, redactPath } from './redact.js';

/** Whether a cause contains a secret in its message or stack, which `--debug` prints. */
const leaks = (cause: unknown, secrets: readonly string[]): boolean => {
  if (!(cause instanceof Error)) return false;
  const text = `${cause.message}\n${cause.stack ?? ''}`;
  return redact(text, secrets) !== text;
};

function clean(error: EduError, secrets: readonly string[]): EduError {
  const message = redact(error.message, secrets);
  const hint = error.hint && redact(error.hint, secrets);
  const path = error.path && redactPath(error.path, secrets);
  const details = error.details.map((problem) => ({ ...problem, message: redact(problem.message, secrets) }));
  const requestId = error.requestId && redact(error.requestId, secrets);
  const cause = leaks(error.cause, secrets) ? undefined : error.cause;
  const same =
    message === error.message &&
    requestId === error.requestId &&
    cause === error.cause &&
    hint === error.hint &&
    path === error.path &&
    details.every((problem, index) => problem.message === error.details[index]?.message);
  if (same) return error;
  return error.with({ message, hint, path, requestId, details, cause });
}

/** Removes secrets from an error; others are returned as they are. */
export function withoutSecrets(error: EduError, secrets: readonly string[]): EduError;
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown;
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  return error instanceof EduError ? clean(error, secrets) : error;
}
