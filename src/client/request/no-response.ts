/** The error of a request without a response, with the facts that a retry needs. */
export interface NoResponseFacts {
  /** A byte of the request may have been sent, so the service may have carried it out. */
  readonly sent: boolean;
  /** The upload ended before its last byte, so the service cannot have carried out the request. */
  readonly incomplete?: boolean | undefined;
  /** The connection was closed before the response was complete. */
  readonly isCut?: boolean | undefined;
  /** False if the next attempt would fail in the same way: unknown host, untrusted certificate. */
  readonly again?: boolean | undefined;
  /** The request timed out on an open connection: the service may still be processing it. */
  readonly timedOut?: boolean | undefined;
  /** The response is not HTTP. */
  readonly isInvalid?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The message is a clause without capital and full stop: "the connection was closed". */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** The message without the time of the failure: "the connection was closed". */
  readonly reason: string;
  readonly sent: boolean;
  readonly incomplete: boolean;
  readonly again: boolean;
  readonly timedOut: boolean;
  readonly isInvalid: boolean;
  readonly hint: string | undefined;

  constructor(reason: string, facts: NoResponseFacts) {
    const message = facts.isCut === true ? `${reason} before the response was complete` : reason;
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.sent = facts.sent;
    this.incomplete = facts.incomplete ?? false;
    this.again = facts.again ?? true;
    this.timedOut = facts.timedOut ?? false;
    this.isInvalid = facts.isInvalid ?? false;
    this.hint = facts.hint;
  }
}
