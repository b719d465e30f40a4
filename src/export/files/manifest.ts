/**
 * `manifest.json`: the contents of an export. It is written last and contains no time, so that exports of the same
 * data are equal byte for byte.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { replaceFile } from '../../core/fs/atomic-rename.js';
import { codeOf, describeErrno, diskFullHint, withPath } from '../../core/fs/disk-errors.js';
import { openNew } from '../../core/fs/new-file.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { isObject } from '../../core/json.js';
import { quoteForShell } from '../../core/shell.js';
import { isResource, RESOURCES, type Resource } from '../collect/resources.js';
import type { Shard } from '../collect/shard.js';
import type { FileFacts } from './data-file.js';
import { FORMATS, type Format } from './file-format.js';

export const MANIFEST = 'manifest.json';
const VERSION = 1;

export interface OrganizationFacts {
  readonly id: string;
  readonly type: string;
}

/** A list that could not be read, and why. */
export interface UnseenList {
  /** Its name in notes: `School s1`, `BOOKS`, `all schools`; empty for the resource's only list. */
  readonly list: string;
  readonly reason: string;
}

/** The files of an export of changes. `not_visible`: one of the two exports could not see whether the item exists. */
export const CHANGES = ['added', 'changed', 'removed', 'not_visible'] as const;
export type Change = (typeof CHANGES)[number];

export interface ResourceFacts {
  readonly complete: boolean;
  /** Null if the caller may not see any list of the resource, or if it is incomplete. */
  readonly file: string | null;
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string | null;
  /** With `--since`: the files of changes, instead of `file`. */
  readonly changes?: Readonly<Record<Change, FileFacts>>;
  /** Path and query of each list; after 20, only their number. */
  readonly filters: readonly string[];
  /** The file with the JSON Schema of its items. */
  readonly schema: string;
  readonly schemaSha256: string;
  /** Number of restarts of lists because of expired cursors. */
  readonly restarts: number;
  /** Lists that the caller may not see, or that were not found. */
  readonly unseen: readonly UnseenList[];
  /** Skipped lists, failures and remarks. */
  readonly notes: readonly string[];
}

/** The entries for a resource's files, those of changes in the order of `CHANGES`. */
export function filesOf({ file, count, bytes, sha256, changes }: ResourceFacts): readonly FileFacts[] {
  if (changes !== undefined) return CHANGES.map((change) => changes[change]);
  return file === null || sha256 === null ? [] : [{ file, count, bytes, sha256 }];
}

export interface Manifest {
  readonly kind: 'edu-export';
  readonly version: number;
  readonly complete: boolean;
  readonly baseUrl: string;
  /** The caller's account ID; null if unknown. */
  readonly account: string | null;
  /** The caller's own organization; null if unknown. */
  readonly organization: OrganizationFacts | null;
  /** The caller's own organization and those that it owns. */
  readonly organizations: readonly OrganizationFacts[];
  readonly format: Format;
  readonly gzip: boolean;
  /** Present if csv was written for Excel. */
  readonly excel?: true | undefined;
  /** The shard of this export; absent for a whole export. */
  readonly shard?: Shard | undefined;
  /** The language of names. */
  readonly language: string;
  /** The languages of subjects and types, if several were requested. */
  readonly languages: readonly string[];
  /** SHA-256 of the baseline's manifest; null for a whole export. */
  readonly since: string | null;
  readonly resources: Readonly<Partial<Record<Resource, ResourceFacts>>>;
}

/** Replaces a small file atomically. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  try {
    const file = await openNew(partial);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    replaceFile(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw withPath(error, path);
  }
}

export async function writeManifest(folder: string, manifest: Omit<Manifest, 'kind' | 'version'>): Promise<void> {
  const { resources, ...rest } = manifest;
  const inOrder = Object.fromEntries(
    RESOURCES.flatMap((name) => (resources[name] === undefined ? [] : [[name, resources[name]]])),
  );
  const whole = { kind: 'edu-export', version: VERSION, ...rest, resources: inOrder };
  await writeAtomically(join(folder, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`);
}

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

function textIn(folder: string): string | undefined {
  try {
    return readRegularFile(join(folder, MANIFEST), MAX_MANIFEST_BYTES);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    throw usageError(`Cannot read ${join(folder, MANIFEST)}: ${describeErrno(error)}.`, diskFullHint(error, ''));
  }
}

function parsed(text: string): ReadManifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? { manifest: value as Manifest, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a name stays within the folder, because a manifest may come from elsewhere. */
const isFileName = (name: unknown): boolean => typeof name === 'string' && /^[A-Za-z][\w.-]*$/.test(name);

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTruth: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** An object whose members with these names are valid. */
const hasAll =
  <T>(checks: { readonly [N in keyof T]-?: Check }): Check =>
  (value) =>
    isObject(value) && Object.entries<Check>(checks).every(([name, check]) => check(value[name]));

const isOrganization = hasAll<OrganizationFacts>({ id: isText, type: isText });
const isFile = hasAll<FileFacts>({ file: isFileName, count: isCount, bytes: isCount, sha256: isText });
const isResourceFacts = hasAll<ResourceFacts>({
  complete: isTruth,
  file: orNull(isFileName),
  count: isCount,
  bytes: isCount,
  sha256: orNull(isText),
  changes: optional(
    hasAll<Record<Change, FileFacts>>({ added: isFile, changed: isFile, removed: isFile, not_visible: isFile }),
  ),
  filters: listOf(isText),
  schema: isText,
  schemaSha256: isText,
  restarts: isCount,
  unseen: listOf(hasAll<UnseenList>({ list: isText, reason: isText })),
  notes: listOf(isText),
});
/** Validates every field, because a manifest may come from elsewhere. */
const isManifest = hasAll<Manifest>({
  kind: (value) => value === 'edu-export',
  version: isCount,
  complete: isTruth,
  baseUrl: isText,
  account: orNull(isText),
  organization: orNull(isOrganization),
  organizations: listOf(isOrganization),
  format: (value) => FORMATS.some((format) => format === value),
  gzip: isTruth,
  excel: optional((value) => value === true),
  shard: optional(hasAll<Shard>({ index: isCount, count: isCount })),
  language: isText,
  languages: listOf(isText),
  since: orNull(isText),
  resources: (value) =>
    isObject(value) && Object.entries(value).every(([name, facts]) => isResource(name) && isResourceFacts(facts)),
});

export interface ReadManifest {
  readonly manifest: Manifest;
  readonly text: string;
}

/** Reads the manifest of an export. @returns undefined if there is none, or it is invalid */
export async function findManifest(folder: string): Promise<ReadManifest | undefined> {
  const text = textIn(folder);
  return text === undefined ? undefined : parsed(text);
}

/** Reads the manifest of an export. @throws usage error if there is none, or it is invalid */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const path = join(folder, MANIFEST);
  const text = textIn(folder);
  if (text === undefined) {
    throw usageError(
      `${JSON.stringify(folder)} is not a completed export: ${MANIFEST} not found.`,
      `Create an export: edu export --to ${quoteForShell(folder)}`,
    );
  }
  const found = parsed(text);
  if (found === undefined) throw usageError(`${path} is not the manifest of an export.`);
  const { version } = found.manifest;
  if (version !== VERSION) throw usageError(`${path} has version ${version}, and this edu reads version ${VERSION}.`);
  return found;
}
