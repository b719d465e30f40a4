/** The content of lock files. */
import { hostname } from 'node:os';
import type { LockOwner } from '../../src/core/fs/lock.js';
import { processTag } from '../../src/core/fs/temporary.js';

/** A process of this machine as the owner of a lock; its start time is not checked. */
export const ownerOf = (pid: number, unique: string): LockOwner => ({
  process: processTag().replace(/^\d+-\w+/, `${pid}-x`),
  host: hostname(),
  unique,
});

/** Above the largest process ID of Linux. */
export const NO_PROCESS = 2 ** 22 + 1;
