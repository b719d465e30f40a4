import { execFile } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { onLoopback } from '../support/loopback.js';
import { type MisbehavingServer, misbehavingServer } from '../support/misbehaving-server.js';
import { temporaryFolder } from '../support/run.js';
import { EDU, surroundings } from '../support/spawned.js';

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** A server that stops when the test is over. @returns its origin */
export async function serve(handler: Handler): Promise<string> {
  const { origin, close } = await onLoopback(createServer(handler));
  onTestFinished(close);
  return origin;
}

export async function misbehave(...parameters: Parameters<typeof misbehavingServer>): Promise<MisbehavingServer> {
  const server = await misbehavingServer(...parameters);
  onTestFinished(() => server.close());
  return server;
}

/** A list of that many licences (default: endless). */
export function licences(count = Number.POSITIVE_INFINITY): Handler {
  return (incoming, outgoing) => {
    const query = new URL(incoming.url ?? '', 'http://x').searchParams;
    const from = Number(query.get('cursor') ?? 0);
    const to = Math.min(count, from + Number(query.get('limit') ?? 100));
    const licenses = Array.from({ length: to - from }, (_, index) => ({
      id: `L${from + index}`,
      name: `Licence ${'n'.repeat(300)}`,
      code: `c${from + index}`,
    }));
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ licenses, paging: { nextCursor: to < count ? String(to) : null } }));
  };
}

export const LIST = ['licenses', 'list', '--type', 'BOOKS'];

/** A sparse file of zeros after the first bytes of a PDF. */
export function pdf(size: number): string {
  const path = join(temporaryFolder(), 'large.pdf');
  writeFileSync(path, '%PDF-1.4\n');
  truncateSync(path, size);
  return path;
}

/** The output of a shell line; `$EDU` is the program. */
export function shell(line: string, origin: string): Promise<string> {
  const env = { ...at(origin).env, EDU: `${process.execPath} ${EDU}` };
  return new Promise((resolve) => {
    execFile('bash', ['--norc', '-c', line], { env, maxBuffer: 1e6 }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

/** The environment of a program that uses this service. */
export const at = (origin: string) => ({ env: surroundings({ EDU_BASE_URL: origin, EDU_TOKEN: 'x' }) });
