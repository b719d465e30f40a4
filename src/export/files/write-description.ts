/** Writes what describes the data files of an export: schemas, the record of the run, and the manifest. */
import { chmod, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RESOURCES } from '../collect/resources.js';
import {
  type CopyFormat,
  filesOf,
  foldersOf,
  MANIFEST,
  type Manifest,
  type ManifestFacts,
  placeIn,
  type ReadManifest,
  writeAtomically,
  writeManifest,
} from './manifest.js';
import { RUN_RECORD, type RunRecord, writeRunRecord } from './run-record.js';
import { schemaText } from './schema.js';

const namesIn = ({ resources, copy }: Pick<Manifest, 'resources' | 'copy'>): string[] => [
  ...Object.values(resources).flatMap((facts) => [facts.schema, ...filesOf(facts).map(({ file }) => file)]),
  ...(copy?.files ?? []).map(({ file }) => file),
];

export interface Description {
  /** The earlier exports in the folder: their files that a complete export does not replace are removed. */
  readonly earlier: readonly ReadManifest[];
  readonly manifest: ManifestFacts;
  readonly record: RunRecord | undefined;
  /** Mode of all files, if others may read them; 0600 by default. */
  readonly mode: number | undefined;
  /** Also write the data in this format, if the export is complete. */
  readonly copy: CopyFormat | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes schemas, record, manifest and copies, in this order.
 * @returns the manifest, which names the copies
 * @throws the system's error; what `writeCopies` throws, when the export is complete without the copies
 */
export async function writeDescription(folder: string, description: Description): Promise<ManifestFacts> {
  const { earlier, manifest, record, mode, copy, signal } = description;
  const kept = new Set(namesIn(manifest));
  const replaced = manifest.complete ? earlier.flatMap((one) => namesIn(one.manifest)) : [];
  for (const file of replaced) {
    if (kept.has(file)) continue;
    await rm(placeIn(folder, file), { force: true });
    // Fails for a folder that is not empty.
    for (const inner of foldersOf(file).slice(0, -1)) await rmdir(join(folder, inner)).catch(() => {});
  }
  for (const name of RESOURCES) {
    const schema = manifest.resources[name]?.schema;
    if (schema !== undefined) await writeAtomically(join(folder, schema), schemaText(name));
  }
  if (record !== undefined) await writeRunRecord(folder, record);
  await writeManifest(folder, manifest);
  let described = manifest;
  if (copy !== undefined && manifest.complete) {
    const { writeCopies } = await import('./write-copies.js');
    described = { ...manifest, copy: { format: copy, files: await writeCopies(folder, copy, manifest, signal) } };
    await writeManifest(folder, described);
  }
  const files = [...namesIn(described), MANIFEST, ...(record === undefined ? [] : [RUN_RECORD])];
  if (mode !== undefined) await share(folder, files, mode);
  return described;
}

/** Sets the mode of the files of an export. Who may read them may list the folder, too. */
async function share(folder: string, files: readonly string[], mode: number): Promise<void> {
  for (const file of files) await chmod(join(folder, file), mode);
  const folders = new Set(files.flatMap((file) => foldersOf(file)));
  for (const inner of folders) await chmod(join(folder, inner), mode | ((mode & 0o444) >> 2));
}
