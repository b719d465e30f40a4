/**
 * The bundled service behind a loopback server that injects network and proxy failures: each has the socket and decides
 * whether the service gets the request. It counts the items that were created.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { chunksOf, type HttpResponse, type Method } from '../../src/core/http.js';
import { personaToken } from '../../src/service/personas.js';
import { bundled } from '../support/bundled-service.js';
import { onLoopback } from '../support/loopback.js';

export const TOKEN = personaToken('distributor');

/** One request, and the ways to handle it. */
export interface Exchange {
  readonly method: string;
  /** Path and query under the base URL. */
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: Socket;
  readonly outgoing: ServerResponse;
  /** How often the failure was used before, from 0. */
  readonly turn: number;
  readonly origin: string;
  /** Passes it to the service. */
  readonly process: () => Promise<{ status: number; headers: Readonly<Record<string, string>>; bytes: Buffer }>;
}

export type Deed = (exchange: Exchange) => unknown;

export interface Trap {
  /** The affected requests. */
  readonly hits: (method: string, path: string) => boolean;
  /** How many of them (default: all). */
  readonly times?: number;
  readonly deed: Deed;
}

export interface Door {
  readonly origin: string;
  /** `POST /v1/schools`, in order of arrival. */
  readonly lines: readonly string[];
  /** The number of creates that the service has carried out. */
  readonly created: () => number;
  /** Sets the failure from now on, or none. Clears lines and counts. */
  set(trap?: Trap): void;
  /** As the distributor, without failures. */
  ask(method: Method, path: string): Promise<{ readonly status: number; readonly json: unknown }>;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const creates = (method: string, path: string): boolean =>
  method === 'POST' || (method === 'PUT' && /^\/v1\/readers(\?|$)/.test(path));

/** Responds as a correct server does. */
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

/** Starts one on a free port, with the sample data. */
export async function faultyDoor(): Promise<Door> {
  let lines: string[] = [];
  let created = 0;
  let turns = 0;
  let trap: Trap | undefined;
  let origin = '';
  // The address of the service is known only after the port; nothing requests it before.
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
  const loopback = await onLoopback(server);
  origin = loopback.origin;
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
    close: async () => {
      await loopback.close();
      own.service.close();
    },
  };
}
