/** Compares two exports, resource by resource, in constant memory. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { exactJson } from '../../core/exact-json.js';
import { temporaryFolder } from '../../core/fs/temporary.js';
import { Sorter } from '../../core/sort/sorter.js';
import type { Fate } from '../collect/movers.js';
import { EXPORTED, RESOURCES, type Resource, shownKey } from '../collect/resources.js';
import { publish, writeDataFile } from '../files/data-file.js';
import { fileFormat } from '../files/file-format.js';
import { type Change, type Manifest, type ReadManifest, readManifest } from '../files/manifest.js';
import { checkWhole, otherOrigin } from '../files/origin.js';
import { type Entry, type RecordFile, readDataFile, recordFile } from '../files/read-data-file.js';
import { changesBetween, lostLists, unseenByBoth } from '../files/visibility.js';
import { type FieldShift, fieldCensus } from './field-census.js';
import { type FieldChange, fieldChanges } from './field-changes.js';
import { type Pair, unequal } from './join-files.js';

type Item = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly resource: Resource;
  /** `not_visible`: one export could not read the item's list. */
  readonly change: Change | 'new_field' | 'missing_field';
  /** The key of the item, or the path of the field. */
  readonly key: string;
  readonly before: Item | null;
  readonly after: Item | null;
  /** The changed fields; empty except for `changed`. */
  readonly fields: readonly FieldChange[];
  /** Number of items with a new or missing field: `in 104 of 104`. */
  readonly note: string | null;
}

export type Key = 'id' | 'natural';

export interface Compared {
  readonly resource: Resource;
  /** Lists that one of the exports could not read, or neither of them. */
  readonly hidden: readonly { readonly list: string; readonly in: 'A' | 'B' | 'either' }[];
  /** The only export that contains the resource. */
  readonly only?: 'A' | 'B';
  readonly differences: AsyncIterable<readonly Difference[]>;
}

interface DiffOptions {
  readonly key: Key;
  /** Resources to compare; empty for all. */
  readonly wanted: readonly Resource[];
  /** Allow different accounts, services, languages or schemas. */
  readonly force: boolean;
  /** Reads an item by its ID before it counts as removed, if items of the resource can move between lists. */
  readonly fateOf?: ((endpoint: Endpoint, id: string) => Promise<Fate>) | undefined;
  readonly signal: AbortSignal;
}

/** Sorts a file by a natural key, or the ID with a prefix that no natural key has, with temporary files in a folder. */
async function resorted(file: RecordFile, natural: string, folder: string, name: string): Promise<RecordFile> {
  const { signal } = file;
  const keyOf = (item: Item): string => {
    const value = item[natural];
    return typeof value === 'string' && value !== '' ? value : `\u0001${file.keyOf(item)}`;
  };
  const sorter = new Sorter({ folder, name, unique: false });
  const pass = sorter.pass();
  for await (const some of readDataFile(file)) {
    for (const { item } of some) pass.add(keyOf(item), `${exactJson(item)}\n`);
    await pass.settle();
  }
  await pass.keep();
  const target = { folder, file: name, gzip: false };
  const form = fileFormat('ndjson', { kind: 'any', description: '' });
  const facts = await writeDataFile(sorter.batches(), form, target, signal);
  await publish(target);
  await sorter.clear();
  return { folder, facts, format: 'ndjson', keyOf, signal };
}

const shown = ({ key }: Entry): string => shownKey(key).replace(/^\u0001/, '');

interface Join {
  readonly resource: Resource;
  readonly files: readonly [before: RecordFile | undefined, after: RecordFile | undefined];
  readonly changeOf: (pair: Pair) => Change;
  readonly fateOf: DiffOptions['fateOf'];
  /** The natural key to compare by, and a folder for files sorted by it; undefined to compare by ID. */
  readonly by: { readonly natural: string; readonly folder: string } | undefined;
}

const fieldDifference = (resource: Resource, { path, isNew, count, of }: FieldShift): Difference => ({
  resource,
  change: isNew ? 'new_field' : 'missing_field',
  key: path,
  before: null,
  after: null,
  fields: [],
  note: `in ${count} of ${of}`,
});

/** Why an item that only the earlier export has was not removed; null if it was, or if it is not read by its ID. */
async function whyNotRemoved({ resource, fateOf }: Join, id: unknown): Promise<string | null> {
  const { movable } = EXPORTED[resource];
  if (fateOf === undefined || movable === undefined) return null;
  const fate = await fateOf(movable, String(id));
  if (fate === 'gone') return null;
  return fate === 'hidden' ? 'exists, but may not be read' : 'exists, although no list of B shows it';
}

async function* differencesOf(join: Join): AsyncGenerator<readonly Difference[]> {
  const { resource, files, changeOf, by } = join;
  const { shape, key } = EXPORTED[resource];
  const [id = 'id'] = key;
  const sorted = files.map((file, index) =>
    file && by ? resorted(file, by.natural, by.folder, `${resource}.${index}`) : file,
  );
  const [before, after] = await Promise.all(sorted);
  const census = fieldCensus(shape, ...files);
  /** Items of one natural key may have other IDs. */
  const comparable = (item: Item): Item => {
    if (by === undefined) return item;
    const { [id]: _, ...rest } = item;
    return rest;
  };
  const differenceOf = async (pair: Pair): Promise<Difference | undefined> => {
    const change = changeOf(pair);
    const [then, now] = [pair.before?.item ?? null, pair.after?.item ?? null];
    const common = { resource, change, key: shown((pair.before ?? pair.after) as Entry), before: then, after: now };
    if (then !== null && change === 'removed') {
      const note = await whyNotRemoved(join, then[id]);
      return { ...common, change: note === null ? change : 'not_visible', fields: [], note };
    }
    if (then === null || now === null) return { ...common, fields: [], note: null };
    const fields = await census.without(fieldChanges(comparable(then), comparable(now)));
    return fields.length === 0 ? undefined : { ...common, fields, note: null };
  };
  let added = 0;
  const textOf = by && (({ item }: Entry): string => exactJson(comparable(item)));
  for await (const pairs of unequal(readDataFile(before), readDataFile(after), textOf)) {
    const found: Difference[] = [];
    for (const pair of pairs) {
      if (pair.before === undefined) added++;
      const difference = await differenceOf(pair);
      if (difference !== undefined) found.push(difference);
    }
    if (found.length > 0) yield found;
  }
  const shifts = census.shifts((files[1]?.facts.count ?? 0) - added);
  if (shifts.length > 0) yield shifts.map((shift) => fieldDifference(resource, shift));
}

/** A resource must be read before the next one. @throws usage error if the exports cannot be compared */
export async function* diff(a: string, b: string, options: DiffOptions): AsyncGenerator<Compared> {
  const { key, wanted, force, fateOf, signal } = options;
  const [left, right] = [await readManifest(a), await readManifest(b)];
  const held = RESOURCES.filter((name) => left.manifest.resources[name] ?? right.manifest.resources[name]);
  const chosen = new Set(wanted.length > 0 ? wanted : held);
  const missing = [...chosen].filter((name) => !held.includes(name));
  if (missing.length > 0) throw usageError(`Neither ${a} nor ${b} contains ${missing.join(', ')}.`);
  for (const side of [left, right]) checkWhole(side, chosen);
  // A csv is flat and has only texts.
  if ((left.manifest.format === 'csv') !== (right.manifest.format === 'csv')) {
    throw usageError(
      `${a} is ${left.manifest.format} and ${b} is ${right.manifest.format}: csv can be compared with csv only.`,
    );
  }
  // Natural keys are for comparing two services, and thus two accounts and organizations.
  const ignored = key === 'natural' ? { account: null, organization: null, baseUrl: '' } : {};
  const origin = otherOrigin({ ...left.manifest, ...ignored }, { ...right.manifest, ...ignored }, chosen);
  if (!force && origin !== undefined) {
    throw usageError(
      `Cannot compare ${a} with ${b}: ${origin}.`,
      `Add --force to compare them anyway${key === 'natural' ? '' : ', or --key natural for two services'}.`,
    );
  }
  const temporary = key === 'natural' ? temporaryFolder('diff') : undefined;
  try {
    for (const resource of RESOURCES.filter((name) => chosen.has(name)))
      yield compared(left, right, resource, temporary?.path, { fateOf, signal });
  } finally {
    temporary?.remove();
  }
}

/** @param temporary folder for files sorted by natural keys; undefined to compare by ID */
function compared(
  left: ReadManifest,
  right: ReadManifest,
  resource: Resource,
  temporary: string | undefined,
  { fateOf, signal }: Pick<DiffOptions, 'fateOf' | 'signal'>,
): Compared {
  const isOneService = left.manifest.baseUrl === right.manifest.baseUrl;
  // Another service may know an organization by another ID, which hides nothing.
  const all = [...left.manifest.organizations, ...right.manifest.organizations];
  const scopeOf = ({ organizations, ...rest }: Manifest): Manifest => ({
    ...rest,
    organizations: isOneService ? organizations : all,
  });
  const [before, after] = [scopeOf(left.manifest), scopeOf(right.manifest)];
  const files = [recordFile(left, resource, signal), recordFile(right, resource, signal)] as const;
  const { natural } = EXPORTED[resource];
  const by = natural === undefined || temporary === undefined ? undefined : { natural, folder: temporary };
  const [inA, inB] = [before, after].map(({ resources }) => resources[resource] !== undefined);
  return {
    resource,
    hidden: [
      ...lostLists(before, after, resource).map((list) => ({ list, in: 'B' as const })),
      ...lostLists(after, before, resource, true).map((list) => ({ list, in: 'A' as const })),
      ...unseenByBoth(before, after, resource).map((list) => ({ list, in: 'either' as const })),
    ],
    ...(inA === inB ? {} : { only: inA ? 'A' : 'B' }),
    differences: differencesOf({ resource, files, changeOf: changesBetween(before, after, resource), fateOf, by }),
  };
}
