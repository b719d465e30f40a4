/** Writes what describes the data files of an export: schemas, the record of the run, and the manifest. */
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RESOURCES } from '../collect/resources.js';
import {
  filesOf,
  MANIFEST,
  type Manifest,
  type ManifestFacts,
  type ReadManifest,
  writeAtomically,
  writeManifest,
} from './manifest.js';
import { RUN_RECORD, type RunRecord, writeRunRecord } from './run-record.js';
import { schemaText } from './schema.js';

const namesIn = ({ resources, workbook }: Pick<Manifest, 'resources' | 'workbook'>): string[] => [
  ...Object.values(resources).flatMap((facts) => [facts.schema, ...filesOf(facts).map(({ file }) => file)]),
  ...(workbook === undefined ? [] : [workbook.file]),
];

export interface Description {
  /** The earlier export in the folder: its files that a complete export does not replace are removed. */
  readonly former: ReadManifest | undefined;
  readonly manifest: ManifestFacts;
  readonly record: RunRecord | undefined;
  /** Mode of all files, if others may read them; 0600 by default. */
  readonly mode: number | undefined;
  /** Also write a workbook, if the export is complete. */
  readonly workbook: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes schemas, record, manifest and workbook, in this order.
 * @returns the manifest, which names the workbook
 * @throws the system's error; what `writeWorkbook` throws, when the export is complete without the workbook
 */
export async function writeDescription(folder: string, description: Description): Promise<ManifestFacts> {
  const { former, manifest, record, mode, workbook, signal } = description;
  const kept = new Set(namesIn(manifest));
  const replaced = former === undefined || !manifest.complete ? [] : namesIn(former.manifest);
  for (const file of replaced) if (!kept.has(file)) await rm(join(folder, file), { force: true });
  for (const name of RESOURCES) {
    const schema = manifest.resources[name]?.schema;
    if (schema !== undefined) await writeAtomically(join(folder, schema), schemaText(name));
  }
  if (record !== undefined) await writeRunRecord(folder, record);
  await writeManifest(folder, manifest);
  let described = manifest;
  if (workbook && manifest.complete) {
    const { writeWorkbook } = await import('./write-workbook.js');
    described = { ...manifest, workbook: await writeWorkbook(folder, manifest, signal) };
    await writeManifest(folder, described);
  }
  const files = [...namesIn(described), MANIFEST, ...(record === undefined ? [] : [RUN_RECORD])];
  if (mode !== undefined) await share(folder, files, mode);
  return described;
}

/** Sets the mode of the files of an export. Who may read them may list the folder, too. */
async function share(folder: string, files: readonly string[], mode: number): Promise<void> {
  for (const file of files) await chmod(join(folder, file), mode);
  await chmod(folder, mode | ((mode & 0o444) >> 2));
}
