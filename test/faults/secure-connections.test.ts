/** Certificates, proxies and https, as a real process uses them. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpAnswer } from '../support/misbehaving-server.js';
import { CERTIFICATE } from '../support/self-signed.js';
import { type Handler, misbehave, SCHOOL, serve } from './process-cases.js';
import { edu, folder, TOKEN } from './program.js';

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

  test('verifies certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says, except with --insecure', async () => {
    let asked = 0;
    const origin = await serve((...exchange) => {
      asked++;
      return school(...exchange);
    }, true);
    const env = { EDU_BASE_URL: origin, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    const refused = await edu(GET, { env });
    expect({ ...refused, asked }).toMatchObject({ code: 2, stdout: '', asked: 0 });
    expect(refused.stderr).toMatch(
      /^Error: NODE_TLS_REJECT_UNAUTHORIZED=0 turns the verification.*\nHint: .*--insecure/,
    );
    expect((await edu(['doctor'], { env })).stdout).toMatch(/^Certificates\tproblem\tNODE_TLS_REJECT_UNAUTHORIZED=0/m);
    for (const more of [{}, { NODE_TLS_REJECT_UNAUTHORIZED: '' }]) {
      const allowed = await edu([...GET, '--insecure'], { env: { ...env, ...more } });
      expect(allowed).toMatchObject({ code: 0, stdout: 's1\n' });
    }
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
    const env = { EDU_BASE_URL: 'https://service.test', HTTPS_PROXY: origin };
    const { code, stderr } = await edu([...GET, '--retries', '0'], { env });
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
