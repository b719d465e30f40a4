/** The records of applied plans in the state folder: a folder each, with lock and journal. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BulkHost } from '../../bulk/host.js';
import { journalFile, lockFile } from '../../bulk/job/job-store.js';
import { lastRunEnd } from '../../bulk/job/journal-entry.js';
import { lockOwner } from '../../core/fs/lock.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { checkOwnFolder, ownState } from '../../settings/folders.js';
import type { Plan } from '../plan-file.js';

type Host = Pick<BulkHost, 'env' | 'now'>;

/** @throws EduError `usage` if others can write to the folder of all plans */
export const planFolder = ({ header }: Plan, { env }: Pick<Host, 'env'>): string => {
  const name = createHash('sha256').update(`${header.hash} ${header.created}`).digest('hex').slice(0, 16);
  return join(ownState(env, 'plans'), name);
};

function planFolders(env: Host['env']): readonly string[] {
  const plans = ownState(env, 'plans');
  return existsSync(plans) ? readdirSync(plans).map((name) => join(plans, name)) : [];
}

/** In the folder of a plan: the name of the file with its receipt. */
const PLACE = 'receipt-file';

export const noteReceipt = (folder: string, receipt: string): void =>
  replaceContent(join(folder, PLACE), resolve(receipt));

/** The files of the receipts of all plans that were applied on this machine. */
export const receiptPlaces = (env: Host['env']): ReadonlySet<string> =>
  new Set(
    planFolders(env).flatMap((folder) => {
      const place = join(folder, PLACE);
      return existsSync(place) ? readFileSync(place, 'utf8') : [];
    }),
  );

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
  return planFolders(env).filter((folder) => {
    const ended = checkOwnFolder(folder) ? endOf(folder) : undefined;
    return ended !== undefined && now() - ended >= age && lockOwner(lockFile({ folder }), now()) === undefined;
  });
}

/** The folder with plans and rows that assistants made, which persons can carry out too. */
export const assistantPlans = (env: Host['env']): string => join(ownState(env, 'mcp'), 'plans');

/** The files of plans of assistants that are at least `age` milliseconds old. */
export function oldAssistantFiles({ env, now }: Host, age: number): readonly string[] {
  const folder = assistantPlans(env);
  const names = existsSync(folder) && checkOwnFolder(folder) ? readdirSync(folder) : [];
  return names.map((name) => join(folder, name)).filter((file) => now() - statSync(file).mtimeMs >= age);
}
