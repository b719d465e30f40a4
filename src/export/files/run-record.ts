/** `run.json`: the time and statistics of an export, ignored by comparisons. */
import { join } from 'node:path';
import { type Checked, described, isBoolean, isCount, isText, mapOf, objectOf, orNull } from '../../core/checks.js';
import { inOrder, isResource } from '../collect/resources.js';
import { writeAtomically } from './manifest.js';

export const RUN_RECORD = 'run.json';

/** Times are ISO 8601 in UTC. */
const STATISTICS = { startedAt: isText, finishedAt: isText, requests: isCount, retries: isCount, waitedMs: isCount };

export const isResourceRun = objectOf({
  ...STATISTICS,
  restarts: isCount,
  requestId: described('ID that the service gave to the request that failed', orNull(isText)),
  keptFrom: described('When an earlier run read the resource; null if this run did', orNull(isText)),
  keptLists: described('Number of its lists that an earlier run read', isCount),
});
export type ResourceRun = Checked<typeof isResourceRun>;

export const isRunRecord = objectOf({
  version: isText,
  node: isText,
  baseUrl: isText,
  account: orNull(isText),
  traceId: described('Trace ID of the requests (W3C Trace Context)', orNull(isText)),
  /** Of the whole run, including look-ups of the account and its organization. */
  ...STATISTICS,
  complete: isBoolean,
  resources: mapOf(isResource, isResourceRun),
});
export type RunRecord = Checked<typeof isRunRecord>;

export const isoTime = (ms: number): string => new Date(ms).toISOString();

export async function writeRunRecord(folder: string, { resources, ...rest }: RunRecord): Promise<void> {
  const text = JSON.stringify({ kind: 'edu-export-run', ...rest, resources: inOrder(resources) }, null, 2);
  await writeAtomically(join(folder, RUN_RECORD), `${text}\n`);
}
