/** The lists of an export; independent ones are read concurrently. */
import { EduError } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { plural } from '../../core/plural.js';
import { isInShard } from '../../core/shard.js';
import type { OrganizationFacts } from '../files/manifest.js';
import { readDataFile, recordFile } from '../files/read-data-file.js';
import { exportError, isNotToSee } from './export-failures.js';
import type { Job } from './export-job.js';
import { begin, type ListFailure, type ReadOptions, reader, shortage } from './list-reader.js';
import { EXPORTED, isByOrganization, keyReader, RESOURCES, type Resource, shownKey } from './resources.js';
import { activationsOf, type Scope, type Source, sourcesOf } from './sources.js';
import { finish } from './write-resource.js';

const licenceKey = keyReader('licenses');

/** Exports a resource. @param unknown failures that hide organizations and thus their lists */
async function exportLists(
  job: Job,
  resource: Resource,
  scope: Scope,
  unknown: readonly ListFailure[] = [],
): Promise<void> {
  const reading = begin(job, resource);
  const read = reader(job, reading);
  const { resources, shard, concurrency } = job.options;
  // Each shard reads the activations of its own licences, so licences are then divided one by one, not by list.
  const isByItem = shard !== undefined && resource === 'licenses' && resources.has('activations');
  const isOfShard = ({ of }: Source) =>
    isByItem || isInShard(shard, isByOrganization(resource) ? of : `${resource} ${of}`);
  const isOwn = isByItem ? (item: unknown) => isInShard(shard, shownKey(licenceKey(item))) : undefined;
  for (const failure of unknown) {
    reading.lists++;
    (isNotToSee(failure.error, false) ? reading.skipped : reading.failed).push(failure);
  }
  const readAll = (how: ReadOptions, isWanted: (source: Source) => boolean) =>
    // One more than are read at a time, so that one is always waiting and comes before lists of the next resource.
    forEachConcurrently(sourcesOf(resource, reading.client, scope), concurrency + 1, async (source) => {
      if (isWanted(source)) await read(source, how);
    });
  await readAll({ isOwn }, isOfShard);
  if (reading.failed.length === 0 && mayMiss(job, resource, reading.lists - unknown.length)) {
    const skipped = new Set(reading.skipped.map(({ of }) => of));
    await readAll({ isOwn, isAgain: true }, (source) => isOfShard(source) && !skipped.has(source.of));
  }
  await finish(job, reading);
}

/**
 * True if an item may have moved to a list that was read before, from one that was read later. Such a list shows the item
 * when it is read again. With an earlier export, `findMissing` finds it with fewer requests.
 */
const mayMiss = ({ baseline }: Job, resource: Resource, lists: number): boolean =>
  EXPORTED[resource].movable !== undefined &&
  lists > 1 &&
  (baseline === undefined || recordFile(baseline, resource) === undefined);

/** Lists the organizations of a kind, and optionally exports them. @returns the owned ones, and failures that hide some */
async function ownedOrganizations(
  job: Job,
  resource: 'publishers' | 'schools',
  isExported: boolean,
): Promise<{ readonly owned: readonly OrganizationFacts[]; readonly unknown: readonly ListFailure[] }> {
  const type = resource === 'publishers' ? 'Publisher' : 'School';
  const ids = new Set<string>();
  const reading = begin(job, resource);
  const read = reader(job, reading);
  const scope = { language: job.options.language, languages: [], organizations: [] };
  for (const source of sourcesOf(resource, reading.client, scope)) await read(source);
  try {
    for await (const lines of reading.sorter.batches()) for (const { key } of lines) ids.add(key);
  } catch (thrown) {
    job.stop(exportError(thrown));
  }
  const unknown = [...reading.failed, ...reading.skipped].map(({ error }) => ({ of: `all ${resource}`, error }));
  const isOwn = isInShard(job.options.shard, `${resource} `);
  if (isExported && isOwn) await finish(job, reading);
  else {
    await reading.sorter.clear();
    if (isExported) await finish(job, begin(job, resource));
  }
  return { owned: [...ids].sort().map((id) => ({ id, type })), unknown };
}

/** Exports the activations of all activated licences in the file of licences. */
async function exportActivations(job: Job): Promise<void> {
  const { licences } = job;
  const reading = begin(job, 'activations');
  const failure = job.failures.get('licenses');
  if (failure !== undefined) reading.failed.push({ of: 'licences', error: failure });
  // Nobody knows which activations belong to licences that are not seen.
  for (const { list, reason } of job.done.get('licenses')?.unseen ?? []) {
    reading.lists++;
    reading.skipped.push(shortage(list, reason));
  }
  if (licences !== undefined) {
    const read = reader(job, reading);
    for await (const entries of readDataFile(licences)) {
      const running = entries.map(({ item }) => {
        // "403 […] when the licence has not yet been activated": such licences are skipped. A blank number, which is empty
        // in a csv, may mean any number.
        if (String(item.numberOfActivations) === '0') return undefined;
        return read(activationsOf(reading.client, item, job.signal));
      });
      // Not all licences at once, because they would fill the memory.
      await Promise.all(running);
    }
  }
  await finish(job, reading);
}

/** Resources that others need: organizations for the lists of each, licences for their activations. */
const LINKED: ReadonlySet<Resource> = new Set(['publishers', 'schools', 'licenses', 'activations']);

/** Exports all resources that are not complete yet. */
export async function exportAll(job: Job): Promise<void> {
  const { options, parts, journal, done, own } = job;
  const wanted = RESOURCES.filter((name) => options.resources.has(name));
  for (const name of wanted) {
    const complete = journal.complete.get(name);
    if (complete === undefined) continue;
    const { facts, run } = complete;
    done.set(name, facts);
    job.runs.set(name, { ...run, keptFrom: run.finishedAt });
  }
  const open = new Set(wanted.filter((name) => !done.has(name)));
  if (open.has('activations') && !open.has('licenses')) {
    const facts = done.get('licenses');
    // An export of changes has no file of all licences, so they are read again.
    if (options.since === undefined && facts?.complete && facts.file !== null) {
      const { folder, format } = options;
      job.licences = recordFile(
        { folder, manifest: { format, resources: { licenses: facts } } },
        'licenses',
        job.signal,
      );
    } else if (facts?.file !== null || facts.changes !== undefined) open.add('licenses');
  }
  const kept = new Map<string, string>();
  for (const name of wanted) {
    const read = journal.lists.get(name);
    if (!open.has(name)) kept.set(name, job.runs.get(name)?.finishedAt ?? '');
    else if (read !== undefined) kept.set(`${plural(read.lists.size, 'list')} of ${name}`, read.at);
  }
  if (kept.size > 0) await parts.onContinue?.(kept);
  const { language, languages } = options;
  const scope = { language, languages, organizations: [] };

  // Resources without dependencies start at once.
  const exportLicensing = async (): Promise<void> => {
    if (open.has('licenses')) await exportLists(job, 'licenses', scope);
    // An error stops the job, as in all others, so that it is not thrown while those are still awaited.
    if (open.has('activations')) await exportActivations(job).catch((thrown) => job.stop(exportError(thrown)));
  };
  const first = [
    exportLicensing(),
    ...[...open]
      .filter((name) => !LINKED.has(name) && !isByOrganization(name))
      .map((name) => exportLists(job, name, scope)),
  ];
  if (!wanted.some((name) => name === 'publishers' || name === 'schools' || isByOrganization(name))) {
    await Promise.all(first);
    return;
  }
  const [publishers, schools] = await Promise.all([
    ownedOrganizations(job, 'publishers', open.has('publishers')),
    ownedOrganizations(job, 'schools', open.has('schools')),
  ]);
  const isKnown = !(own instanceof EduError);
  const owned = [...publishers.owned, ...schools.owned].filter(({ id }) => !isKnown || id !== own.id);
  job.organizations = isKnown ? [own, ...owned] : owned;
  const unknown = isKnown ? [] : [{ of: 'own organization', error: own }];
  const rest = [...open].filter(isByOrganization).map((name) => {
    // Only schools have classes.
    const others = name === 'classes' ? [] : publishers.unknown;
    const { organizations } = job;
    return exportLists(job, name, { ...scope, organizations }, [...unknown, ...others, ...schools.unknown]);
  });
  await Promise.all([...first, ...rest]);
}
