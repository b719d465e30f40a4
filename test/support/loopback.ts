/** A server of a test on loopback: its address, and an end that does not wait for open connections. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Cuts off who is still connected. */
  readonly close: () => Promise<void>;
}

/** Lets a server listen. @param port any free one if left out */
export async function onLoopback(server: Server, port = 0): Promise<Loopback> {
  // A client that is killed resets its connections.
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
