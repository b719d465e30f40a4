/** The records of applied plans in the state folder: a folder each, with lock and journal. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { BulkHost } from '../../bulk/host.js';
import { journalFile, lockFile } from '../../bulk/job/job-store.js';
import { lastRunEnd } from '../../bulk/job/journal-entry.js';
import { lockOwner } from '../../core/fs/lock.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { checkOwnFolder, ownState } from '../../settings/folders.js';
import type { Plan } from '../plan-file.js';

type Host = Pick<BulkHost, 'env' | 'now'>;

const tagOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** @throws EduError `usage` if others can write to the folder of all plans */
export const planFolder = ({ header: { service, hash, created } }: Plan, { env }: Pick<Host, 'env'>): string =>
  join(ownState(env, 'plans'), `${tagOf(service)}-${tagOf(`${hash} ${created}`)}`);

function planFolders(env: Host['env']): readonly string[] {
  const plans = ownState(env, 'plans');
  return existsSync(plans) ? readdirSync(plans).map((name) => join(plans, name)) : [];
}

/** In the folder of a plan: the name of the file with its receipt. */
const PLACE = 'receipt-file';

/** In the folder of a plan: its receipt, which stays when another plan's replaces that file. */
export const receiptIn = (folder: string): string => join(folder, 'receipt');

export const noteReceipt = (folder: string, receipt: string): void =>
  replaceContent(join(folder, PLACE), resolve(receipt));

/** The receipts of all plans that were applied on this machine, each with the file that the user knows. */
export const receiptsOf = (env: Host['env']) =>
  planFolders(env)
    .filter((folder) => existsSync(receiptIn(folder)))
    .map((folder) => ({ receipt: receiptIn(folder), place: readFileSync(join(folder, PLACE), 'utf8') }));

const isFree = (folder: string, { now }: Host): boolean => lockOwner(lockFile({ folder }), now()) === undefined;

/** The folders of the plans of a service that are not being applied. @throws EduError `usage` if others can write to the folder */
export const plansOf = (service: string, host: Host): readonly string[] =>
  planFolders(host.env).filter((folder) => basename(folder).startsWith(`${tagOf(service)}-`) && isFree(folder, host));

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
export function endedPlans(host: Host, age: number): readonly string[] {
  return planFolders(host.env).filter((folder) => {
    const ended = checkOwnFolder(folder) ? endOf(folder) : undefined;
    return ended !== undefined && host.now() - ended >= age && isFree(folder, host);
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
