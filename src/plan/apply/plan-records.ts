/** The records of applied plans in the state folder: a folder each, with lock and journal. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BulkHost } from '../../bulk/host.js';
import { journalFile, lockFile } from '../../bulk/job/job-store.js';
import { lastRunEnd } from '../../bulk/job/journal-entry.js';
import { lockOwner } from '../../core/fs/lock.js';
import { checkOwnFolder, ownState, stateFolder } from '../../settings/folders.js';
import type { Plan } from '../plan-file.js';

type Host = Pick<BulkHost, 'env' | 'now'>;

export const planFolder = ({ header }: Plan, { env }: Pick<Host, 'env'>): string => {
  const name = createHash('sha256').update(`${header.hash} ${header.created}`).digest('hex').slice(0, 16);
  return join(stateFolder(env), 'plans', name);
};

/** When a plan ended, in milliseconds since the epoch; undefined if steps are left or of unknown outcome. */
function endOf(folder: string): number | undefined {
  const end = lastRunEnd(journalFile({ folder }));
  if (end === undefined) return undefined;
  const { planned, sending, unknown } = end.counts;
  return planned + sending + unknown === 0 ? Date.parse(end.ended) : undefined;
}

/**
 * The folders of plans that ended at least `age` milliseconds ago and are not being applied.
 * @throws EduError `usage` if others can write to the folder
 */
export function endedPlans({ env, now }: Host, age: number): readonly string[] {
  const plans = ownState(env, 'plans');
  let names: string[];
  try {
    names = readdirSync(plans);
  } catch {
    return [];
  }
  return names
    .map((name) => join(plans, name))
    .filter((folder) => {
      const ended = checkOwnFolder(folder) ? endOf(folder) : undefined;
      return ended !== undefined && now() - ended >= age && lockOwner(lockFile({ folder }), now()) === undefined;
    });
}
