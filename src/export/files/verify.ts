/** Verifies an export against its manifest: files, numbers of items, and bytes. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES, type Resource } from '../collect/resources.js';
import { type FileFacts, filesOf, type Manifest, readManifest } from './manifest.js';
import { digest, fileOf, readDataFile } from './read-data-file.js';

export interface Verified {
  readonly resource: string;
  /** Null if the manifest has no file: the resource was not visible or is incomplete. */
  readonly file: string | null;
  readonly items: number;
  /** Undefined if the file is intact. */
  readonly problem: string | undefined;
}

const MAX_SCHEMA_BYTES = 1024 * 1024;

/** The problem of the bytes of a file. */
async function bytesProblem(
  folder: string,
  facts: Pick<FileFacts, 'file' | 'bytes' | 'sha256'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = join(folder, facts.file);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return 'it is a symbolic link';
  const found = await digest(path, facts.bytes + 1, signal);
  if (found === undefined) return 'the file is not there';
  if (found.bytes > facts.bytes) return `it has more than ${facts.bytes} bytes`;
  if (found.bytes !== facts.bytes) return `it has ${found.bytes} bytes, not ${facts.bytes}`;
  return found.sha256 === facts.sha256 ? undefined : 'its bytes are not those that were written (sha256)';
}

async function problemOf(
  folder: string,
  manifest: Manifest,
  resource: Resource,
  facts: FileFacts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const problem = await bytesProblem(folder, facts, signal);
  if (problem !== undefined) return problem;
  let count = 0;
  try {
    const file = fileOf(resource, { folder, facts, format: manifest.format, signal });
    // Reading the keys parses the items.
    for await (const entries of readDataFile(file)) count += entries.map(({ key }) => key).length;
  } catch {
    signal.throwIfAborted();
    // Unparsable items are not counted, so the comparison below reports them.
  }
  return count === facts.count ? undefined : `it has ${count} items, not ${facts.count}`;
}

/** @param signal aborts with its reason @throws usage error if the folder is not an export */
export async function verify(folder: string, signal: AbortSignal): Promise<readonly Verified[]> {
  const { manifest } = await readManifest(folder);
  const files: Verified[] = [];
  for (const resource of RESOURCES) {
    const facts = manifest.resources[resource];
    if (facts === undefined) continue;
    const schema = await digest(join(folder, facts.schema), MAX_SCHEMA_BYTES, signal);
    if (schema?.sha256 !== facts.schemaSha256) {
      const problem = schema === undefined ? 'the file is not there' : 'it is not the schema that was written (sha256)';
      files.push({ resource, file: facts.schema, items: 0, problem });
    }
    if (!facts.complete) {
      files.push({ resource, file: null, items: 0, problem: `not complete: ${facts.notes[0] ?? 'it was broken off'}` });
      continue;
    }
    for (const one of filesOf(facts)) {
      const problem = await problemOf(folder, manifest, resource, one, signal);
      files.push({ resource, file: one.file, items: one.count, problem });
    }
    if (filesOf(facts).length === 0) files.push({ resource, file: null, items: 0, problem: undefined });
  }
  for (const copy of manifest.copy?.files ?? []) {
    const problem = await bytesProblem(folder, copy, signal);
    files.push({ resource: copy.resource, file: copy.file, items: copy.count ?? 0, problem });
  }
  return files;
}
