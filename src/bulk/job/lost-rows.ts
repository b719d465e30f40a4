/** Finds what an earlier job created for rows that are no longer in a file of the same name, such as a corrected typo. */
import { basename } from 'node:path';
import type { Env } from '../../core/io.js';
import { identityOf, rowFinder } from './earlier.js';
import { wordFor } from './job-manifest.js';
import { allJobs, isSameScope, type JobFolder, journalFile } from './job-store.js';
import { Journal } from './journal.js';
import { readRows } from './rows-file.js';
import { isDone } from './states.js';

const fileOf = ({ manifest: { input } }: JobFolder): string | undefined =>
  input === null || input === '-' ? undefined : basename(input);

/** Which rows of a file a job reads. */
const partOf = ({ manifest: { reading, shard } }: JobFolder): string =>
  JSON.stringify([reading?.where, reading?.sheet, shard]);

/** The last job before this one that read the same rows of a file of the same name. */
function jobBefore(env: Env, job: JobFolder): JobFolder | undefined {
  const name = fileOf(job);
  if (name === undefined) return undefined;
  return allJobs(env)
    .filter((one) => one.manifest.id !== job.manifest.id && one.manifest.name === job.manifest.name)
    .filter((one) => fileOf(one) === name && isSameScope(one.manifest, job.manifest))
    .filter((one) => partOf(one) === partOf(job))
    .sort((a, b) => a.manifest.created.localeCompare(b.manifest.created))
    .at(-1);
}

/**
 * @param job a new create
 * @returns the word for the earlier job, and the number of its rows that are not in the new one; undefined if there are
 *   none, or if no row is in both, because the file is another one
 */
export async function lostRows(
  env: Env,
  job: JobFolder,
): Promise<{ readonly job: string; readonly rows: number } | undefined> {
  const before = job.manifest.shard === null ? jobBefore(env, job) : undefined;
  if (before === undefined) return undefined;
  const digests = readRows(before);
  const rowOf = rowFinder(readRows(job));
  const lost: number[] = [];
  for (let row = 1; row <= before.manifest.rows; row++) if (rowOf(identityOf(digests, row)) === 0) lost.push(row);
  if (lost.length === 0 || lost.length === before.manifest.rows) return undefined;
  const journal = await Journal.reading(journalFile(before), before.manifest.rows);
  try {
    const made = lost.filter((row) => isDone(journal.state(row)) && journal.outcome(row).undone === undefined);
    return made.length === 0 ? undefined : { job: wordFor(before.manifest), rows: made.length };
  } finally {
    await journal.close();
  }
}
