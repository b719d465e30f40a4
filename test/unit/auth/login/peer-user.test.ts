/** Whose connections a login trusts, by the kernel's table of sockets. */
import { expect, test, vi } from 'vitest';
import { isTrustedPeer, peerOf } from '../../../../src/auth/login/peer-user.js';

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
