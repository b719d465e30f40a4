/** The kinds of errors and their exit codes. Errors for users are `EduError`s; any other error is a bug, shown as `internal`. */

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  unauthenticated: 4,
  notFound: 5,
  forbidden: 6,
  unreachable: 7,
  /** Of `edu plan`. */
  changes: 10,
  interrupted: 130,
  terminated: 143,
} as const;

/** Exit code of each kind of error. Kinds are public: JSON errors show them as `error.kind`. */
export const EXIT_CODES = {
  /** Other 4xx statuses. */
  refused: EXIT.failed,
  /** 409: it conflicts with an existing item. */
  conflict: EXIT.failed,
  /** 5xx after retries. */
  server_error: EXIT.failed,
  /** HTML, truncated JSON, JSON of the wrong shape. */
  invalid_response: EXIT.failed,
  /** A write may have been carried out, and cannot be looked up. */
  outcome_unknown: EXIT.failed,
  internal: EXIT.failed,
  /** Bad flag or value, missing input, unconfirmed deletion; nothing was sent. */
  usage: EXIT.usage,
  partial: EXIT.partial,
  /** No token, or the service no longer accepts it. */
  unauthenticated: EXIT.unauthenticated,
  not_found: EXIT.notFound,
  forbidden: EXIT.forbidden,
  unreachable: EXIT.unreachable,
  /** 429 or 503 after retries. */
  unavailable: EXIT.unreachable,
  interrupted: EXIT.interrupted,
  terminated: EXIT.terminated,
} as const;

export type ErrorKind = keyof typeof EXIT_CODES;

/** One of several problems of the input, or the service's message about one field. */
export interface Problem {
  /** The flag, column, field or line, as the user wrote it. */
  readonly where?: string;
  readonly message: string;
}

export interface ErrorFacts {
  readonly hint?: string | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  /** Path and query as sent, without the base URL. */
  readonly path?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: readonly Problem[] | undefined;
  readonly cause?: unknown;
  /** The message is only a reason, such as `not found (404)`: the command line adds what was attempted. */
  readonly isReason?: boolean | undefined;
}

/** An error for users: the message tells what failed and why, the hint what to do next. */
export class EduError extends Error {
  override readonly name = 'EduError';
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly requestId: string | undefined;
  readonly details: readonly Problem[];
  readonly isReason: boolean;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = kind;
    this.hint = facts.hint;
    this.status = facts.status;
    this.method = facts.method;
    this.path = facts.path;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.isReason = facts.isReason ?? false;
  }

  /** A copy with some properties replaced, and this error as its `cause`. */
  with({
    kind = this.kind,
    message = this.message,
    ...facts
  }: ErrorFacts & { kind?: ErrorKind; message?: string }): EduError {
    return new EduError(kind, message, { ...this, cause: this, ...facts });
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind];
  }
}

/** True if an error is an `EduError` of one of these kinds. */
export const isKind = (error: unknown, ...kinds: readonly ErrorKind[]): error is EduError =>
  error instanceof EduError && kinds.includes(error.kind);

/** Handles rejections: errors for users become undefined, others are thrown again. */
export function ignoreEduError(error: unknown): undefined {
  if (!(error instanceof EduError)) throw error;
}

/** Returns a handler of rejections: errors of these kinds become undefined, others are thrown again. */
export const ignoring =
  (...kinds: readonly ErrorKind[]) =>
  (error: unknown): undefined => {
    if (!isKind(error, ...kinds)) throw error;
  };

/** Kinds of errors about one item or list: others may be readable. */
export const UNREADABLE = ['forbidden', 'not_found', 'refused', 'conflict', 'invalid_response'] as const;
export const ignoringUnreadable = ignoring(...UNREADABLE);

/** Creates a usage error: exit code 2, nothing was sent. */
export const usageError = (message: string, hint?: string, details?: readonly Problem[]): EduError =>
  new EduError('usage', message, { hint, details });

/** The first problems, and a last one with the number of the others. */
export function firstProblems(problems: readonly Problem[], max: number): readonly Problem[] {
  const more = problems.length - max;
  return more > 0 ? [...problems.slice(0, max), { message: `… and ${more} more` }] : problems;
}
