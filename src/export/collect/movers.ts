/** Finds items that moved from one list to another while the lists were read, so that neither showed them. */
import type { Client } from '../../client/request/client.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import type { Line } from '../../core/sort/sorted-run.js';
import { unequal } from '../diff/join-files.js';
import { fileFormat } from '../files/file-format.js';
import { readDataFile, recordFile } from '../files/read-data-file.js';
import { changesBetween } from '../files/visibility.js';
import { exportError, HOPELESS } from './export-failures.js';
import type { Job } from './export-job.js';
import { type Reading, scopeOf } from './list-reader.js';
import { EXPORTED } from './resources.js';

/** An item that was read by its ID; `gone` if there is none, `hidden` if the caller may not see it. */
export type Fate = { readonly item: unknown } | 'gone' | 'hidden';

/** Reads an item by its ID. @throws EduError if the service does not tell whether it exists */
export async function fateOf(client: Client, endpoint: Endpoint, id: string, signal: AbortSignal): Promise<Fate> {
  try {
    return { item: await client.call(endpoint, { params: { id } } as never, { signal }) };
  } catch (error) {
    if (isKind(error, 'not_found')) return 'gone';
    if (isKind(error, 'forbidden')) return 'hidden';
    throw error;
  }
}

/** The lines of a sorter as texts without line breaks. */
async function* listed(batches: AsyncIterable<readonly Line[]>) {
  for await (const batch of batches) yield batch.map(({ key, line }) => ({ key, line: line.toString().slice(0, -1) }));
}

/**
 * Reads the items of the earlier export that no list shows any more by their IDs, before they count as removed. Those that
 * exist are added, those that the caller may not see are recorded as hidden.
 */
export async function findMissing(job: Job, reading: Reading): Promise<void> {
  const { baseline, options, signal } = job;
  const { resource, client, sorter, hidden, failed, remarks } = reading;
  const { movable, shape } = EXPORTED[resource];
  const before = baseline && recordFile(baseline, resource, signal);
  if (movable === undefined || baseline === undefined || before === undefined) return;
  const { line } = fileFormat(options.format, shape);
  const changeOf = changesBetween(baseline.manifest, scopeOf(job, reading), resource);
  const pass = sorter.pass();
  const check = async (id: string): Promise<void> => {
    if (signal.aborted || failed.length > 0) return;
    try {
      const fate = await fateOf(client, movable, id, signal);
      if (fate === 'gone') return;
      if (fate === 'hidden') hidden.add(id);
      else pass.add(id, line(fate.item));
      const how = fate === 'hidden' ? 'not allowed (403) by its ID' : 'read by its ID';
      remarks.push(`${id}: in no list when it was read; ${how}`);
    } catch (thrown) {
      const error = exportError(thrown);
      if (HOPELESS.has(error.kind)) job.stop(error);
      failed.push({ of: id, error });
    }
  };
  for await (const pairs of unequal(readDataFile(before), listed(sorter.batches()))) {
    const missing = pairs.flatMap(({ before: one, after }) =>
      one && after === undefined && changeOf({ before: one, after }) === 'removed' ? [one.key] : [],
    );
    await Promise.all(missing.map((id) => job.limit(() => check(id))));
    await pass.settle();
  }
  remarks.sort();
  await pass.keep();
}
