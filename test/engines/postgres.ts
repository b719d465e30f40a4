/** A PostgreSQL server (Debian package postgresql) in a folder of its own, reached by a socket in it. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSIONS = '/usr/lib/postgresql';

/** Starts a server. @returns the environment for its clients, and a function that stops it and removes its files */
export function startPostgres() {
  const version = readdirSync(VERSIONS).sort().at(-1) ?? '';
  const bin = join(VERSIONS, version, 'bin');
  // A socket's path has at most 107 bytes (unix(7)).
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const data = join(folder, 'data');
  // The server refuses to run as root. The package creates this user.
  const isRoot = process.getuid?.() === 0;
  const idOf = (what: '-u' | '-g') => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(bin, program), args, { cwd: folder, stdio: 'ignore', ...user });
  run('initdb', '--pgdata', data, '--username', 'edu', '--auth', 'trust', '--no-sync');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  run('pg_ctl', 'start', '--wait', '--pgdata', data, '--log', join(folder, 'log'), '--options', options);
  return {
    env: { PGHOST: folder, PGUSER: 'edu', PGDATABASE: 'postgres' },
    stop() {
      run('pg_ctl', 'stop', '--wait', '--mode', 'immediate', '--pgdata', data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
