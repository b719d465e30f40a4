/** The error that breaks a connection on purpose. */

/**
 * Thrown by a `Send`, or by the body of its response, when the connection shall break at that point: a listener resets
 * the socket, a caller in the same process sees a call without an answer.
 */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  readonly code = 'ECONNRESET';
  constructor(when: string) {
    super(`connection reset ${when}`);
  }
}
