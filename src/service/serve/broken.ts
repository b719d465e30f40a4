/** The error that breaks a connection on purpose. */

/** Thrown by a `Send` or by the body of its response: a listener resets the socket, a call in process fails. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  readonly code = 'ECONNRESET';
  constructor(when: string) {
    super(`connection reset ${when}`);
  }
}
