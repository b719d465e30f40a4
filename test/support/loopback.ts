/** A test server on loopback: its address, and a close that does not wait for open connections. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Closes open connections. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a server.
 * @param port any free one by default
 */
export async function onLoopback(server: Server, port = 0): Promise<Loopback> {
  // A killed client resets its connections.
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
