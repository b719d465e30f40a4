/** Runs `edu offline import`, which loads an export into the bundled service. */
import { statSync } from 'node:fs';
import { allJobs, lockFile, removeFolder } from '../../bulk/job/job-store.js';
import type { Context } from '../../cli/context.js';
import { OFFLINE_BASE_URL } from '../../client/transport/local.js';
import { lockOwner } from '../../core/fs/lock.js';
import { isResource } from '../../export/collect/resources.js';
import { readManifest } from '../../export/files/manifest.js';
import { readDataFile, recordFile } from '../../export/files/read-data-file.js';
import type { Import } from '../../service/import/index.js';
import { ownState } from '../../settings/own-state.js';
import { withExplainedErrors } from './service-errors.js';

/**
 * Adapts the export in a folder to the bundled service.
 * @param signal aborts the reading of items
 * @throws EduError `usage` when it cannot be loaded
 */
async function importOf(folder: string, signal: AbortSignal): Promise<Import> {
  const [{ manifest }, { requireWhole }] = await Promise.all([
    readManifest(folder),
    import('../../service/import/read-export.js'),
  ]);
  const organization = requireWhole(manifest);
  const { language, languages, organizations } = manifest;
  return {
    organization,
    organizations,
    language,
    languages,
    holds: (resource) => isResource(resource) && typeof manifest.resources[resource]?.file === 'string',
    async *items(resource) {
      const file = isResource(resource) ? recordFile({ folder, manifest }, resource, signal) : undefined;
      if (file === undefined) return;
      for await (const entries of readDataFile(file)) yield entries.map(({ item }) => item);
    },
  };
}

async function dataAt(path: string, signal: AbortSignal): Promise<Import> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return importOf(path, signal);
  const { readSource } = await import('../../service/import/read-export.js');
  return readSource(path);
}

/**
 * @param path the folder of an export, or a JSON file
 * @throws EduError `usage` when it cannot be loaded
 */
export async function load(path: string, context: Context): Promise<void> {
  const { importState } = await import('../../service/import/index.js');
  const target = ownState(context.env, 'offline');
  await withExplainedErrors(async () => {
    const data = await dataAt(path, context.signal);
    await context.during(`Loading ${path}`, importState(target, data, context.now()));
  }, `Cannot load ${path}: `);
  await context.say(`The bundled service now contains the data of ${path}. Use it with --offline or EDU_OFFLINE=1.`);
  await forgetOfflineJobs(context);
}

/** Keeps jobs that are being run. */
export async function forgetOfflineJobs(context: Context): Promise<void> {
  const jobs = allJobs(context.env).filter(
    (job) => job.manifest.baseUrl === OFFLINE_BASE_URL && lockOwner(lockFile(job), context.now()) === undefined,
  );
  for (const { folder } of jobs) removeFolder(folder);
  if (jobs.length === 0) return;
  await context.say(`Removed with the former data: ${jobs.length === 1 ? '1 bulk job' : `${jobs.length} bulk jobs`}.`);
}
