/** Runs `edu offline import`: reads an export, and lets the bundled service load it. */
import { join } from 'node:path';
import { textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { EduError, usageError } from '../../core/errors.js';
import { EXPORTED, isResource, keyReader, RESOURCES } from '../../export/collect/resources.js';
import { readManifest } from '../../export/files/manifest.js';
import { readDataFile } from '../../export/files/read-data-file.js';
import type { Import } from '../../service/import/index.js';
import { stateFolder } from '../../settings/folders.js';

/**
 * The export in a folder, as the service wants it.
 * @param signal ends the reading of its items with its reason
 * @throws usage error when it can't be loaded
 */
async function importOf(folder: string, signal: AbortSignal): Promise<Import> {
  const { manifest } = await readManifest(folder);
  const { format, language, languages, organization, organizations, since } = manifest;
  if (since !== null) {
    throw usageError(`${folder} holds changes only.`, 'Load a whole export, made without --since.');
  }
  if (manifest.shard !== undefined) {
    throw usageError(`${folder} is one shard of an export.`, 'Merge all of them: edu export merge A B --to DIR');
  }
  if (format === 'csv') {
    throw usageError(`${folder} is csv, which has no nesting.`, 'Load an export made with --format ndjson or json.');
  }
  const broken = RESOURCES.filter((name) => manifest.resources[name]?.complete === false);
  if (broken.length > 0) throw usageError(`${folder} is not complete: ${broken.join(', ')}.`, 'Run its export again.');
  if (organization === null) throw usageError(`${folder} does not say whose export it is.`);
  return {
    organization,
    organizations,
    language,
    languages,
    holds: (resource) => isResource(resource) && typeof manifest.resources[resource]?.file === 'string',
    async *items(resource) {
      const facts = isResource(resource) ? manifest.resources[resource] : undefined;
      if (!isResource(resource) || facts === undefined || facts.file === null || facts.sha256 === null) return;
      const { file, count, bytes, sha256 } = facts;
      const key = keyReader(EXPORTED[resource]);
      for await (const entries of readDataFile(folder, { file, count, bytes, sha256 }, format, key, signal)) {
        yield entries.map(({ item }) => item);
      }
    },
  };
}

/** What the store says about data that does not fit, in our words. */
function explained(error: unknown, folder: string): unknown {
  if (error instanceof EduError || !(error instanceof Error)) return error;
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  if (error.name === 'StateError') return new EduError('internal', `${error.message}.`, { hint, cause: error });
  if (!/UNIQUE constraint/.test(error.message)) return error;
  return new EduError('internal', `Cannot load ${folder}: two items share a unique value (${error.message}).`, {
    hint: 'The bundled service is as it was.',
    cause: error,
  });
}

/** Loads an export into the bundled service. */
export async function importExport(values: Values, context: Context): Promise<void> {
  const folder = textOf(values, 'dir');
  if (folder === undefined)
    throw usageError('DIR is missing: the folder of the export.', 'Write it as: edu offline import DIR');
  const data = await importOf(folder, context.signal);
  const { importState } = await import('../../service/import/index.js');
  const target = join(stateFolder(context.env), 'offline');
  try {
    await context.during(`Loading ${folder}`, importState(target, data, context.now()));
  } catch (error) {
    throw explained(error, folder);
  }
  await context.say(`The bundled service holds the data of ${folder}. Use it with --offline or EDU_OFFLINE=1.`);
  await (await import('./offline-jobs.js')).forgetOfflineJobs(context);
}
