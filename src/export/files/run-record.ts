/** `run.json`: the time and statistics of an export, ignored by comparisons. */
import { join } from 'node:path';
import { inOrder, type Resource } from '../collect/resources.js';
import { writeAtomically } from './manifest.js';

export const RUN_RECORD = 'run.json';

/** Statistics of a resource. Times are ISO 8601 in UTC. */
export interface ResourceRun {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly requests: number;
  readonly retries: number;
  readonly waitedMs: number;
  readonly restarts: number;
  /** When an earlier run read the resource; null if this run did. */
  readonly keptFrom: string | null;
  /** Number of its lists that an earlier run read. */
  readonly keptLists: number;
}

export interface RunRecord {
  readonly version: string;
  readonly node: string;
  readonly baseUrl: string;
  readonly account: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly complete: boolean;
  /** Of the whole run, including look-ups of the account and its organization. */
  readonly requests: number;
  readonly retries: number;
  readonly waitedMs: number;
  readonly resources: Readonly<Partial<Record<Resource, ResourceRun>>>;
}

export const isoTime = (ms: number): string => new Date(ms).toISOString();

export async function writeRunRecord(folder: string, { resources, ...rest }: RunRecord): Promise<void> {
  const text = JSON.stringify({ kind: 'edu-export-run', ...rest, resources: inOrder(resources) }, null, 2);
  await writeAtomically(join(folder, RUN_RECORD), `${text}\n`);
}
