/** `edu export merge`: merges the shards of an export into one folder. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import type { Machine } from '../../core/io.js';
import { isInShard, type Shard, shardName } from '../../core/shard.js';
import { compareText } from '../../core/sort/compare-text.js';
import type { Line } from '../../core/sort/sorted-run.js';
import { Sorter } from '../../core/sort/sorter.js';
import { publish, writeDataFile } from '../files/data-file.js';
import { fileFormat, fileName } from '../files/file-format.js';
import {
  MANIFEST,
  type Manifest,
  type ManifestFacts,
  type OrganizationFacts,
  type ReadManifest,
  type ResourceFacts,
  readManifest,
} from '../files/manifest.js';
import { checkFolder, checkWhole, otherOrigin } from '../files/origin.js';
import { readDataFile, recordFile } from '../files/read-data-file.js';
import { RUN_RECORD } from '../files/run-record.js';
import { organizationList } from '../files/visibility.js';
import { writeDescription } from '../files/write-description.js';
import { type Choose, withoutConflicts } from './conflicts.js';
import { inLockedFolder, manifestsIn, requireOwnFiles } from './export.js';
import type { ExportOptions, ExportParts } from './export-job.js';
import { EXPORTED, RESOURCES, type Resource } from './resources.js';

interface Part extends ReadManifest {
  readonly shard: Shard;
}

async function readPart(folder: string): Promise<Part> {
  const read = await readManifest(folder);
  const { shard, ...manifest } = read.manifest;
  if (shard === undefined) {
    throw usageError(`${folder} is not a shard.`, 'Merge exports that were made with --shard 1/3, 2/3, 3/3.');
  }
  checkWhole(read, new Set(RESOURCES));
  return { ...read, manifest, shard };
}

const settingsOf = ({ format, gzip, resources, copy }: Manifest): Readonly<Record<string, string>> => ({
  '--format': copy?.format ?? format,
  '--gzip': gzip ? 'on' : 'off',
  'the list of resources': RESOURCES.filter((name) => resources[name] !== undefined).join(', '),
});

/** The first setting that differs between two shards. */
function otherSetting(one: Manifest, other: Manifest): string | undefined {
  const [mine, theirs] = [settingsOf(one), settingsOf(other)];
  const name = Object.keys(mine).find((key) => mine[key] !== theirs[key]);
  return name && `${name} is ${mine[name]} in one, ${theirs[name]} in the other`;
}

/** @throws usage error if the shards are not all shards of one export */
function checkParts(parts: readonly Part[]): Part {
  const [first, ...others] = parts as readonly [Part, ...Part[]];
  const { count } = first.shard;
  for (const { folder, manifest, shard } of others) {
    const origin =
      shard.count === count
        ? otherOrigin(first.manifest, manifest, RESOURCES)
        : `one is of ${count} shards, the other of ${shard.count}`;
    const why = origin ?? otherSetting(first.manifest, manifest);
    if (why !== undefined) throw usageError(`Cannot merge ${first.folder} with ${folder}: ${why}.`);
  }
  const indexes = parts.map(({ shard }) => shard.index);
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !indexes.includes(index));
  if (missing.length > 0) {
    const names = missing.map((index) => shardName({ index, count })).join(', ');
    throw usageError(`Cannot merge: shard ${names} is missing.`, 'Name the folder of every shard.');
  }
  if (indexes.length !== new Set(indexes).size) throw usageError('Cannot merge: a shard is named twice.');
  return first;
}

/** @throws EduError `partial` if a shard does not know an organization whose lists it has, or all of whose kind it lists */
function organizationsOf(parts: readonly Part[]): readonly OrganizationFacts[] {
  const [own] = parts.flatMap(({ manifest: { organization } }) => organization ?? []);
  const all = new Map(parts.flatMap(({ manifest }) => manifest.organizations.map((one) => [one.id, one] as const)));
  for (const one of all.values()) {
    const kind = one.type === 'School' ? 'schools' : 'publishers';
    for (const { folder, shard, manifest } of parts) {
      const isResponsible =
        isInShard(shard, organizationList(one)) || (manifest.resources[kind] && isInShard(shard, `${kind} `));
      if (!isResponsible || manifest.organizations.some(({ id }) => id === one.id)) continue;
      throw new EduError('partial', `Cannot merge: ${folder} does not know ${organizationList(one)}.`, {
        hint: 'Organizations changed while the shards ran. Run that shard again with --fresh.',
      });
    }
  }
  const rank = ({ id, type }: OrganizationFacts): string => `${id === own?.id ? 0 : type === 'Publisher' ? 1 : 2}${id}`;
  return [...all.values()].sort((a, b) => compareText(rank(a), rank(b)));
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compareText);

function mergedFacts(parts: readonly Part[], resource: Resource): ResourceFacts {
  const facts = parts.flatMap(({ manifest }) => manifest.resources[resource] ?? []);
  const unseen = new Map(facts.flatMap((one) => one.unseen.map((list) => [list.list, list] as const)));
  return {
    ...(facts[0] as ResourceFacts),
    file: null,
    count: 0,
    bytes: 0,
    sha256: null,
    filters: distinct(facts.flatMap(({ filters }) => filters)),
    restarts: facts.reduce((sum, one) => sum + one.restarts, 0),
    unseen: [...unseen.values()].sort((a, b) => compareText(a.list, b.list)),
    notes: distinct(facts.flatMap(({ notes }) => notes)),
  };
}

/** True if no shard could read a list of a resource. A shard without any list of it has an empty file for it. */
function isUnseen(parts: readonly Part[], resource: Resource): boolean {
  const facts = parts.flatMap(({ manifest }) => manifest.resources[resource] ?? []);
  return facts.some(({ file }) => file === null) && facts.every(({ file, filters }) => !file || filters.length === 0);
}

/** Merges the files of one resource. Of an item in several shards, that of the last shard is kept. */
async function mergeResource(
  parts: readonly Part[],
  resource: Resource,
  to: string,
  work: string,
  signal: AbortSignal,
): Promise<ResourceFacts> {
  const { format, gzip } = (parts[0] as Part).manifest;
  const facts = mergedFacts(parts, resource);
  if (isUnseen(parts, resource)) return facts;
  const { shape, repeats } = EXPORTED[resource];
  const sorter = new Sorter({ folder: work, name: resource, unique: !repeats });
  for (const part of parts) {
    const own = recordFile(part, resource, signal);
    if (own === undefined) continue;
    const pass = sorter.pass();
    for await (const entries of readDataFile(own)) {
      for (const { key, line } of entries) pass.add(key, `${line}\n`);
      await pass.settle();
    }
    await pass.keep();
  }
  const notes: string[] = [];
  const keepLast: Choose = async (key, lines) => {
    notes.push(`${key}: ${lines.length} shards show it with different content; kept once`);
    return lines.at(-1) as Line;
  };
  const target = { folder: to, file: fileName(resource, format, gzip), gzip };
  const form = fileFormat(format, shape);
  const written = await writeDataFile(
    repeats ? sorter.batches() : withoutConflicts(sorter.batches(), keepLast),
    form,
    target,
  );
  await publish(target);
  await sorter.clear();
  return { ...facts, ...written, notes: [...facts.notes, ...notes] };
}

/** @throws usage error if the folders are not all shards of one export */
export async function mergeExports(
  folders: readonly string[],
  to: string,
  { signal, mode, ...machine }: Pick<ExportParts, 'signal' | keyof Machine> & Pick<ExportOptions, 'mode'>,
): Promise<ManifestFacts> {
  if (folders.some((folder) => resolve(folder) === resolve(to))) {
    throw usageError(`--to ${to} is one of the shards.`, 'Merge into a folder of its own.');
  }
  const parts: Part[] = [];
  for (const folder of folders) parts.push(await readPart(folder));
  parts.sort((a, b) => a.shard.index - b.shard.index);
  const { kind, version, copy, ...settings } = checkParts(parts).manifest;
  const present = RESOURCES.filter((name) => settings.resources[name] !== undefined);
  const lists = present.filter((name) => name !== 'account');
  if (lists.length > 0 && lists.every((name) => isUnseen(parts, name)))
    throw new EduError('forbidden', 'Cannot merge: no shard could read a list.');
  const organizations = organizationsOf(parts);
  const merged = new Set(present);
  await requireOwnFiles({ ...settings, folder: to, resources: merged });
  return inLockedFolder(to, machine, async (work) => {
    try {
      const earlier = await manifestsIn(to, work);
      checkFolder(to, earlier[0]?.manifest, settings, merged);
      // The shards have the records of how they were read.
      for (const file of [MANIFEST, RUN_RECORD]) await rm(join(to, file), { force: true });
      const resources: Partial<Record<Resource, ResourceFacts>> = {};
      for (const name of present) resources[name] = await mergeResource(parts, name, to, work, signal);
      const manifest = { ...settings, complete: true, organizations, resources };
      return await writeDescription(to, { earlier, manifest, record: undefined, mode, copy: copy?.format, signal });
    } finally {
      // Also what an unfinished export left: the merged export replaces it.
      await rm(work, { recursive: true, force: true });
    }
  });
}
