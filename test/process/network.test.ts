/**
 * The built program on the network. The bundle contains only some of undici's modules (`scripts/build/undici.mjs`),
 * which tests of the sources do not use: TLS, proxies, uploads, and compressed and broken responses must work with
 * these.
 */
import { createHash } from 'node:crypto';
import { createReadStream, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { misbehavingServer, sayAndClose } from '../support/misbehaving-server.js';
import { temporaryFolder } from '../support/run.js';
import { CERTIFICATE, KEY } from '../support/self-signed.js';
import { edu, surroundings } from '../support/spawned.js';

const SCHOOL = { id: '0301', name: 'Lyceum', country: 'NL', city: 'Delft', roles: [] };
const GET = ['schools', 'get', '0301', '--json'];

async function listening(server: NetServer | Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

const answering = (request: { readonly url?: string | undefined }): string =>
  JSON.stringify({ ...SCHOOL, name: `asked for ${request.url}` });

async function secureService() {
  const server = createSecureServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answering(request));
  });
  return `https://localhost:${await listening(server)}`;
}

/** A file with the certificate for NODE_EXTRA_CA_CERTS. */
function certificateFile(): string {
  const file = join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, CERTIFICATE);
  return file;
}

describe('https', () => {
  test('trusts a certificate authority of NODE_EXTRA_CA_CERTS', async () => {
    const env = surroundings({
      EDU_BASE_URL: await secureService(),
      EDU_TOKEN: 'x',
      NODE_EXTRA_CA_CERTS: certificateFile(),
    });
    const ran = await edu(GET, { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'asked for /v1/schools/0301' });
  });

  test('exits 7 with a hint for an untrusted certificate', async () => {
    const env = surroundings({ EDU_BASE_URL: await secureService(), EDU_TOKEN: 'x' });
    const ran = await edu(GET, { env });
    expect(ran).toMatchObject({ code: 7, stdout: '' });
    expect(ran.stderr).toContain('NODE_EXTRA_CA_CERTS=');
    expect(ran.stderr).not.toMatch(/DEPTH_ZERO|node:/);
  });

  test('verifies certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says, except with --insecure', async () => {
    const baseUrl = await secureService();
    const env = surroundings({
      EDU_BASE_URL: baseUrl,
      EDU_TOKEN: 'x',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    });
    const refused = await edu(GET, { env });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 turns the verification');
    expect(refused.stderr).toContain('--insecure');
    expect((await edu(['doctor'], { env })).stdout).toMatch(/^Certificates\tproblem\tNODE_TLS_REJECT_UNAUTHORIZED=0/m);
    for (const more of [{}, { NODE_TLS_REJECT_UNAUTHORIZED: '' }])
      expect(await edu([...GET, '--insecure'], { env: { ...env, ...more } })).toMatchObject({ code: 0 });
  });
});

/** A proxy that records its tunnels. */
async function tunnels(credentials?: string) {
  const asked: string[] = [];
  const proxy = createServer((_, response) => response.writeHead(501).end());
  proxy.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '');
    expect(request.headers.authorization).toBeUndefined();
    const given = request.headers['proxy-authorization'];
    if (credentials !== undefined && given !== `Basic ${Buffer.from(credentials).toString('base64')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on('error', () => {});
  });
  const port = await listening(proxy);
  return { asked, port };
}

describe('through a proxy', () => {
  test('tunnels https, so that the proxy sees no token', async () => {
    const baseUrl = await secureService();
    const { asked, port } = await tunnels('anna:p@ss');
    const env = surroundings({
      EDU_BASE_URL: baseUrl,
      EDU_TOKEN: 'x',
      NODE_EXTRA_CA_CERTS: certificateFile(),
      HTTPS_PROXY: `http://anna:p%40ss@127.0.0.1:${port}`,
    });
    const ran = await edu(GET, { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(asked).toEqual([new URL(baseUrl).host]);
  });

  test('is skipped for hosts in NO_PROXY', async () => {
    const { asked, port } = await tunnels();
    const env = surroundings({
      EDU_BASE_URL: await secureService(),
      EDU_TOKEN: 'x',
      NODE_EXTRA_CA_CERTS: certificateFile(),
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NO_PROXY: 'localhost',
    });
    expect(await edu(GET, { env })).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
  });
});

describe('bodies', () => {
  test('a large upload arrives byte for byte, with its length', async () => {
    const size = 20 * 1024 * 1024 + 7;
    const file = join(temporaryFolder(), 'lesson.pdf');
    writeFileSync(file, '%PDF-1.4');
    truncateSync(file, size);
    const received = { bytes: 0, length: '', hash: createHash('sha256') };
    const server = createServer((request, response) => {
      received.length = request.headers['content-length'] ?? '';
      request.on('data', (chunk: Buffer) => {
        received.bytes += chunk.length;
        received.hash.update(chunk);
      });
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ type: 'CloudStorage', id: 'f1', url: 'x' }));
      });
    });
    const env = surroundings({ EDU_BASE_URL: `http://127.0.0.1:${await listening(server)}`, EDU_TOKEN: 'x' });
    const ran = await edu(['files', 'upload', file, '-o', 'ids'], { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'f1\n' });
    expect(received.length).toBe(String(received.bytes));
    expect(received.bytes).toBeGreaterThan(size);
  });

  test('a download arrives byte for byte', async () => {
    const folder = temporaryFolder();
    const source = join(folder, 'source');
    writeFileSync(source, Buffer.alloc(5_000_000, 'edu'));
    const server = createServer((_, response) => createReadStream(source).pipe(response));
    const env = surroundings({ EDU_BASE_URL: `http://127.0.0.1:${await listening(server)}`, EDU_TOKEN: 'x' });
    const ran = await edu(['files', 'download', 'f1', '--to', join(folder, 'copy'), '--json'], { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ bytes: 5_000_000 });
  });

  test('a compressed answer is read', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(answering(request)));
    });
    const env = surroundings({ EDU_BASE_URL: `http://127.0.0.1:${await listening(server)}`, EDU_TOKEN: 'x' });
    expect(JSON.parse((await edu(GET, { env })).stdout)).toMatchObject({ id: '0301' });
  });

  test('one connection is enough for many pages', async () => {
    const server = createServer((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 0);
      const paging = { nextCursor: page === 9 ? null : String(page + 1) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ schools: [{ ...SCHOOL, id: String(page) }], paging }));
    });
    let connections = 0;
    server.on('connection', () => {
      connections++;
    });
    const env = surroundings({ EDU_BASE_URL: `http://127.0.0.1:${await listening(server)}`, EDU_TOKEN: 'x' });
    const { stdout } = await edu(['schools', 'list', '-o', 'ids'], { env });
    expect(stdout).toBe(Array.from({ length: 10 }, (_, page) => `${page}\n`).join(''));
    expect(connections).toBe(1);
  });
});

describe('a connection that breaks', () => {
  const at = (origin: string) => ({ env: surroundings({ EDU_BASE_URL: origin, EDU_TOKEN: 'x' }) });

  test.each([
    ['in the middle of a body', sayAndClose('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":')],
    ['in the middle of a head', sayAndClose('HTTP/1.1 200 OK\r\nContent-Le')],
    ['without a word', sayAndClose('')],
  ])('%s: exit 7', async (_, misdeed) => {
    const server = await misbehavingServer([misdeed]);
    onTestFinished(() => server.close());
    const ran = await edu([...GET, '--retries', '0'], at(server.origin));
    expect(ran, ran.stderr).toMatchObject({ code: 7, stdout: '' });
  });
});
