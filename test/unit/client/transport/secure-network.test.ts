import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readBytes } from '../../../../src/core/http.js';
import { httpAnswer, jsonAnswer, misbehavingServer, reset, say } from '../../../support/misbehaving-server.js';
import { CERTIFICATE, KEY } from '../../../support/self-signed.js';
import { get, misbehaving, network, noAnswer } from './on-the-network.js';

test('explains an untrusted certificate, and sends nothing', async () => {
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const error = await noAnswer(network().send(get(`https://127.0.0.1:${port}/`)));
  expect(error).toMatchObject({ sent: false, again: false, hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  expect(error.message).toContain(`the certificate of https://127.0.0.1:${port} is not trusted`);
});

test('explains https to a port of plain http', async () => {
  const server = await misbehaving([say(jsonAnswer({}))], {
    onConnection: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  });
  const error = await noAnswer(network().send(get(`https://127.0.0.1:${server.port}/`)));
  expect(error).toMatchObject({ sent: false, again: false, message: expect.stringContaining('does not speak TLS') });
});

test('never sends a token over an unencrypted connection, except to this machine', async () => {
  await expect(
    network().send(get('http://api.example/v1/account', { headers: { authorization: 'Bearer t' } })),
  ).rejects.toMatchObject({
    kind: 'usage',
    message: 'Refusing to send the access token to http://api.example: the connection is not encrypted.',
  });
  const server = await misbehaving([say(jsonAnswer({}))]);
  const local = get(`http://localhost:${server.port}/`, { headers: { authorization: 'Bearer t' } });
  expect((await network().send(local)).status).toBe(200);
});

test('tunnels https through the proxy', async () => {
  const heads: string[] = [];
  const proxy = await misbehaving([
    (socket, { head }) => {
      heads.push(head);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    },
  ]);
  const env = { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` };
  const error = await noAnswer(
    network(env).send(get('https://service.test/v1/account', { headers: { authorization: 'Bearer t' } })),
  );
  expect(proxy.lines).toEqual(['CONNECT service.test:443 HTTP/1.1']);
  expect(heads[0]).toContain(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  expect(heads[0]).not.toContain('Bearer');
  expect(error).toMatchObject({ sent: false, again: false });
  expect(error.message).toBe(`the proxy http://127.0.0.1:${proxy.port} (HTTPS_PROXY) refused to connect (403)`);
});

test.each([
  ['502 Bad Gateway', true],
  ['504 Gateway Timeout', true],
  ['403 Forbidden', false],
])('may try again after %s from a proxy: %s', async (status, again) => {
  const proxy = await misbehaving([(socket) => socket.end(httpAnswer(status, ''))]);
  const error = await noAnswer(network({ HTTPS_PROXY: proxy.origin }).send(get('https://service.test/')));
  expect(error).toMatchObject({ sent: false, again, message: expect.stringContaining('refused to connect') });
});

test('names a proxy whose response is not HTTP', async () => {
  const proxy = await misbehaving([(socket) => socket.end('hello there\r\n\r\n')]);
  const error = await noAnswer(network({ HTTPS_PROXY: proxy.origin }).send(get('https://service.test/')));
  expect(error.message).toBe(`the response of the proxy ${proxy.origin} (HTTPS_PROXY) is not HTTP`);
});

test('uses TLS from end to end through a proxy', async () => {
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { connect } = await import('node:net');
  const proxy = await misbehaving([
    (socket) => {
      const onward = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.removeAllListeners('data');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => {});
    },
  ]);
  const error = await noAnswer(network({ HTTPS_PROXY: proxy.origin }).send(get('https://service.test/')));
  expect(error.message).toBe(
    `the certificate of https://service.test, through the proxy ${proxy.origin} (HTTPS_PROXY), is not trusted: it is signed by an unknown authority`,
  );
  expect(error).toMatchObject({ sent: false, again: false, hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
});

test('distinguishes a proxy that does not listen from the service', async () => {
  const proxy = await misbehavingServer([reset]);
  await proxy.close();
  const error = await noAnswer(network({ HTTPS_PROXY: proxy.origin }).send(get('https://service.test/')));
  expect(error.message).toBe(`nothing listens at the proxy ${proxy.origin} (HTTPS_PROXY) (connection refused)`);
});

test.each([
  ['without a response', (socket: Socket) => socket.destroy()],
  ['in an orderly way without a response', (socket: Socket) => socket.end()],
  ['in the middle of a response', (socket: Socket) => socket.end('HTTP/1.1 200 Conn')],
  ['after the tunnel was opened', (socket: Socket) => socket.end('HTTP/1.1 200 Connection established\r\n\r\n')],
])('connects once to a proxy that closes %s', async (_, answer) => {
  const proxy = await misbehaving([answer]);
  const error = await noAnswer(network({ HTTPS_PROXY: proxy.origin }).send(get('https://service.test/')));
  expect(error).toMatchObject({ sent: false, again: true, message: expect.stringContaining(proxy.origin) });
  expect(proxy.lines).toEqual(['CONNECT service.test:443 HTTP/1.1']);
});

test('sends plain http to the proxy, except with NO_PROXY', async () => {
  const proxy = await misbehaving([say(jsonAnswer({ via: 'proxy' }))]);
  const server = await misbehaving([say(jsonAnswer({ via: 'none' }))]);
  const env = { HTTP_PROXY: proxy.origin };
  const through = await network(env).send(get(`${server.origin}/v1/x`));
  expect((await readBytes(through.body, 100)).toString()).toBe('{"via":"proxy"}');
  expect(proxy.lines).toEqual([`GET ${server.origin}/v1/x HTTP/1.1`]);
  const straight = await network({ ...env, NO_PROXY: '127.0.0.1' }).send(get(`${server.origin}/v1/x`));
  expect((await readBytes(straight.body, 100)).toString()).toBe('{"via":"none"}');
});

test('reports a proxy that requires a password for plain http as not sent', async () => {
  const proxy = await misbehaving([say(httpAnswer('407 Proxy Authentication Required', ''))]);
  const error = await noAnswer(network({ HTTP_PROXY: proxy.origin }).send(get('http://127.0.0.1:9/v1/account')));
  expect(error).toMatchObject({ sent: false, again: false });
  expect(error.message).toBe(`the proxy ${proxy.origin} (HTTP_PROXY) refused to connect (407)`);
  expect(error.hint).toContain('user name and password');
});

test.each([
  ['user:pa%40ss%2Fword@', 'user:pa@ss/word'],
  ['user@', 'user:'],
  [':token@', ':token'],
  ['50%:x@', '50%:x'],
  ['', undefined],
])('sends proxy credentials: http://%shost', async (given, sent) => {
  const heads: string[] = [];
  const proxy = await misbehaving([
    (socket, { head }) => {
      heads.push(head);
      socket.write(jsonAnswer({}));
    },
  ]);
  const env = { HTTP_PROXY: `http://${given}127.0.0.1:${proxy.port}` };
  await network(env).send(get('http://127.0.0.1:9/v1/account'));
  const basic = /^proxy-authorization: Basic (.*)$/im.exec(heads[0] ?? '')?.[1];
  expect(basic && Buffer.from(basic, 'base64').toString()).toBe(sent);
});
