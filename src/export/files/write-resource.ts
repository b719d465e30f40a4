/** The end of a resource: its file, or why there is none. */
import { join } from 'node:path';
import { asEduError } from '../collect/export-failures.js';
import type { Job } from '../collect/export-job.js';
import { factsWithoutFile, type Reading } from '../collect/list-reader.js';
import { EXPORTED, keyReader, type Resource } from '../collect/resources.js';
import { writeChanges } from '../collect/since.js';
import type { Sorted } from '../sort/sorter.js';
import { type FileFacts, publish, type Target, writeDataFile } from './data-file.js';
import { type FileFormat, fileFormat, fileName } from './file-format.js';
import { CHANGES, type ResourceFacts } from './manifest.js';
import { readDataFile } from './read-data-file.js';

/** Writes what was read of a resource, whole or what changed. */
async function write(job: Job, resource: Resource, reading: Reading): Promise<ResourceFacts> {
  const { options, since } = job;
  const { folder, format, gzip } = options;
  const exported = EXPORTED[resource];
  const form = fileFormat(format, exported.shape);
  const facts = factsWithoutFile(resource, reading, true);
  const sorted = await reading.sorter.sorted();
  if (since === undefined) {
    const file = fileName(resource, format, gzip);
    const target = { path: join(folder, file), file, gzip };
    const written = await writeDataFile(sorted, form, target);
    await job.beforePublishing();
    await publish(target);
    if (resource === 'licenses') job.licences = { folder, facts: written };
    return { ...facts, ...written };
  }
  if (resource === 'licenses' && options.resources.has('activations')) {
    const file = fileName('whole', format, false);
    const target = { path: join(job.work, file), file, gzip: false };
    job.licences = { folder: job.work, facts: await copyOf(sorted, form, target) };
  }
  const before = since.manifest.resources[resource];
  const earlier =
    before?.file == null || before.sha256 === null
      ? noEntries()
      : readDataFile(options.since ?? '', fileFactsOf(before), since.manifest.format, keyReader(exported));
  const named = (change: string): string => fileName(`${resource}.${change}`, format, gzip);
  const { facts: changes, publish: publishAll } = await writeChanges(sorted, earlier, form, folder, gzip, named);
  await job.beforePublishing();
  await publishAll();
  return { ...facts, count: CHANGES.reduce((sum, change) => sum + changes[change].count, 0), changes };
}

/** A file of all lines, while the lines themselves are still needed. */
async function copyOf(sorted: Sorted, form: FileFormat, target: Target): Promise<FileFacts> {
  const facts = await writeDataFile({ ...sorted, whole: undefined }, form, target);
  await publish(target);
  return facts;
}

async function* noEntries(): AsyncGenerator<never> {}

/** @throws TypeError for facts without a file */
export function fileFactsOf({ file, count, bytes, sha256 }: ResourceFacts): FileFacts {
  if (file === null || sha256 === null) throw new TypeError('there is no file');
  return { file, count, bytes, sha256 };
}

/** Ends a resource: its file, or why there is none. */
export async function finish(job: Job, resource: Resource, reading: Reading): Promise<void> {
  const { strict } = job.options;
  const { skipped, failed, sorter } = reading;
  try {
    const [cause] = [...failed, ...(strict ? skipped : [])];
    let facts: ResourceFacts;
    if (job.signal.aborted || cause !== undefined) {
      facts = factsWithoutFile(resource, reading, false);
      if (cause !== undefined) job.failures.set(resource, cause.error);
    } else if (
      reading.lists > 0 &&
      skipped.length === reading.lists &&
      // Of known licences, all may be refused because none was activated yet.
      (resource !== 'activations' || job.licences === undefined)
    ) {
      facts = factsWithoutFile(resource, reading, true);
      await job.state.note(resource, facts);
    } else {
      facts = await write(job, resource, reading);
      await job.state.note(resource, facts);
    }
    job.done.set(resource, facts);
    job.parts.onDone?.(resource, facts);
  } catch (thrown) {
    const error = asEduError(thrown);
    job.stop(error);
  } finally {
    await sorter.clear().catch(() => {});
  }
}
