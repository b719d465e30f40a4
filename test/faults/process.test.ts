/** What only a real process shows: signals, pipes, system terminals, certificates, proxies, files on disk. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { httpAnswer, type MisbehavingServer, misbehavingServer } from '../support/misbehaving-server.js';
import { CERTIFICATE, KEY } from '../support/self-signed.js';
import { edu, folder, start, TOKEN } from './program.js';

const SCHOOL = { id: 's1', name: 'Lycée', country: 'FR', city: 'Lyon', roles: [] };

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * A server that stops when the test is over.
 * @returns its origin
 */
async function serve(handler: Handler, tls = false): Promise<string> {
  const server = tls ? createHttpsServer({ key: KEY, cert: CERTIFICATE }, handler) : createHttpServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
}

async function misbehave(...parameters: Parameters<typeof misbehavingServer>): Promise<MisbehavingServer> {
  const server = await misbehavingServer(...parameters);
  onTestFinished(() => server.close());
  return server;
}

/** A list of that many licences (default: endless). */
function licences(count = Number.POSITIVE_INFINITY): Handler {
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

const LIST = ['licenses', 'list', '--type', 'BOOKS'];

/** A sparse file of zeros after the first bytes of a PDF. */
function pdf(size: number): string {
  const path = join(folder(), 'large.pdf');
  writeFileSync(path, '%PDF-1.4\n');
  truncateSync(path, size);
  return path;
}

/** The output of a shell line; `$EDU` is the program. */
function shell(line: string, origin: string): Promise<string> {
  const home = folder();
  const EDU = `${process.execPath} ${join(import.meta.dirname, '..', '..', 'bin', 'edu.js')}`;
  const env = { PATH: process.env.PATH ?? '', EDU, EDU_BASE_URL: origin, EDU_TOKEN: TOKEN };
  return new Promise((resolve) => {
    const folders = { EDU_CONFIG_DIR: join(home, 'config'), EDU_STATE_DIR: join(home, 'state') };
    execFile('bash', ['--norc', '-c', line], { env: { ...env, ...folders }, maxBuffer: 1e6 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

describe('signals', () => {
  const SIGNALS = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;

  test.each(SIGNALS)('%s ends a list at once', async (signal, code) => {
    const program = start([...LIST, '-o', 'ndjson'], { env: { EDU_BASE_URL: await serve(licences()) } });
    await new Promise<void>((resolve) => program.child.stdout.once('data', () => resolve()));
    program.kill(signal);
    expect(await program.ended).toMatchObject({ code, stderr: expect.stringMatching(/^\{"error":\{"kind":"\w+"/) });
    expect((await program.ended).took).toBeLessThan(1000);
  });

  test.each(SIGNALS)('%s ends a list whose reader has stopped reading', async (signal, code) => {
    const env = { EDU_BASE_URL: await serve(licences()) };
    const program = start([...LIST, '-o', 'ndjson'], { env, unread: true });
    await new Promise((resolve) => setTimeout(resolve, 800));
    program.kill(signal);
    const { took, code: ended, signal: by } = await program.ended;
    // A shell reports 128 plus the signal's number in both cases.
    expect(ended === code || by === signal).toBe(true);
    expect(took).toBeLessThan(1000);
  });

  test.each(SIGNALS)('%s ends an upload at once', async (signal, code) => {
    const { promise: begun, resolve: begin } = deferred();
    const { origin } = await misbehave([begin], { early: true });
    const program = start(['files', 'upload', pdf(50_000_000), '--type', 'Document'], {
      env: { EDU_BASE_URL: origin },
    });
    await begun;
    program.kill(signal);
    const { took, ...ended } = await program.ended;
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(took).toBeLessThan(1000);
  });

  test.each(SIGNALS)('%s ends the wait before a retry at once', async (signal, code) => {
    const { promise: begun, resolve: begin } = deferred();
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(503, { 'retry-after': '30' }).end();
      begin();
    });
    const program = start(['schools', 'get', 's1'], { env: { EDU_BASE_URL: origin } });
    await begun;
    program.kill(signal);
    const { took, ...ended } = await program.ended;
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(took).toBeLessThan(1000);
  });

  test('an interrupted download leaves nothing behind', async () => {
    const { promise: begun, resolve: begin } = deferred();
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '2000000', 'content-disposition': 'attachment; filename=x.bin' });
      outgoing.write(Buffer.alloc(1_000_000), begin);
    });
    const cwd = folder();
    const program = start(['files', 'download', 'f1'], { env: { EDU_BASE_URL: origin }, cwd });
    await begun;
    await expect.poll(() => readdirSync(cwd)).toHaveLength(1);
    program.kill('SIGINT');
    expect((await program.ended).code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('pipes', () => {
  test.each(['ndjson', 'json', 'csv', 'tsv', 'ids'])(
    'a reader that closes the pipe of %s is no error',
    async (format) => {
      const origin = await serve(licences());
      const said = await shell(
        `$EDU licenses list --type BOOKS -o ${format} | head -n 1 | wc -l; echo \${PIPESTATUS[0]}`,
        origin,
      );
      expect(said.trim().split(/\s+/)).toEqual(['1', '0']);
    },
  );

  test('a pipe receives all of 100 MB', async () => {
    const count = 260_000;
    const { stdout, ...ended } = await edu([...LIST, '-o', 'ndjson'], {
      env: { EDU_BASE_URL: await serve(licences(count)) },
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(85_000_000);
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(count);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: `L${count - 1}` });
  });

  test('a full disk is a readable error', async () => {
    const said = await shell('$EDU licenses list --type BOOKS >/dev/full; echo $?', await serve(licences(10)));
    expect(said).toMatch(
      /^1\nError: Cannot write the output: .*\nHint: Make room on the disk and run the command again\.\n$/,
    );
  });
});

describe('certificates and proxies', () => {
  const school: Handler = (_, outgoing) => void outgoing.end(JSON.stringify(SCHOOL));
  const GET = ['schools', 'get', 's1', '-o', 'ids'];

  test('explains an untrusted certificate, and sends nothing', async () => {
    let asked = 0;
    const origin = await serve(() => void asked++, true);
    const { code, stderr } = await edu(GET, { env: { EDU_BASE_URL: origin } });
    expect(code).toBe(7);
    expect(stderr).toContain(`the certificate of ${origin} is not trusted`);
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS=');
    expect(stderr).not.toMatch(/DEPTH_ZERO|node:/);
    expect(asked).toBe(0);
  });

  /** The certificate as a file. */
  function authority(): Readonly<Record<string, string>> {
    const path = join(folder(), 'ca.pem');
    writeFileSync(path, CERTIFICATE);
    return { NODE_EXTRA_CA_CERTS: path };
  }

  test('trusts the certificates of NODE_EXTRA_CA_CERTS', async () => {
    const origin = await serve(school, true);
    expect(await edu(GET, { env: { EDU_BASE_URL: origin, ...authority() } })).toMatchObject({
      code: 0,
      stdout: 's1\n',
    });
  });

  test('tunnels https, so that the proxy sees no token; NO_PROXY bypasses it', async () => {
    const origin = await serve(school, true);
    const { port } = new URL(origin);
    const { lines, origin: proxy } = await tunnel(Number(port));
    const env = { HTTPS_PROXY: proxy, ...authority() };
    expect(await edu(GET, { env: { ...env, EDU_BASE_URL: 'https://service.test' } })).toMatchObject({
      code: 0,
      stdout: 's1\n',
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('CONNECT service.test:443');
    expect(lines.join()).not.toContain(TOKEN);
    const straight = await edu(GET, { env: { ...env, EDU_BASE_URL: origin, NO_PROXY: 'localhost' } });
    expect(straight.code).toBe(0);
    expect(lines).toHaveLength(1);
  });

  /** A proxy that connects everything to one local port. */
  async function tunnel(port: number) {
    const lines: string[] = [];
    const { origin } = await misbehave([
      (socket, { head }) => {
        lines.push(head);
        const upstream = connect(port, '127.0.0.1', () => {
          socket.removeAllListeners('data');
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.pipe(upstream).pipe(socket);
        });
        upstream.on('error', () => socket.destroy());
      },
    ]);
    return { lines, origin };
  }

  test.each([
    ['refuses', httpAnswer('503 Unavailable', ''), /refused to connect \(503\)[\s\S]*Check HTTPS_PROXY/],
    ['wants a password', httpAnswer('407 Auth', ''), /refused to connect \(407\)[\s\S]*user name and password/],
  ])('names a proxy that %s', async (_, answer, told) => {
    const { origin } = await misbehave([(socket) => socket.end(answer)]);
    const { code, stderr } = await edu(GET, { env: { EDU_BASE_URL: 'https://service.test', HTTPS_PROXY: origin } });
    expect(code).toBe(7);
    expect(stderr).toMatch(told);
  });

  test('names a proxy that does not listen, without its password', async () => {
    const env = { EDU_BASE_URL: 'https://service.test', HTTPS_PROXY: 'http://me:hush@127.0.0.1:1' };
    const { code, stderr } = await edu([...GET, '--retries', '0'], { env });
    expect(code).toBe(7);
    expect(stderr).toContain('the proxy http://127.0.0.1:1 (HTTPS_PROXY)');
    expect(stderr).toContain('Hint: Check HTTPS_PROXY');
    expect(stderr).not.toContain('hush');
  });

  test.each(['http://192.0.2.1', 'http://service.test', 'http://127.0.0.1.example'])(
    'never sends a token to %s, which is not encrypted',
    async (base) => {
      const { code, stderr, took } = await edu(GET, { env: { EDU_BASE_URL: base } });
      expect(code).toBe(2);
      expect(stderr).toContain('not encrypted');
      expect(took).toBeLessThan(5000);
    },
  );
});

describe('uploads', () => {
  const REFUSAL = httpAnswer('400 Bad Request', '{"message":"no films, please"}', [
    'Content-Type: application/json',
    'Connection: close',
  ]);

  test.each([
    ['goes on reading', (socket) => socket.write(REFUSAL)],
    ['closes', (socket) => socket.end(REFUSAL)],
    ['resets', (socket) => socket.write(REFUSAL, () => setTimeout(() => socket.resetAndDestroy(), 20))],
    ['stops reading', (socket) => socket.pause().write(REFUSAL)],
  ] satisfies [string, Parameters<typeof misbehavingServer>[0][number]][])(
    'shows the early refusal of 100 MB by a service that %s',
    async (_, deed) => {
      const { origin, lines } = await misbehave([deed], { early: true });
      const argv = ['files', 'upload', pdf(100_000_000), '--type', 'Video'];
      const { code, stdout, stderr } = await edu(argv, { env: { EDU_BASE_URL: origin } });
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('the service rejected the request (400): no films, please.\n');
      expect(lines).toHaveLength(1);
    },
  );

  test.each([
    ['grows', (path: string) => writeFileSync(path, Buffer.alloc(9_000_000), { flag: 'a' }), 'grew beyond its 8000000'],
    ['shrinks', (path: string) => truncateSync(path, 1_000_000), 'shrank from 8000000 to \\d+'],
    ['is replaced by a smaller one', (path: string) => writeFileSync(path, 'new'), 'shrank from 8000000 to \\d+'],
  ] as const)('cancels the upload of a file that %s meanwhile', async (_, change, told) => {
    const path = pdf(8_000_000);
    let kept = 0;
    // The file changes when its first bytes have arrived; only then is the rest read.
    const origin = await serve((incoming, outgoing) => {
      incoming.once('data', () => {
        change(path);
        incoming.on('data', (chunk: Buffer) => (kept += chunk.length));
      });
      incoming.on('end', () => outgoing.end('{"type":"CloudStorage","id":"f1","url":"u"}'));
    });
    const ended = await edu(['files', 'upload', path, '--type', 'Document'], { env: { EDU_BASE_URL: origin } });
    expect(kept).toBeLessThan(8_100_000);
    // Not 2, which means that nothing was sent.
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`The file "large\\.pdf" ${told} bytes while it was being sent`));
  });

  test('sends nothing if the file does not exist', async () => {
    const { origin, lines } = await misbehave([() => {}]);
    const { code, stderr } = await edu(['files', 'upload', 'gone.pdf'], { env: { EDU_BASE_URL: origin } });
    expect(code).toBe(2);
    expect(stderr).toContain('gone.pdf');
    expect(lines).toHaveLength(0);
  });
});

describe('downloads', () => {
  const names = [
    ['attachment; filename="../../evil"', 'evil'],
    ['attachment; filename="..\\\\..\\\\evil"', 'evil'],
    ['attachment; filename="/etc/passwd"', 'passwd'],
    ["attachment; filename*=UTF-8''%2e%2e%2fevil", 'evil'],
    ['attachment; filename=""', 'f-17'],
    ['attachment; filename=".."', 'f-17'],
    ['attachment; filename="CON"', 'f-17'],
    ['attachment; filename="nul.txt"', 'f-17'],
    ['attachment; filename=".bashrc"', 'bashrc'],
    [`attachment; filename="${'a'.repeat(300)}.pdf"`, `${'a'.repeat(196)}.pdf`],
    [`attachment; filename*=UTF-8''${encodeURIComponent('漢'.repeat(150))}.pdf`, `${'漢'.repeat(65)}.pdf`],
    [`attachment; filename="${Buffer.from('naïve.pdf').toString('latin1')}"`, 'naïve.pdf'],
  ] as const;

  test('no name from the service leads out of the folder', async () => {
    let name = '';
    const origin = await serve(
      (_, outgoing) => void outgoing.writeHead(200, { 'content-disposition': name }).end('bytes'),
    );
    const outer = folder();
    for (const [disposition, expected] of names) {
      name = disposition;
      const cwd = join(outer, 'a', String(names.findIndex(([one]) => one === disposition)));
      mkdirSync(cwd, { recursive: true });
      const { code, stderr } = await edu(['files', 'download', 'f-17'], { env: { EDU_BASE_URL: origin }, cwd });
      expect(code, stderr).toBe(0);
      expect(readdirSync(cwd)).toEqual([expected]);
    }
    expect(readdirSync(outer)).toEqual(['a']);
    expect(readdirSync(join(outer, 'a'))).toHaveLength(names.length);
  });

  test('nothing is overwritten without --force', async () => {
    const origin = await serve((_, outgoing) => void outgoing.end('theirs'));
    const cwd = folder();
    const path = join(cwd, 'f1');
    writeFileSync(path, 'mine');
    const options = { env: { EDU_BASE_URL: origin }, cwd };
    const refused = await edu(['files', 'download', 'f1'], options);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('"f1" exists already');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect((await edu(['files', 'download', 'f1', '--force'], options)).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  test('a download that breaks off leaves no part, and keeps the existing file', async () => {
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '1000000' });
      outgoing.write(Buffer.alloc(500_000), () => setTimeout(() => outgoing.destroy(), 20));
    });
    const cwd = folder();
    writeFileSync(join(cwd, 'f1'), 'mine');
    const options = { env: { EDU_BASE_URL: origin }, cwd };
    const { code, stderr } = await edu(['files', 'download', 'f1', '--force'], options);
    expect(code).toBe(7);
    expect(stderr).toMatch(/after \d+ of 1000000 bytes\.\nHint: Nothing was saved/);
    expect(readdirSync(cwd)).toEqual(['f1']);
    expect(readFileSync(join(cwd, 'f1'), 'utf8')).toBe('mine');
    expect(existsSync(join(cwd, '.f1.part'))).toBe(false);
  });

  test('a redirect to another origin is followed without the token', async () => {
    const authorizations: (string | undefined)[] = [];
    const storage = await serve((incoming, outgoing) => {
      authorizations.push(incoming.headers.authorization);
      outgoing.end('bytes');
    });
    const origin = await serve((incoming, outgoing) => {
      authorizations.push(incoming.headers.authorization);
      outgoing.writeHead(302, { location: `${storage}/blob` }).end();
    });
    const ended = await edu(['files', 'download', 'f1', '--to', '-'], { env: { EDU_BASE_URL: origin } });
    expect(ended).toMatchObject({ code: 0, stdout: 'bytes' });
    expect(authorizations).toEqual([`Bearer ${TOKEN}`, undefined]);
  });
});
