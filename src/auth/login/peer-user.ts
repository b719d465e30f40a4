/** Finds out which user of this machine opened a loopback connection, from the kernel's table of sockets (proc(5), /proc/net/tcp). */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

export type Peer =
  | { readonly kind: 'user'; readonly uid: number }
  /** The other end was closed. */
  | { readonly kind: 'gone' }
  /** The system does not provide it. */
  | { readonly kind: 'unknown' };

/** An address in the form of the table: 32-bit words in the machine's byte order, in hexadecimal. */
function hexOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (v4 === null) return '00000000000000000000000001000000';
  return v4
    .slice(1)
    .reverse()
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** The forms of an address and port in the tables: IPv4 is also in the IPv6 table, as a mapped address. */
function spellings(address: string, port: number): readonly string[] {
  const hex = hexOf(address);
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return hex.length === 8 ? [hex + suffix, `0000000000000000FFFF0000${hex}${suffix}`] : [hex + suffix];
}

/** The inode is 0 if no process has the socket any more; then the user is 0 too. */
function rowsOf(table: string) {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .map(([, local = '', remote = '', , , , , uid, , inode = '0']) => ({ local, remote, uid: Number(uid), inode }));
}

function readTables(): string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  });
}

/** Looks up the user at the other end of a connection. @param tables contents of /proc/net/tcp and tcp6 */
export function peerOf(ends: Ends, tables: readonly string[] = readTables()): Peer {
  const { localAddress, localPort, remoteAddress, remotePort } = ends;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return { kind: 'unknown' };
  const ours = spellings(localAddress, localPort);
  const theirs = spellings(remoteAddress, remotePort);
  const rows = tables.flatMap(rowsOf);
  const peer = rows.find(({ local, remote }) => theirs.includes(local) && ours.includes(remote));
  if (peer !== undefined && peer.inode !== '0') return { kind: 'user', uid: peer.uid };
  // A table with this end also has the other one while it is open.
  const isListed = rows.some(({ local, remote }) => ours.includes(local) && theirs.includes(remote));
  return { kind: isListed ? 'gone' : 'unknown' };
}

/**
 * True if a connection may send the redirect of a login: it belongs to the user of this process, to root, or to the user of
 * sudo. If the system does not provide the user, every connection may.
 */
export function isTrustedPeer(
  ends: Ends,
  env: Readonly<Record<string, string | undefined>>,
  peer = peerOf(ends),
): boolean {
  if (peer.kind !== 'user') return peer.kind === 'unknown';
  const user = process.geteuid?.();
  const trusted = [0, user, ...(user === 0 && env.SUDO_UID ? [Number(env.SUDO_UID)] : [])];
  return user === undefined || trusted.includes(peer.uid);
}
