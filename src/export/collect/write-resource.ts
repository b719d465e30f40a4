/** Finishes a resource: writes its files, or records why there are none. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EduError } from '../../core/errors.js';
import { grouped } from '../../core/maps.js';
import { plural } from '../../core/plural.js';
import { type Pair, unequal } from '../diff/join-files.js';
import { type DataFile, openDataFile, PARTIAL, publish, type Target, writeDataFile } from '../files/data-file.js';
import { type FileFormat, fileFormat, fileName } from '../files/file-format.js';
import { CHANGES, type Change, type FileFacts, type ResourceFacts } from '../files/manifest.js';
import { fileOf, type RecordFile, readDataFile, recordFile } from '../files/read-data-file.js';
import { isoTime, type ResourceRun } from '../files/run-record.js';
import { changesBetween, lostLists } from '../files/visibility.js';
import { chooserFor, withoutConflicts } from './conflicts.js';
import { exportError, isWriteRefusal } from './export-failures.js';
import type { Baseline, Job } from './export-job.js';
import { factsWithoutFile, type Reading, scopeOf, shortage, unseenOf } from './list-reader.js';
import { findMissing } from './movers.js';
import { EXPORTED, type Resource } from './resources.js';

/** Writes the changes under partial names. @param targetOf the file for a kind of change */
async function writeChanges(
  { pairs, changeOf }: ReturnType<typeof comparison>,
  form: FileFormat,
  targetOf: (change: Change) => Target,
): Promise<Readonly<Record<Change, FileFacts>>> {
  const opened = new Map<Change, DataFile>();
  try {
    for (const change of CHANGES) opened.set(change, await openDataFile(targetOf(change), form));
    for await (const some of pairs) {
      const changed = grouped(some, (pair) => [changeOf(pair)]);
      for (const [change, file] of opened)
        await file.add(
          (changed.get(change) ?? []).map(({ before, after }) => Buffer.from(`${(after ?? before)?.line}\n`)),
        );
    }
    const facts: Partial<Record<Change, FileFacts>> = {};
    for (const [change, file] of opened) facts[change] = await file.end();
    return facts as Readonly<Record<Change, FileFacts>>;
  } catch (error) {
    for (const file of opened.values()) await file.abandon();
    throw error;
  }
}

/** Writes all items of a resource under a partial name. */
async function writeItems(job: Job, reading: Reading, form: FileFormat, target: Target) {
  const lines = reading.sorter.batches();
  const mayConflict = !EXPORTED[reading.resource].repeats;
  return writeDataFile(
    mayConflict ? withoutConflicts(lines, chooserFor(job, reading, form.line)) : lines,
    form,
    target,
  );
}

/** A file that this run wrote, under its partial name unless it is published. */
const ownFile = ({ options, signal }: Job, resource: Resource, folder: string, facts: FileFacts): RecordFile =>
  fileOf(resource, { folder, facts, format: options.format, signal });

/** The items that differ from the baseline, and the number of items in it. */
function comparison(job: Job, reading: Reading, baseline: Baseline, after: RecordFile) {
  const { resource } = reading;
  const before = recordFile(baseline, resource, job.signal);
  const changeOf = changesBetween(baseline.manifest, scopeOf(job, reading), resource);
  return {
    pairs: unequal(readDataFile(before), readDataFile(after)),
    changeOf: (pair: Pair): Change => {
      const change = changeOf(pair);
      return change === 'removed' && reading.hidden.has(pair.before?.key ?? '') ? 'not_visible' : change;
    },
    count: before?.facts.count ?? 0,
  };
}

/** @returns the error if more items were removed than allowed */
function tooManyRemoved(
  { options: { maxRemoved } }: Job,
  { label }: Baseline,
  resource: Resource,
  removed: number,
  count: number,
): EduError | undefined {
  if (maxRemoved === undefined) return undefined;
  const isCount = 'count' in maxRemoved;
  if (removed <= (isCount ? maxRemoved.count : maxRemoved.share * count)) return undefined;
  const limit = isCount ? `${maxRemoved.count}` : `${Math.round(maxRemoved.share * 10_000) / 100}%`;
  const message = `${removed} of ${count} ${resource} were removed since ${label}, more than --max-removed ${limit}`;
  const hint = 'If the removals are correct, run it without --max-removed.';
  return new EduError('partial', message, { hint });
}

/** Writes all items of a resource. @returns its facts, or why it is incomplete */
async function writeWhole(job: Job, reading: Reading): Promise<ResourceFacts | EduError> {
  const { resource } = reading;
  const { baseline, options } = job;
  const { folder, format, gzip, maxRemoved } = options;
  const form = fileFormat(format, EXPORTED[resource].shape);
  const target = { folder, file: fileName(resource, format, gzip), gzip };
  const written = await writeItems(job, reading, form, target);
  if (baseline !== undefined && maxRemoved !== undefined && baseline.manifest.resources[resource] !== undefined) {
    const partial = ownFile(job, resource, folder, { ...written, file: target.file + PARTIAL });
    const { pairs, changeOf, count } = comparison(job, reading, baseline, partial);
    let removed = 0;
    for await (const some of pairs) removed += some.filter((pair) => changeOf(pair) === 'removed').length;
    const failure = tooManyRemoved(job, baseline, resource, removed, count);
    if (failure !== undefined) return failure;
  }
  reading.written.push(target);
  if (resource === 'licenses') job.licences = ownFile(job, resource, folder, written);
  return { ...factsWithoutFile(reading, true), ...written };
}

/** Writes the changes of a resource since the baseline. @returns its facts, or why it is incomplete */
async function writeSince(job: Job, reading: Reading, baseline: Baseline): Promise<ResourceFacts | EduError> {
  const { resource } = reading;
  const { work, options } = job;
  const { folder, format, gzip, resources } = options;
  const form = fileFormat(format, EXPORTED[resource].shape);
  const whole = { folder: work, file: fileName(`whole.${resource}`, format, false), gzip: false };
  const after = ownFile(job, resource, work, await writeItems(job, reading, form, whole));
  await publish(whole);
  if (resource === 'licenses') job.licences = after;
  const compared = comparison(job, reading, baseline, after);
  const targetOf = (change: Change) => ({ folder, file: fileName(`${resource}.${change}`, format, gzip), gzip });
  const changes = await writeChanges(compared, form, targetOf);
  if (resource !== 'licenses' || !resources.has('activations')) await rm(join(work, whole.file), { force: true });
  const failure = tooManyRemoved(job, baseline, resource, changes.removed.count, compared.count);
  if (failure !== undefined) return failure;
  reading.written.push(...CHANGES.map(targetOf));
  const count = CHANGES.reduce((sum, change) => sum + changes[change].count, 0);
  const hidden = changes.not_visible;
  if (hidden.count > 0)
    reading.remarks.push(`${plural(hidden.count, 'item')} that only one of the two exports can read: ${hidden.file}`);
  return { ...factsWithoutFile(reading, hidden.count === 0), count, changes };
}

/** Adds lists that only the baseline could read to the failures. */
function noteLost(job: Job, reading: Reading): EduError | undefined {
  const { resource } = reading;
  const { baseline } = job;
  const lost = baseline === undefined ? [] : lostLists(baseline.manifest, scopeOf(job, reading), resource);
  if (baseline === undefined || lost.length === 0) return undefined;
  const reasons = new Map(unseenOf(reading).map(({ list, reason }) => [list, reason]));
  for (const list of lost) {
    const reason = reasons.get(list) ?? 'no longer listed';
    reading.failed.push(shortage(list, `${baseline.label} could read it, now: ${reason}`));
  }
  const names = lost.filter((list) => list !== '').join(', ');
  const what = `${resource}${names === '' ? '' : ` of ${names}`}`;
  return new EduError('partial', `${what} cannot be read, and could be in ${baseline.label}`, {
    hint: 'If you no longer have access, make a new export to another folder.',
  });
}

async function factsOf(job: Job, reading: Reading): Promise<ResourceFacts> {
  const { resource } = reading;
  const { strict, since } = job.options;
  if (reading.failed.length === 0 && !job.signal.aborted) await findMissing(job, reading);
  const isWhollyUnseen =
    reading.lists > 0 &&
    reading.skipped.length === reading.lists &&
    // All activations may return 403 only because no licence was activated yet.
    (resource !== 'activations' || job.licences === undefined);
  const [fault] = [...reading.failed, ...(strict ? reading.skipped : [])];
  const lost = fault === undefined && !job.signal.aborted ? noteLost(job, reading) : undefined;
  const cause = fault?.error ?? lost;
  if (cause !== undefined) job.failures.set(resource, cause);
  // Changes are written nevertheless, because `not_visible` describes the lost lists.
  const isUseless = lost === undefined ? cause !== undefined : since === undefined || isWhollyUnseen;
  if (job.signal.aborted || isUseless) return factsWithoutFile(reading, false);
  if (isWhollyUnseen) return factsWithoutFile(reading, true);
  const written =
    since === undefined || job.baseline === undefined
      ? await writeWhole(job, reading)
      : await writeSince(job, reading, job.baseline);
  if (!(written instanceof EduError)) return lost === undefined ? written : { ...written, complete: false };
  job.failures.set(resource, written);
  reading.failed.push(shortage('', written.message));
  return factsWithoutFile(reading, false);
}

/** Writes the files of a resource whose lists were read, and records its facts and run. Never throws: an error stops the job. */
export async function finish(job: Job, reading: Reading): Promise<void> {
  const { resource } = reading;
  try {
    const facts = await factsOf(job, reading);
    const run: ResourceRun = {
      startedAt: isoTime(reading.startedAt),
      finishedAt: isoTime(job.parts.now()),
      ...reading.traffic,
      restarts: reading.restarts,
      requestId: job.failures.get(resource)?.requestId ?? null,
      keptFrom: null,
      keptLists: reading.kept.size,
    };
    job.runs.set(resource, run);
    // Lists that may not be read are tried again by the next run.
    const isRead = facts.file !== null || facts.changes !== undefined;
    // Before the files are replaced, so that the journal always describes them.
    if (facts.complete && isRead) await job.journal.note({ resource, facts, run });
    else if (facts.changes !== undefined && !job.failures.has(resource)) {
      job.failures.set(resource, new EduError('partial', `some ${resource} are not visible in one of the two exports`));
    }
    if (reading.written.length > 0) await job.beforePublishing();
    for (const target of reading.written) await publish(target);
    job.done.set(resource, facts);
    await job.parts.onDone?.(resource, facts);
  } catch (thrown) {
    job.stop(exportError(thrown));
  } finally {
    // Complete lists are saved for the next run, unless one of them is too short.
    const isBrokenOff = job.signal.aborted || reading.failed.some(({ isShortage }) => isShortage !== true);
    await (isBrokenOff && !isWriteRefusal(job.signal.reason) ? reading.sorter.save() : reading.sorter.clear()).catch(
      () => {},
    );
  }
}
