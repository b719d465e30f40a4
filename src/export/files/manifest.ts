/** `manifest.json`: the contents of an export, without a time, so that those of equal data are equal. */
import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Check,
  type Checked,
  checkOf,
  described,
  isBoolean,
  isCount,
  isOneOf,
  isText,
  listOf,
  mapOf,
  objectOf,
  optional,
  orNull,
} from '../../core/checks.js';
import { usageError } from '../../core/errors.js';
import { codeOf, describeErrno, diskFullHint, onFile } from '../../core/fs/disk-errors.js';
import { NO_FOLLOW, readRegularFile } from '../../core/fs/regular-file.js';
import { checkOwner, isLink } from '../../core/fs/trusted-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { shellLine } from '../../core/shell.js';
import { inOrder, isResource } from '../collect/resources.js';
import { FORMATS } from './file-format.js';

export const MANIFEST = 'manifest.json';
const VERSION = 1;

const isOrganization = objectOf({ id: isText, type: isText });
export type OrganizationFacts = Checked<typeof isOrganization>;

const isUnseenList = objectOf({
  list: described("Its name in notes: `School s1`, `BOOKS`, `all schools`; empty for the resource's only list", isText),
  reason: isText,
});
export type UnseenList = Checked<typeof isUnseenList>;

export const textLike = (pattern: RegExp): Check<string> =>
  checkOf({ type: 'string', pattern: pattern.source }, (text): text is string => isText(text) && pattern.test(text));

/** True if a name stays within the folder. */
const isFileName = textLike(/^[A-Za-z][\w.-]*$/);

const isFile = objectOf({
  file: isFileName,
  count: isCount,
  bytes: described('Size on disk', isCount),
  sha256: described('Of the file as stored, in hex', isText),
});
export type FileFacts = Checked<typeof isFile>;

/** Formats that are written from the data files of an export, once these are complete. */
export const COPY_FORMATS = ['xlsx', 'parquet'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** True if a path of a copy, such as `licenses/shard=3/part-0.parquet`, stays within the folder. */
const isPath = textLike(/^[A-Za-z][\w.-]*(\/[A-Za-z][\w.=-]*)*$/);

const isCopy = objectOf({
  file: isPath,
  /** `all` for a workbook. */
  resource: isText,
  /** Number of rows; null for a workbook. */
  count: orNull(isCount),
  bytes: isCount,
  sha256: isText,
});
export type CopyFacts = Checked<typeof isCopy>;

/** The files of an export of changes. `not_visible`: one of the two exports could not see whether the item exists. */
export const CHANGES = ['added', 'changed', 'removed', 'not_visible'] as const;
export type Change = (typeof CHANGES)[number];

export const isResourceFacts = objectOf({
  complete: isBoolean,
  file: described(
    'Null if the caller may not see any list of the resource, or if it is incomplete',
    orNull(isFileName),
  ),
  count: isCount,
  bytes: isCount,
  sha256: orNull(isText),
  changes: described(
    'With `--since`: the files of changes, instead of `file`',
    optional(objectOf({ added: isFile, changed: isFile, removed: isFile, not_visible: isFile })),
  ),
  filters: described('Path and query of the lists; {id} for each organization or licence', listOf(isText)),
  schema: described('The file with the JSON Schema of its items', isFileName),
  schemaSha256: isText,
  restarts: described('Number of restarts of lists because of expired cursors', isCount),
  unseen: described('Lists that the caller may not see, or that were not found', listOf(isUnseenList)),
  notes: described('Skipped lists, failures and remarks', listOf(isText)),
});
export type ResourceFacts = Checked<typeof isResourceFacts>;

/** The entries for a resource's files, those of changes in the order of `CHANGES`. */
export function filesOf({ file, count, bytes, sha256, changes }: ResourceFacts): readonly FileFacts[] {
  if (changes !== undefined) return CHANGES.map((change) => changes[change]);
  return file === null || sha256 === null ? [] : [{ file, count, bytes, sha256 }];
}

/** The service, account and organization of an export. */
export const OWNER = {
  baseUrl: isText,
  account: described("The caller's account ID; null if unknown", orNull(isText)),
  organization: described("The caller's own organization; null if unknown", orNull(isOrganization)),
};

export const isManifest = objectOf({
  kind: isOneOf(['edu-export']),
  version: isCount,
  complete: isBoolean,
  ...OWNER,
  organizations: described("The caller's own organization and those that it owns", listOf(isOrganization)),
  format: isOneOf(FORMATS),
  gzip: isBoolean,
  shard: described(
    'The shard of this export; absent for a whole export',
    optional(objectOf({ index: isCount, count: isCount })),
  ),
  language: isText,
  languages: described('The languages of subjects and types, if several were requested', listOf(isText)),
  since: described("SHA-256 of the baseline's manifest; null for a whole export", orNull(isText)),
  copy: described(
    'The format of the copies of the data files, if one was asked for, and the files',
    optional(objectOf({ format: isOneOf(COPY_FORMATS), files: listOf(isCopy) })),
  ),
  resources: mapOf(isResource, isResourceFacts),
});
export type Manifest = Checked<typeof isManifest>;

/** The folders that hold a file, the innermost first and the export's own, `.`, last. */
export const foldersOf = (file: string): readonly string[] =>
  file === '.' ? [] : [dirname(file), ...foldersOf(dirname(file))];

/**
 * The path of a file in an export.
 * @throws usage error if a folder within the export is a link, which may lead anywhere, or one of another user's than the
 *   export's, who could replace its files
 */
export function placeIn(folder: string, file: string): string {
  for (const inner of foldersOf(file).slice(0, -1)) {
    const path = join(folder, inner);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) throw isLink(path, usageError);
    if (stats !== undefined && stats.uid !== statSync(folder).uid) checkOwner(path, stats, usageError);
  }
  return join(folder, file);
}

/** Replaces a small file atomically. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  onFile(path, () => replaceContent(path, text, { flush: true }));
}

/** What an export decides of its manifest. */
export type ManifestFacts = Omit<Manifest, 'kind' | 'version'>;

export async function writeManifest(folder: string, { resources, ...rest }: ManifestFacts): Promise<void> {
  const whole = { kind: 'edu-export', version: VERSION, ...rest, resources: inOrder(resources) };
  await writeAtomically(join(folder, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`);
}

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

function textIn(folder: string): string | undefined {
  try {
    return readRegularFile(join(folder, MANIFEST), MAX_MANIFEST_BYTES, NO_FOLLOW);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    throw usageError(
      `Cannot read ${join(folder, MANIFEST)}: ${describeErrno(error)}.`,
      diskFullHint(error, 'Name another folder.'),
    );
  }
}

function parsed(folder: string, text: string): ReadManifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    return isManifest(manifest) ? { folder, manifest, text } : undefined;
  } catch {
    return undefined;
  }
}

export interface ReadManifest {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly text: string;
}

/** Reads the manifest of an export. @returns undefined if there is none, or it is invalid */
export async function findManifest(folder: string): Promise<ReadManifest | undefined> {
  const text = textIn(folder);
  return text === undefined ? undefined : parsed(folder, text);
}

/** Reads the manifest of an export. @throws usage error if there is none, or it is invalid */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const path = join(folder, MANIFEST);
  const text = textIn(folder);
  if (text === undefined) {
    throw usageError(
      `${JSON.stringify(folder)} is not a completed export: ${MANIFEST} not found.`,
      `Create an export: ${shellLine('edu', 'export', '--to', folder)}`,
    );
  }
  const found = parsed(folder, text);
  if (found === undefined) throw usageError(`${path} is not the manifest of an export.`);
  const { version } = found.manifest;
  if (version !== VERSION) throw usageError(`${path} has version ${version}, and this edu reads version ${VERSION}.`);
  return found;
}
