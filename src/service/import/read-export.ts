/** Reads what a state is filled with from a file of JSON, or from the folder of an export. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../core/json.js';
import type { Item } from './records.js';
import { BadSeed, type Import } from './source.js';

/** Items that are handed over at once. */
const BATCH = 1_000;

interface Manifest {
  readonly format?: string;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly organization?: Import['organization'] | null;
  readonly organizations?: Import['organizations'];
  readonly resources?: Readonly<Record<string, { readonly file?: string | null } | undefined>>;
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new BadSeed(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** @param read the items of a resource; undefined when it is not there */
function importOf(path: string, facts: Manifest, read: (resource: string) => readonly Item[] | undefined): Import {
  const { organization, organizations = [], language = 'EN', languages = [] } = facts;
  if (typeof organization?.id !== 'string' || typeof organization.type !== 'string') {
    throw new BadSeed(`${path} does not name the organization that it is about: {"organization": {"id", "type"}}`);
  }
  const isListed = organizations.some(({ id }) => id === organization.id);
  return {
    organization,
    organizations: isListed ? organizations : [organization, ...organizations],
    language,
    languages,
    holds: (resource) => read(resource) !== undefined,
    async *items(resource) {
      const items = read(resource) ?? [];
      for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
    },
  };
}

function folderImport(folder: string): Import {
  const manifest = jsonIn(join(folder, 'manifest.json')) as Manifest;
  const { format = 'ndjson', resources = {} } = manifest;
  if (format === 'csv')
    throw new BadSeed(`${folder} is csv, which has no nesting: export with --format ndjson or json`);
  const known = new Map<string, readonly Item[]>();
  return importOf(folder, manifest, (resource) => {
    const file = resources[resource]?.file;
    if (typeof file !== 'string') return undefined;
    const items =
      known.get(resource) ??
      (format === 'json'
        ? (jsonIn(join(folder, file)) as Item[])
        : readFileSync(join(folder, file), 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Item));
    known.set(resource, items);
    return items;
  });
}

/**
 * The data at a path: the folder of an export, or a JSON file with `organization` and a list for each resource, in the
 * form of the API's answers: `{"organization": {"id": "d1", "type": "Distributor"}, "licenses": [...]}`.
 * @throws BadSeed
 */
export function readSource(path: string): Import {
  if (!existsSync(path)) throw new BadSeed(`there is no file or folder ${path}`);
  if (statSync(path).isDirectory()) return folderImport(path);
  const data = jsonIn(path);
  if (!isObject(data)) throw new BadSeed(`${path} must hold a JSON object with organization and lists of resources`);
  return importOf(path, data as Manifest, (resource) => {
    const items = data[resource];
    if (items === undefined || resource === 'organization') return undefined;
    return (Array.isArray(items) ? items : [items]) as Item[];
  });
}
