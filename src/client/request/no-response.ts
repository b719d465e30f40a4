/** The error of a request without a response, with the facts that a retry needs. */
export interface NoAnswerFacts {
  /** Some byte of the request may have left this machine, so the service may have acted on it. */
  readonly sent: boolean;
  /** The upload broke before its last byte was handed over: the service can't have taken the request. */
  readonly incomplete?: boolean | undefined;
  /** False when the next attempt would end alike: an unknown host, a certificate that is not trusted. */
  readonly again?: boolean | undefined;
  /** The request timed out on an open connection: the service may still be processing it. */
  readonly timedOut?: boolean | undefined;
  /** Something answered, but not in HTTP. */
  readonly nonsense?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The message is the end of a sentence that begins with the request: "the connection was closed". */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: boolean;
  readonly incomplete: boolean;
  readonly again: boolean;
  readonly timedOut: boolean;
  readonly nonsense: boolean;
  readonly hint: string | undefined;

  constructor(message: string, facts: NoAnswerFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.sent = facts.sent;
    this.incomplete = facts.incomplete ?? false;
    this.again = facts.again ?? true;
    this.timedOut = facts.timedOut ?? false;
    this.nonsense = facts.nonsense ?? false;
    this.hint = facts.hint;
  }
}
