/**
 * Attack: another user of the machine reads state and path of a login from the process list and calls the callback
 * first.
 */
import { spawn } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { isTrustedPeer, peerOf } from '../../src/auth/login/peer-user.js';
import { explainSkipped, OTHER, testAsRoot } from '../support/other-user.js';
import { CANARY, waiting } from './support.js';

/** Sends a request and prints the status; with `--leave` it closes before the response. */
const ANSWER = `
  const { connect } = require('node:net');
  const [host, port, text, leave] = process.argv.slice(1);
  const socket = connect({ host, port: Number(port) }, () => {
    socket.write(text);
    if (leave) socket.destroy();
  });
  socket.once('data', (data) => { process.stdout.write(String(data).slice(9, 12)); socket.destroy(); });
`;

/**
 * Calls the callback as the other user.
 * @returns the status; empty if it closed first
 */
const answerAsOther = (host: string, port: number, text: string, leave = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', ANSWER, '--', host, String(port), text, leave], {
      ...OTHER,
      cwd: '/',
    });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(out));
  });

describe('an answer from another user', () => {
  explainSkipped('an answer to a login with the right state and path');

  testAsRoot.each(['127.0.0.1', '[::1]'] as const)('is refused at %s, and the login keeps waiting', async (host) => {
    const login = await waiting({ hostname: host });
    const target = `${login.path()}?code=stolen&state=${login.state()}`;
    const text = `GET ${target} HTTP/1.1\r\nHost: ${host}:${login.port}\r\n\r\n`;
    const address = host.replace(/[[\]]/g, '');
    expect(await answerAsOther(address, login.port, text)).toBe('403');
    expect(await answerAsOther(address, login.port, text, 'leave')).toBe('');
    expect(login.exchanges).toEqual([]);
    expect((await login.visit({ code: CANARY.code, state: login.state() }, { address })).status).toBe(200);
    await login.outcome;
    expect(login.exchanges.map(({ body }) => body).join()).not.toContain('stolen');
  });

  testAsRoot('is refused over IPv4 from an IPv6 socket', async () => {
    const login = await waiting();
    const text = `GET ${login.path()}?code=stolen&state=${login.state()} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`;
    expect(await answerAsOther('::ffff:127.0.0.1', login.port, text)).toBe('403');
    await login.expectStillWaiting();
  });
});

describe('the table of sockets', () => {
  const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const row = (local: string, remote: string, uid: number, inode: number): string =>
    `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 20 4 30 10 -1`;
  const ends = { localAddress: '127.0.0.1', localPort: 8976, remoteAddress: '127.0.0.1', remotePort: 40000 };
  const [ours, theirs] = ['0100007F:2310', '0100007F:9C40'];

  test.each([
    ['a user', [row(ours, theirs, 0, 7), row(theirs, ours, 1001, 8)], { kind: 'user', uid: 1001 }],
    [
      'a user with a mapped address',
      [row(ours, theirs, 0, 7), row(`0000000000000000FFFF0000${theirs}`, `0000000000000000FFFF0000${ours}`, 1001, 8)],
      { kind: 'user', uid: 1001 },
    ],
    ['a closed socket', [row(ours, theirs, 0, 7), row(theirs, ours, 0, 0)], { kind: 'gone' }],
    ['a socket that is not listed any more', [row(ours, theirs, 0, 7)], { kind: 'gone' }],
    ['another connection', [row('0200007F:9C40', ours, 1001, 8)], { kind: 'unknown' }],
    ['an empty table', [], { kind: 'unknown' }],
  ] as const)('%s', (_, rows, peer) => {
    expect(peerOf(ends, [[HEAD, ...rows, ''].join('\n'), ''])).toEqual(peer);
  });

  test.runIf(process.geteuid)('trusts only this user and root', () => {
    const me = process.geteuid?.() ?? 0;
    const user = (uid: number) => isTrustedPeer(ends, {}, { kind: 'user', uid });
    expect([user(me), user(0), user(me + 4711)]).toEqual([true, true, false]);
    expect(isTrustedPeer(ends, { SUDO_UID: '4711' }, { kind: 'user', uid: 4711 })).toBe(me === 0);
    expect(isTrustedPeer(ends, {}, { kind: 'gone' })).toBe(false);
    expect(isTrustedPeer(ends, {}, { kind: 'unknown' })).toBe(true);
    vi.spyOn(process, 'geteuid').mockReturnValue(1000);
    expect([user(1000), user(0), user(1)]).toEqual([true, true, false]);
    expect(isTrustedPeer(ends, { SUDO_UID: '4711' }, { kind: 'user', uid: 4711 })).toBe(false);
  });
});
