/** The error that breaks a connection on purpose. */

/**
 * Thrown by a `Send`, or by the body of its response, to break the connection at this point: a listener resets the
 * socket, and a call in the same process fails without a response.
 */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  readonly code = 'ECONNRESET';
  constructor(when: string) {
    super(`connection reset ${when}`);
  }
}
