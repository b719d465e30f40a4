/** Finishes a resource: writes its files, or records why there are none. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EduError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { Sorted } from '../../core/sort/sorter.js';
import { asEduError, isWriteRefusal } from '../collect/export-failures.js';
import type { Baseline, Job } from '../collect/export-job.js';
import { factsWithoutFile, type Reading, runOf, shortage, unseenOf } from '../collect/list-reader.js';
import { EXPORTED, keyReader, type Resource } from '../collect/resources.js';
import { type Pair, unequal } from '../diff/join-files.js';
import { chooserFor, withoutConflicts } from './conflicts.js';
import { type DataFile, discard, openDataFile, PARTIAL, publish, type Target, writeDataFile } from './data-file.js';
import { type FileFormat, fileFormat, fileName } from './file-format.js';
import { CHANGES, type Change, type FileFacts, type ResourceFacts } from './manifest.js';
import { type RecordFile, RecordReader, recordFile } from './read-data-file.js';
import { lostLists, type Scope, visibilityIn } from './visibility.js';

/** Whether the other export would have seen an item that only one contains. */
interface Visibility {
  readonly inBefore: (item: JsonObject) => boolean;
  readonly inAfter: (item: JsonObject) => boolean;
}

function changeOf({ before, after }: Pair, { inBefore, inAfter }: Visibility): Change {
  if (before !== undefined && after !== undefined) return 'changed';
  if (before !== undefined) return inAfter(before.item) ? 'removed' : 'not_visible';
  return after !== undefined && inBefore(after.item) ? 'added' : 'not_visible';
}

/**
 * Writes the changes.
 * @param pairs the items that differ, in order
 * @param targetOf the file for a kind of change
 * @returns the entries for the files, and functions that rename them to their final names, or remove them
 */
async function writeChanges(
  pairs: AsyncIterable<readonly Pair[]>,
  visibility: Visibility,
  form: FileFormat,
  targetOf: (change: Change) => Target,
) {
  const opened = new Map<Change, DataFile>();
  try {
    for (const change of CHANGES) opened.set(change, await openDataFile(targetOf(change), form));
    for await (const some of pairs) {
      for (const pair of some) {
        const { line = '' } = pair.after ?? pair.before ?? {};
        await opened.get(changeOf(pair, visibility))?.add(Buffer.from(`${line}\n`));
      }
    }
    const facts: Partial<Record<Change, FileFacts>> = {};
    for (const [change, file] of opened) facts[change] = await file.end();
    return {
      facts: facts as Readonly<Record<Change, FileFacts>>,
      publish: async () => {
        for (const change of CHANGES) await publish(targetOf(change));
      },
      abandon: async () => {
        for (const change of CHANGES) await discard(targetOf(change));
      },
    };
  } catch (error) {
    for (const file of opened.values()) await file.abandon();
    throw error;
  }
}

async function sortedItems(job: Job, resource: Resource, reading: Reading, form: FileFormat): Promise<Sorted> {
  const sorted = await reading.sorter.sorted();
  if (reading.lists < 2 || EXPORTED[resource].repeats === true) return sorted;
  const note = (text: string): void => void reading.remarks.push(text);
  const choose = chooserFor(reading.client, resource, job.options.language, job.signal, form.line, note);
  return withoutConflicts(sorted, choose);
}

const scopeOf = (job: Job, resource: Resource, reading: Reading): Scope => ({
  organizations: job.organizations,
  resources: { [resource]: { file: resource, unseen: unseenOf(reading) } },
});

const writtenFile = ({ options, signal }: Job, resource: Resource, folder: string, facts: FileFacts): RecordFile => {
  return { folder, facts, format: options.format, keyOf: keyReader(EXPORTED[resource]), signal, isOwn: true };
};

/** Compares a resource with the baseline. @returns also the number of items in the earlier export */
function comparison(job: Job, resource: Resource, reading: Reading, { manifest, folder }: Baseline, after: RecordFile) {
  const before = recordFile(folder, manifest, resource, job.signal);
  const scope = scopeOf(job, resource, reading);
  const visibility: Visibility = {
    inBefore: visibilityIn(scope, manifest, resource, true),
    inAfter: visibilityIn(manifest, scope, resource, false),
  };
  const pairs = unequal(new RecordReader(before), new RecordReader(after));
  return { pairs, visibility, count: before?.facts.count ?? 0 };
}

/** @returns the error if more items were removed than allowed */
function tooManyRemoved(job: Job, resource: Resource, removed: number, count: number): EduError | undefined {
  const { maxRemoved } = job.options;
  if (maxRemoved === undefined || job.baseline === undefined) return undefined;
  const max = 'count' in maxRemoved ? maxRemoved.count : maxRemoved.share * count;
  if (removed <= max) return undefined;
  const limit = 'count' in maxRemoved ? `${maxRemoved.count}` : `${Math.round(maxRemoved.share * 10_000) / 100}%`;
  return new EduError(
    'partial',
    `${removed} of ${count} ${resource} are gone since ${job.baseline.label}, more than --max-removed ${limit}`,
    { hint: 'Run it again. If the removals are correct, run it without --max-removed.' },
  );
}

/** Writes all items of a resource. @returns its facts, or why it is incomplete */
async function writeWhole(job: Job, resource: Resource, reading: Reading): Promise<ResourceFacts | EduError> {
  const { folder, format, gzip, excel, maxRemoved } = job.options;
  const form = fileFormat(format, EXPORTED[resource].shape, excel);
  const file = fileName(resource, format, gzip);
  const target = { folder, file, gzip };
  const written = await writeDataFile(await sortedItems(job, resource, reading, form), form, target);
  const { baseline } = job;
  if (baseline !== undefined && maxRemoved !== undefined && baseline.manifest.resources[resource] !== undefined) {
    const partial = writtenFile(job, resource, folder, { ...written, file: file + PARTIAL });
    const { pairs, visibility, count } = comparison(job, resource, reading, baseline, partial);
    let removed = 0;
    for await (const some of pairs) {
      removed += some.filter((pair) => changeOf(pair, visibility) === 'removed').length;
    }
    const failure = tooManyRemoved(job, resource, removed, count);
    if (failure !== undefined) {
      await discard(target);
      return failure;
    }
  }
  await job.beforePublishing();
  await publish(target);
  if (resource === 'licenses') job.licences = writtenFile(job, resource, folder, written);
  return { ...factsWithoutFile(resource, reading, true), ...written };
}

/** Writes the changes of a resource since the baseline. @returns its facts, or why it is incomplete */
async function writeSince(
  job: Job,
  resource: Resource,
  reading: Reading,
  baseline: Baseline,
): Promise<ResourceFacts | EduError> {
  const { folder, format, gzip, excel } = job.options;
  const form = fileFormat(format, EXPORTED[resource].shape, excel);
  const file = fileName(`whole.${resource}`, format, false);
  const whole = { folder: job.work, file, gzip: false };
  const facts = await writeDataFile(await sortedItems(job, resource, reading, form), form, whole);
  await publish(whole);
  const after = writtenFile(job, resource, job.work, facts);
  if (resource === 'licenses') job.licences = after;
  const { pairs, visibility, count } = comparison(job, resource, reading, baseline, after);
  const targetOf = (change: Change) => ({ folder, file: fileName(`${resource}.${change}`, format, gzip), gzip });
  const changed = await writeChanges(pairs, visibility, form, targetOf);
  if (resource !== 'licenses' || !job.options.resources.has('activations'))
    await rm(join(job.work, file), { force: true });
  const failure = tooManyRemoved(job, resource, changed.facts.removed.count, count);
  if (failure !== undefined) {
    await changed.abandon();
    return failure;
  }
  await job.beforePublishing();
  await changed.publish();
  const isComplete = changed.facts.not_visible.count === 0;
  const sum = CHANGES.reduce((total, change) => total + changed.facts[change].count, 0);
  return { ...factsWithoutFile(resource, reading, isComplete), count: sum, changes: changed.facts };
}

/** Adds lists that only the baseline could read to the failures. */
function noteLost(job: Job, resource: Resource, reading: Reading): EduError | undefined {
  const { baseline } = job;
  if (baseline === undefined) return undefined;
  const lost = lostLists(baseline.manifest, scopeOf(job, resource, reading), resource);
  const [first] = lost;
  if (first === undefined) return undefined;
  const reasons = new Map(unseenOf(reading).map(({ list, reason }) => [list, reason]));
  for (const list of lost) {
    const reason = reasons.get(list) ?? 'no longer listed';
    reading.failed.push(shortage(list, `${baseline.label} could read it, now: ${reason}`));
  }
  const names = lost.filter((list) => list !== '').join(', ');
  const what = `${resource}${names === '' ? '' : ` of ${names}`}`;
  return new EduError('partial', `${what} cannot be read, and could be in ${baseline.label}`, {
    hint: 'Run it again. If you no longer have access, make a new export to another folder.',
  });
}

async function factsOf(job: Job, resource: Resource, reading: Reading): Promise<ResourceFacts> {
  const { strict, since } = job.options;
  const isWhollyUnseen =
    reading.lists > 0 &&
    reading.skipped.length === reading.lists &&
    // All activations may return 403 only because no licence was activated yet.
    (resource !== 'activations' || job.licences === undefined);
  const [fault] = [...reading.failed, ...(strict ? reading.skipped : [])];
  const lost = fault === undefined && !job.signal.aborted ? noteLost(job, resource, reading) : undefined;
  const cause = fault?.error ?? lost;
  if (cause !== undefined) job.failures.set(resource, cause);
  // Changes are written nevertheless, because `not_visible` describes the lost lists.
  const isUseless = lost === undefined ? cause !== undefined : since === undefined || isWhollyUnseen;
  if (job.signal.aborted || isUseless) return factsWithoutFile(resource, reading, false);
  if (isWhollyUnseen) return factsWithoutFile(resource, reading, true);
  const written =
    since === undefined || job.baseline === undefined
      ? await writeWhole(job, resource, reading)
      : await writeSince(job, resource, reading, job.baseline);
  if (!(written instanceof EduError)) return lost === undefined ? written : { ...written, complete: false };
  job.failures.set(resource, written);
  reading.failed.push(shortage('', written.message));
  return factsWithoutFile(resource, reading, false);
}

export async function finish(job: Job, resource: Resource, reading: Reading): Promise<void> {
  try {
    const facts = await factsOf(job, resource, reading);
    const run = runOf(job, reading);
    job.runs.set(resource, run);
    if (facts.complete) await job.journal.note({ resource, facts, run });
    else if (facts.changes !== undefined && !job.failures.has(resource)) {
      job.failures.set(resource, new EduError('partial', `some ${resource} are not visible in one of the two exports`));
    }
    job.done.set(resource, facts);
    job.parts.onDone?.(resource, facts);
  } catch (thrown) {
    job.stop(asEduError(thrown));
  } finally {
    // Complete lists are saved for the next run, unless one of them is too short.
    const isBrokenOff = job.signal.aborted || reading.failed.some(({ isShortage }) => isShortage !== true);
    await (isBrokenOff && !isWriteRefusal(job.signal.reason) ? reading.sorter.save() : reading.sorter.clear()).catch(
      () => {},
    );
  }
}
