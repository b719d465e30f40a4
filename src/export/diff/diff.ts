/**
 * The difference between two exports: both are read side by side in the order of their keys, so that exports of any size
 * are compared at a flat memory. Knows files and items, not how differences are shown.
 */
import { join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { type TemporaryFolder, temporaryFolder } from '../../core/fs/temporary.js';
import { byCodePoint } from '../../output/select/sort.js';
import { EXPORTED, keyReader, RESOURCES, type Resource, shownKey } from '../collect/resources.js';
import { type FileFacts, publish, writeDataFile } from '../files/data-file.js';
import { type Format, fileFormat } from '../files/file-format.js';
import { CHANGES, type Manifest, type ReadManifest, type ResourceFacts, readManifest } from '../files/manifest.js';
import { Cursor, type Entry, readDataFile } from '../files/read-data-file.js';
import { type Sorted, Sorter } from '../sort/sorter.js';
import { type FieldChange, fieldChanges } from './field-changes.js';

type Item = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly resource: Resource;
  readonly change: 'added' | 'removed' | 'changed';
  readonly key: string;
  readonly before: Item | null;
  readonly after: Item | null;
  /** Of what changed; empty otherwise. */
  readonly fields: readonly FieldChange[];
}

/** How items of two exports are matched. */
export type Key = 'id' | 'natural';

export interface Compared {
  readonly resource: Resource;
  /** Present in one export only, or in both and compared. */
  readonly only?: 'A' | 'B';
  readonly differences: AsyncIterable<readonly Difference[]>;
}

interface Side {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The entries of one side, and by what they are in order. */
type Entries = AsyncIterable<readonly Entry[]>;

async function* nothing(): AsyncGenerator<never> {}

function factsOf({ file, count, bytes, sha256 }: ResourceFacts): FileFacts | undefined {
  return file === null || sha256 === null ? undefined : { file, count, bytes, sha256 };
}

/** The natural key of an item; an item without one goes by its id, and can't be taken for one that has it. */
function naturalKey(resource: Resource): (item: Item) => string {
  const exported = EXPORTED[resource];
  const { natural } = exported;
  const byId = keyReader(exported);
  if (natural === undefined) return byId;
  return (item) => {
    const value = item[natural];
    return typeof value === 'string' && value !== '' ? value : `\u0001${byId(item)}`;
  };
}

/** Puts a file in the order of another key, by way of temporary files in a folder. */
async function resorted(
  entries: Entries,
  keyOf: (item: Item) => string,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<Entries> {
  const sorter = new Sorter({ folder, name, unique: false });
  const pass = sorter.pass();
  for await (const some of entries) {
    for (const { item } of some) pass.add(keyOf(item), `${JSON.stringify(item)}\n`);
    await pass.settle();
  }
  await pass.keep();
  const target = { path: join(folder, name), file: name, gzip: false };
  const form = fileFormat('ndjson', { kind: 'any', about: '' });
  const sorted = await sorter.sorted();
  const each: Sorted['each'] = (take) =>
    sorted.each((key, line) => {
      signal.throwIfAborted();
      return take(key, line);
    });
  const facts = await writeDataFile({ ...sorted, each }, form, target);
  await publish(target);
  await sorter.clear();
  return readDataFile(folder, facts, 'ndjson', keyOf, signal);
}

async function entriesOf(
  { folder, manifest }: Side,
  resource: Resource,
  key: Key,
  temporary: () => string,
  name: string,
  signal: AbortSignal,
): Promise<Entries> {
  const facts = manifest.resources[resource];
  const file = facts === undefined ? undefined : factsOf(facts);
  if (file === undefined) return nothing();
  const entries = readDataFile(folder, file, manifest.format, keyReader(EXPORTED[resource]), signal);
  if (key === 'id' || EXPORTED[resource].natural === undefined) return entries;
  return resorted(entries, naturalKey(resource), temporary(), name, signal);
}

/** An item without its own id, when it is known by something else. */
function withoutId(item: Item, resource: Resource, key: Key): Item {
  const { natural, key: own } = EXPORTED[resource];
  const [id] = own;
  if (key === 'id' || natural === undefined || id === undefined) return item;
  const { [id]: _, ...rest } = item;
  return rest;
}

/** Takes all entries with the same key; in most cases that is one. */
async function group(cursor: Cursor, key: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  while (cursor.entry !== undefined && cursor.entry.key === key) {
    entries.push(cursor.entry);
    const waiting = cursor.next();
    if (waiting !== undefined) await waiting;
  }
  return entries;
}

/** Takes one of a text's count. @returns false when there is none left */
function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}

/** Pairs the entries of one key: those that are equal first, then as they come. */
function pair(before: Entry[], after: Entry[], resource: Resource, key: Key): [Entry | undefined, Entry | undefined][] {
  const text = ({ item }: Entry): string => JSON.stringify(withoutId(item, resource, key));
  if (before.length === 1 && after.length === 1) return [[before[0], after[0]]];
  // How many of each are there to be met: a natural key may be that of thousands.
  const counts = new Map<string, number>();
  for (const entry of before) counts.set(text(entry), (counts.get(text(entry)) ?? 0) + 1);
  const left = after.filter((entry) => !takeOne(counts, text(entry)));
  // Of equal ones it does not matter which is left.
  const changed = before.filter((entry) => takeOne(counts, text(entry)));
  const pairs = Array.from({ length: Math.max(changed.length, left.length) }, (_, index) => index);
  return pairs.map((index): [Entry | undefined, Entry | undefined] => [changed[index], left[index]]);
}

function differenceOf(
  before: Entry | undefined,
  after: Entry | undefined,
  resource: Resource,
  key: Key,
): Difference | undefined {
  const shown = shownKey((before ?? after)?.key ?? '').replace(/^\u0001/, '');
  const sides = { before: before?.item ?? null, after: after?.item ?? null };
  if (before === undefined || after === undefined) {
    return { resource, change: before === undefined ? 'added' : 'removed', key: shown, ...sides, fields: [] };
  }
  if (before.line === after.line) return undefined;
  const fields = fieldChanges(withoutId(before.item, resource, key), withoutId(after.item, resource, key));
  return fields.length === 0 ? undefined : { resource, change: 'changed', key: shown, ...sides, fields };
}

/** Differences that are given out at a time. */
const BATCH = 200;

async function* join2(
  a: () => Promise<Entries>,
  b: () => Promise<Entries>,
  resource: Resource,
  key: Key,
): AsyncGenerator<readonly Difference[]> {
  const [left, right] = [new Cursor(await a()), new Cursor(await b())];
  let found: Difference[] = [];
  try {
    await left.next();
    await right.next();
    for (;;) {
      const [one, other] = [left.entry?.key, right.entry?.key];
      if (one === undefined && other === undefined) break;
      const first = other === undefined || (one !== undefined && byCodePoint(one, other) <= 0) ? one : other;
      const [before, after] = [await group(left, first as string), await group(right, first as string)];
      for (const [then, now] of pair(before, after, resource, key)) {
        const difference = differenceOf(then, now, resource, key);
        if (difference !== undefined) found.push(difference);
      }
      if (found.length >= BATCH) {
        yield found;
        found = [];
      }
    }
    if (found.length > 0) yield found;
  } finally {
    await left.close();
    await right.close();
  }
}

function checkSide({ manifest }: ReadManifest, folder: string, wanted: ReadonlySet<Resource>): void {
  if (manifest.since !== null) {
    throw usageError(
      `${folder} holds changes only: ${CHANGES.join(', ')}.`,
      'Compare whole exports, made without --since.',
    );
  }
  const broken = RESOURCES.filter((name) => wanted.has(name) && manifest.resources[name]?.complete === false);
  if (broken.length > 0) {
    throw usageError(
      `${folder} is not complete: ${broken.join(', ')}.`,
      'Run its export again, or compare only some resources: edu diff A B licenses',
    );
  }
}

/** Exports that can be compared at all: csv has no nesting, and only texts. */
const comparable = (one: Format, other: Format): boolean => (one === 'csv') === (other === 'csv');

/**
 * Compares two exports, resource by resource. The differences of one must be read before the next resource.
 * @param wanted resources; all that either export holds if empty
 * @param signal ends it with its reason
 * @throws usage error when one of the folders holds no export that can be compared
 */
export async function* diff(
  a: string,
  b: string,
  key: Key,
  wanted: readonly Resource[],
  signal: AbortSignal,
): AsyncGenerator<Compared> {
  const [left, right] = [await readManifest(a), await readManifest(b)];
  const held = RESOURCES.filter((name) => left.manifest.resources[name] ?? right.manifest.resources[name]);
  const chosen = new Set(wanted.length > 0 ? wanted : held);
  const missing = [...chosen].filter((name) => !held.includes(name));
  if (missing.length > 0) throw usageError(`Neither ${a} nor ${b} holds ${missing.join(', ')}.`);
  checkSide(left, a, chosen);
  checkSide(right, b, chosen);
  if (!comparable(left.manifest.format, right.manifest.format)) {
    throw usageError(
      `${a} is ${left.manifest.format} and ${b} is ${right.manifest.format}: csv can be compared with csv only.`,
    );
  }
  let made: TemporaryFolder | undefined;
  const temporary = (): string => {
    made ??= temporaryFolder('diff');
    return made.path;
  };
  try {
    for (const resource of RESOURCES.filter((name) => chosen.has(name))) {
      const [inA, inB] = [left, right].map(({ manifest }) => manifest.resources[resource] !== undefined);
      const sides = { a: { folder: a, manifest: left.manifest }, b: { folder: b, manifest: right.manifest } };
      const only = inA === inB ? {} : { only: inA ? ('A' as const) : ('B' as const) };
      const differences =
        inA !== inB
          ? nothing()
          : join2(
              () => entriesOf(sides.a, resource, key, temporary, `${resource}.a`, signal),
              () => entriesOf(sides.b, resource, key, temporary, `${resource}.b`, signal),
              resource,
              key,
            );
      yield { resource, ...only, differences };
    }
  } finally {
    made?.remove();
  }
}
