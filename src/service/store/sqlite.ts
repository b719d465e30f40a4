/** Chooses the SQLite driver: `node:sqlite` from Node 22.13 on, the package `libsql` before. */

import type { OpenDatabase } from './sqlite-types.js';
import { noSqlite } from './state-error.js';

/** @param version of Node: `22.13.0` */
export function hasNodeSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

async function load(): Promise<OpenDatabase> {
  if (hasNodeSqlite(process.versions.node)) return (await import('./sqlite-node.js')).nodeSqlite();
  try {
    return await (await import('./sqlite-libsql.js')).libsqlSqlite();
  } catch (error) {
    throw noSqlite(error, __dirname);
  }
}

let driver: Promise<OpenDatabase> | undefined;

/** @throws StateError on Node before 22.13 when `libsql` is not installed */
export function loadSqlite(): Promise<OpenDatabase> {
  driver ??= load();
  return driver;
}
