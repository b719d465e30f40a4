/**
 * The bundled service behind a loopback server that can do to any request what bad networks and proxies do: each deed has
 * the socket in its hand, and decides whether the service ever sees the request. It counts what was really created.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { chunksOf, type HttpResponse, type Method } from '../../src/core/http.js';
import { personaToken } from '../../src/service/personas.js';
import { bundled } from '../support/bundled-service.js';

export const TOKEN = personaToken('distributor');

/** One request, and the ways to deal with it. */
export interface Exchange {
  readonly method: string;
  /** Path and query under the base URL. */
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: Socket;
  readonly outgoing: ServerResponse;
  /** Which time this is that the deed is played, from 0. */
  readonly turn: number;
  readonly origin: string;
  /** Lets the service carry it out. */
  readonly process: () => Promise<{ status: number; headers: Readonly<Record<string, string>>; bytes: Buffer }>;
}

export type Deed = (exchange: Exchange) => unknown;

export interface Trap {
  /** Requests that fall into it. */
  readonly hits: (method: string, path: string) => boolean;
  /** How many of them; all if left out. */
  readonly times?: number;
  readonly deed: Deed;
}

export interface Door {
  readonly origin: string;
  /** `POST /v1/schools`, in the order in which they came. */
  readonly lines: readonly string[];
  /** How many POSTs, and PUTs that create, the service has answered with success. */
  readonly created: () => number;
  /** Sets what goes wrong from now on; nothing if left out. Forgets lines and counts. */
  set(trap?: Trap): void;
  /** As the distributor, past all traps. */
  ask(method: Method, path: string): Promise<{ readonly status: number; readonly json: unknown }>;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const creates = (method: string, path: string): boolean =>
  method === 'POST' || (method === 'PUT' && /^\/v1\/readers(\?|$)/.test(path));

/** Answers as a good server does. */
export const answerWith = (
  { outgoing }: Pick<Exchange, 'outgoing'>,
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void => {
  outgoing.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers });
  outgoing.end(body);
};

async function whole(response: HttpResponse) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(response.body)) chunks.push(chunk);
  return { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) };
}

/** Opens one on a free port, with the sample data. */
export async function faultyDoor(): Promise<Door> {
  let lines: string[] = [];
  let created = 0;
  let turns = 0;
  let trap: Trap | undefined;
  let origin = '';
  // The service's address is known only once the port is; until then nothing asks for it.
  let service: Awaited<ReturnType<typeof bundled>> | undefined;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', socket } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      lines.push(`${method} ${url}`);
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = Buffer.concat(chunks);
      const exchange = {
        method,
        path: url,
        body,
        headers,
        socket,
        outgoing,
        turn: turns,
        origin,
        process: async () => {
          if (service === undefined) throw new Error('the service is not there yet');
          const request = { method: method as Method, url: origin + url, headers, body };
          const answer = await whole(await service.service.handle(request));
          if (answer.status < 300 && creates(method, url)) created++;
          return answer;
        },
      };
      const caught = trap?.hits(method, url) === true && turns < (trap.times ?? Number.POSITIVE_INFINITY);
      if (caught) turns++;
      const good: Deed = async ({ process }) => {
        const { status, headers: own, bytes } = await process();
        outgoing.writeHead(status, own);
        outgoing.end(bytes);
      };
      void Promise.resolve((caught && trap ? trap.deed : good)(exchange)).catch((error: unknown) => {
        outgoing.destroy(error instanceof Error ? error : undefined);
      });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await bundled({ baseUrl: origin });
  const own = service;
  return {
    origin,
    get lines() {
      return lines;
    },
    created: () => created,
    set: (next) => {
      trap = next;
      lines = [];
      created = 0;
      turns = 0;
    },
    ask: (method, path) => own.call(method, path),
    env: { EDU_BASE_URL: origin, EDU_TOKEN: TOKEN },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          own.service.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
