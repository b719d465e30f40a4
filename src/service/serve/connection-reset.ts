/** Thrown by a `Send` or by the body of its response: a listener resets the socket, a call in process fails. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  /** As undici has it: `UND_ERR_SOCKET` if part of the response came. */
  readonly code: 'ECONNRESET' | 'UND_ERR_SOCKET';
  constructor(when: string, code: ConnectionReset['code'] = 'ECONNRESET') {
    super(`connection reset ${when}`);
    this.code = code;
  }
}
