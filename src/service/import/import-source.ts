/** The data of an import, read from a JSON file or from the folder of an export, and the values that its modules share. */

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EXPORTABLE } from '../../contract/index.js';
import type { OrganizationType } from '../../contract/shared.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { NO_FOLLOW, readRegularBytes } from '../../core/fs/regular-file.js';
import { isObject } from '../../core/json.js';
import { didYouMean } from '../../core/suggest.js';
import { differenceFrom } from '../import-overrides.js';
import { OptionError } from '../serve/option-values.js';
import type { Store } from '../store/store.js';
import { asText, type Item, listOf, objectOf } from './import-records.js';

/** The error for data that cannot be imported. The message is only the reason; callers name the data. */
export const badSeed = (message: string, hint = 'Use a whole export: edu export --to DIR', cause?: unknown) =>
  new OptionError(message, hint, cause);

export interface Import {
  readonly organization: { readonly id: string; readonly type: string };
  /** The caller's own organization and those it owns, as far as the export lists them. */
  readonly organizations: readonly { readonly id: string; readonly type: string }[];
  readonly language: string;
  /** The languages of subjects and types if the export has them in several; each has its own items. */
  readonly languages: readonly string[];
  /** Returns true if the data contains the resource, even as an empty list. */
  readonly holds: (resource: string) => boolean;
  /** The items of a resource in batches; none if the data does not contain it. */
  readonly items: (resource: string) => AsyncIterable<readonly Item[]>;
}

export interface Loading {
  readonly data: Import;
  readonly store: Store;
  readonly own: string;
  readonly types: Map<string, OrganizationType>;
  readonly now: number;
  /** Returns another number with each call. */
  readonly newNumber: () => number;
}

/** Collects all items of a resource. For resources that stay small. */
export async function all(data: Import, resource: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of data.items(resource)) for (const item of items) found.push(item);
  return found;
}

/** Passes the items of a resource in batches, each in a write transaction. */
export async function eachBatch(
  { data, store }: Loading,
  resource: string,
  load: (items: readonly Item[]) => void,
): Promise<void> {
  for await (const items of data.items(resource)) store.write(() => load(items));
}

/** The organization that an item belongs to: the referenced one if it is known, else the caller's own. */
export function ownerIn({ types, own }: Loading, reference: unknown): string {
  const id = asText(objectOf(reference).id);
  return types.has(id) ? id : own;
}

/** Adds to each record the differences between its response and the exported item. */
export function withShown<R extends object>(
  records: readonly R[],
  answers: readonly object[],
  items: readonly Item[],
): R[] {
  return records.map((record, index) => {
    const shown = differenceFrom(answers[index] ?? {}, items[index] ?? {});
    return shown === undefined ? record : { ...record, shown };
  });
}

const BATCH_SIZE = 1_000;

/** The most that V8 takes as one text. */
const MAX_BYTES = 512 * 1024 * 1024 - 1;

/** The members of an export's manifest that decide whether and how it can be loaded. */
interface ExportFacts {
  readonly format?: string;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly organization?: Import['organization'] | null;
  readonly organizations?: Import['organizations'];
  readonly since?: string | null;
  readonly shard?: unknown;
  readonly resources?: Readonly<
    Record<string, { readonly file?: string | null; readonly sha256?: string | null; readonly complete?: boolean }>
  >;
}

/** @param flags by default, a link among the files of a received export is refused @param sha256 of the file, if known */
function bytesIn(path: string, flags = NO_FOLLOW, sha256?: string | null): Buffer {
  try {
    const bytes = readRegularBytes(path, MAX_BYTES, flags);
    if (typeof sha256 === 'string' && createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error('it is not the file that the manifest describes');
    return path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  } catch (error) {
    throw badSeed(`cannot read ${path}: ${describeErrno(error)}`, undefined, error);
  }
}

function jsonFrom(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badSeed(`${path} is not valid JSON: ${(error as Error).message}`, undefined, error);
  }
}

const jsonIn = (path: string, flags?: number): unknown => jsonFrom(bytesIn(path, flags).toString(), path);

/** @returns the organization that the export was made for @throws OptionError when it is incomplete or cannot be loaded */
export function requireWhole(facts: ExportFacts): Import['organization'] {
  const { format, organization, since, shard, resources = {} } = facts;
  if (typeof since === 'string') {
    throw badSeed('it contains only changes', 'Load a whole export, made without --since.');
  }
  if (shard !== undefined) {
    throw badSeed('it is one shard of an export', 'Merge all of them: edu export merge A B --to DIR');
  }
  if (format === 'csv') {
    throw badSeed('it is csv, which has no nesting', 'Load an export made with --format ndjson or json.');
  }
  const broken = Object.keys(resources).filter((name) => resources[name]?.complete === false);
  if (broken.length > 0) throw badSeed(`it is not complete: ${broken.join(', ')}`, 'Run its export again.');
  return requireOrganization(organization);
}

function requireOrganization(organization: ExportFacts['organization']): Import['organization'] {
  if (typeof organization?.id === 'string' && typeof organization.type === 'string') return organization;
  throw badSeed(
    'it does not name the organization that it is about',
    'Add it, such as "organization": {"id": "d1", "type": "Distributor"}.',
  );
}

/** @param read returns the items of a resource, or undefined if the data does not contain it */
function importOf(
  organization: Import['organization'],
  { organizations = [], language = 'EN', languages = [] }: ExportFacts,
  read: (resource: string) => readonly Item[] | undefined,
): Import {
  const isListed = organizations.some(({ id }) => id === organization.id);
  return {
    organization,
    organizations: isListed ? organizations : [organization, ...organizations],
    language,
    languages,
    holds: (resource) => read(resource) !== undefined,
    async *items(resource) {
      const items = read(resource) ?? [];
      for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
    },
  };
}

function itemsIn(path: string, format: string, sha256?: string | null): readonly Item[] {
  const text = bytesIn(path, NO_FOLLOW, sha256).toString();
  if (format === 'json') return listOf(jsonFrom(text, path)).map(objectOf);
  const lines = text.split('\n');
  return lines.filter((line) => line !== '').map((line) => objectOf(jsonFrom(line, path)));
}

function folderImport(folder: string): Import {
  const facts: ExportFacts = objectOf(jsonIn(join(folder, 'manifest.json')));
  const organization = requireWhole(facts);
  const known = new Map<string, readonly Item[]>();
  return importOf(organization, facts, (resource) => {
    const { file, sha256 } = facts.resources?.[resource] ?? {};
    if (typeof file !== 'string') return undefined;
    // A manifest may come from another machine: it must not name files outside its folder.
    if (!/^[A-Za-z][\w.-]*$/.test(file)) throw badSeed(`it names a file outside of its folder: ${file}`);
    const items = known.get(resource) ?? itemsIn(join(folder, file), facts.format ?? 'ndjson', sha256);
    known.set(resource, items);
    return items;
  });
}

/** The members of a JSON file: facts as in a manifest, and resources. */
const MEMBERS: readonly string[] = ['organization', 'organizations', 'language', 'languages', ...EXPORTABLE];

/**
 * Reads the folder of an export, or a JSON file with `organization` and a list for each resource, in the form of the
 * API's responses: `{"organization": {"id": "d1", "type": "Distributor"}, "licenses": [...]}`.
 * @throws OptionError
 */
export function readSource(path: string): Import {
  if (!existsSync(path)) {
    throw badSeed('there is no such file or folder', 'Give the folder of an export, or a JSON file.');
  }
  if (statSync(path).isDirectory()) return folderImport(path);
  const data = jsonIn(path, 0);
  if (!isObject(data)) throw badSeed('it is not a JSON object with organization and lists of resources');
  const facts = data as ExportFacts;
  const organization = requireOrganization(facts.organization);
  const unknown = Object.keys(data).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, MEMBERS) ?? `Give some of ${MEMBERS.join(', ')}.`;
    throw badSeed(`it has an unknown member ${JSON.stringify(unknown)}`, hint);
  }
  return importOf(organization, facts, (resource) => {
    const items = (data as Item)[resource];
    if (items === undefined || resource === 'organization') return undefined;
    return (Array.isArray(items) ? items : [items]).map(objectOf);
  });
}
